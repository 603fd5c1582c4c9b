"""Property tests here are the same on every run, and don't fail because a machine is busy."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "scorer",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("scorer")
