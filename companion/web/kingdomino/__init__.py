"""The pages of Kingdomino."""
