"""The pages of the four games of pip dominoes."""
