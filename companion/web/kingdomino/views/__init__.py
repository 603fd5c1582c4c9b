"""What the web app shows: views draw the session and change nothing themselves."""
