"""The networks of taggers, composed of layers.

The window, sentence and tree networks are SENNA's (Collobert et al. 2011). The dilated,
chart and arcs networks and ensembles are additions.
"""
