"""Find the squares of a photograph and the lattices that they lie on."""
