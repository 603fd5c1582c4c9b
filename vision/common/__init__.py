"""What the readers of all games share; nothing here depends on a game."""
