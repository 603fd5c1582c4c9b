"""Results as pictures to share, whatever the game."""
