"""Mutation test of the rules and of the judgement: ``python -m benchmarks.mutation``.

mutmut makes one change at a time in every function of a room, and the fast tests of that room run
against each. What runs while a module is loaded, decorated functions and the defaults of settings,
which mutmut leaves alone, are changed by ``loaded``.
"""
