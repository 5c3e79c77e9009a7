"""DOCX through python-docx, behind our own guards. Runs only in the limited child."""
