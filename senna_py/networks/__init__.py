"""The networks of taggers, composed of layers.

The window and sentence networks and ensembles are from Collobert et al. (2011), and the
tree network is from SENNA. The dilated, chart and arcs networks are additions.
"""
