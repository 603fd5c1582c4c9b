"""Training of the reader of Domino-Duell, on drawn pictures alone."""
