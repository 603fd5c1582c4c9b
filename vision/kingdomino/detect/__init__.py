"""Find the squares of a photograph, the lattices that they lie on, and what each cell shows."""

from __future__ import annotations
