"""A résumé out: PDF, DOCX, Markdown and JSON Resume, and the proof that each can be read."""
