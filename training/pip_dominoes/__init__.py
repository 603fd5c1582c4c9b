"""How the networks of the pip reader are trained; needs the extra ``train``."""
