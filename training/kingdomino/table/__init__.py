"""Photographs of tables composed from kingdoms of other photographs.

They measure the whole reader, and what its models of doubt are fitted to, held out by kingdom. No
network learns from them.
"""
