"""What running the companion for others needs: configurations, and lists of what is installed."""
