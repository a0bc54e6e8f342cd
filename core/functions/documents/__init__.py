"""Documents for agents: search with facets and history, assembled context, similar ones, impact.

Each function takes the workbench as its last argument; without one it is the store of the
environment. Whatever a caller can get wrong, and whatever fails on the way, is a ValueError with a
sentence.
"""
