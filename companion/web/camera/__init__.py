"""The live view of the rear camera in the photo step: its files, and what is found while aiming."""
