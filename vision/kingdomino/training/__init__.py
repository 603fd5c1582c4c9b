"""Training: scenes, networks and the commands that make the weights."""
