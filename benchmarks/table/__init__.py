"""Tables as people leave them, composed from real pictures, and what the reader makes of them."""
