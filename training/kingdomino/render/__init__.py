"""The renderer: drawn tiles, castles and tables, and synthetic photographs of them."""
