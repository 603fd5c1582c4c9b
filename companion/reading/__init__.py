"""Reading photos in processes of their own, whatever the game."""
