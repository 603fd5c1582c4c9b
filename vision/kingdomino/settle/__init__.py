"""The most probable kingdoms that the dominoes of the box allow."""
