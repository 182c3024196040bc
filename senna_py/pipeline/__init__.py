"""The way of a text: it is read, its tokens are found and annotated, and formats write it.

Commands, the server, tables and `Tagger` all go this way.
"""
