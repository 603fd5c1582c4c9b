"""Light and table tops for composed pictures of any game."""
