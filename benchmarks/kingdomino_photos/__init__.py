"""The Kingdomino reader measured on labelled folders."""
