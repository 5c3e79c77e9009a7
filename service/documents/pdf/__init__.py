"""PDF through PDFium, with our own reading order. Runs only in the limited child."""
