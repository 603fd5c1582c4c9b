"""The room of pip dominoes in the companion: hands from photos, score sheets, and their words."""
