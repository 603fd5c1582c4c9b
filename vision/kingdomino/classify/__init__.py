"""Read what lies on each place of a lattice."""
