"""The games: what is kept of each, what can be done at its table, its texts and its result card."""
