"""Questions whose numbers are drawn anew: parameters, figures computed from them, their reading.

`draw(drawing, seed, id)` picks the numbers, `filled(question, drawn)` puts them into every text,
`check_figures` finds the asked figures in an answer and says whether they are right for this draw.
"""
