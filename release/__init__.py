"""Build and check of a release: source archive, wheels, list of components, changelog, commit and tag.

`docs/releasing.md` describes the steps. Nothing here uploads or pushes anything.
"""
