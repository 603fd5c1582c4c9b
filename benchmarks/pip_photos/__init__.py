"""Measuring the reader of pip dominoes on labelled photographs."""
