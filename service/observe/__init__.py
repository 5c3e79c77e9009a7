"""Seeing what the service does, and never a word of what people wrote."""
