"""A sentence of CoNLL-U with a word range, an empty node, features and text that is not
spaced.
"""

SENTENCE = """\
# newdoc id = d
# sent_id = one
# text = Du 13 819.
1-2\tDu\t_\t_\t_\t_\t_\t_\t_\tNER=B-X
1\tDe\tde\tADP\tE\tA=1|B=2\t0\troot\t_\t_
2\tle\tle\tDET\tR\t_\t1\tdet\t_\tSpaceAfter=No|Foo=bar
2.1\tgone\tgo\tVERB\t_\t_\t_\t_\t1:dep\t_
3\t13 819\t13 819\tNUM\tN\t_\t1\tdep\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\tFS\t_\t1\tpunct\t_\tNER=O

"""
