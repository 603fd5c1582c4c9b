"""The pages of Domino-Duell."""
