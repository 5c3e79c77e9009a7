"""The passport of the grader: its figures, measured and written by one command."""
