"""Which of the squares that were found belong to one kingdom."""
