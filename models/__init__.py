"""The weights of the reader, with a model card for each."""
