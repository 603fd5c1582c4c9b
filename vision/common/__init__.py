"""What the readers of all games share; nothing here knows a game."""
