"""The console command `domino-duell`."""
