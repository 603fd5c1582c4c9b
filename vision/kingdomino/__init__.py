"""From a photograph to the Kingdomino kingdoms in it."""
