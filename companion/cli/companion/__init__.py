"""The console command of the whole companion: the app, and its games kept safe."""
