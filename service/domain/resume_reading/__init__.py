"""Reading a résumé from lines in reading order. Pure."""
