"""A résumé laid out for writing, and the proof that what was written can be read again."""
