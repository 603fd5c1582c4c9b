"""The training loop and the weights in ONNX files for the networks of every game."""
