"""The training loop and the export to ONNX for the networks of every game."""
