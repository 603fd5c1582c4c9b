"""What breaks unnoticed: ``python -m benchmarks.mutation``.

One change at a time is made in a copy of the project, in every package, and the quick tests that
reach the changed line run against it.
"""
