"""Compiles the kernels of `locomote` ahead of time, for platform wheels. It is no part of the package itself.

``python -m locomote_build FOLDER`` rehearses everything once uncompiled, to see with which kinds of arguments every
kernel is called (`rehearsal`, `signatures`), then compiles room by room (`export`) and writes the index.
"""
