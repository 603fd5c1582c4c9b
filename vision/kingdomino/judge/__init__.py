"""From what was seen to what is said: settled by the dominoes of the box, every doubt flagged,
every warning given.
"""
