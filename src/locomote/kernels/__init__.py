"""Every compiled loop. A kernel takes plain arrays and knows nothing of files, people or creatures.

Importing one of these modules imports Numba, so the rest of the package imports them inside the functions
that need them: ``import locomote`` and ``--help`` stay free of it. Compiled code is cached beside the
sources.
"""
