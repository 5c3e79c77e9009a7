"""Answers whose labels are true by construction: a bank of statements and its algebra."""
