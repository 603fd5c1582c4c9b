"""Training loop and export to ONNX for the networks of any game."""
