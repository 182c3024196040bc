"""Networks that a model has for the sake of another one, which takes their labels."""

from senna_py.errors import SennaError
from senna_py.labels.tasks import ROLES, VERBS
from senna_py.models.cascades import cascade_order, needs_of
from senna_py.models.native_parts import knows_labels

__all__ = ["carried_networks"]


def carried_networks(name, features, models):
    """The networks that `name` needs, and what these need, each after what it needs.

    features: of the network `name`; models: a NativeModel by the name of each network that it is to
    give. What no model is named for comes from that of the network that needs it, or else from the
    first that has it; what finds the predicates of roles is taken along if there is any. Returns a
    dict of NativeModels by the names of networks. Raises SennaError if networks need each other's
    labels, or if one was trained with other labels.
    """
    owners = {}

    def needs(network):
        if network == name:
            own, found = None, needs_of(name, features) + [VERBS] * (name == ROLES)
        else:
            own = owners[network]
            found = needs_of(network, own.features(network))
        for need in found:
            givers = [models[need]] if need in models else [*filter(None, [own]), *models.values()]
            giver = next((model for model in givers if need in model.networks), None)
            if giver is not None and need != name:
                owners.setdefault(need, giver)
        return [need for need in found if need in owners or need == name]

    order = [need for need in cascade_order([name], needs) if need != name]
    for each in order:
        part = owners[each].part(each)
        for need in needs_of(each, part.features):
            if need in owners and not knows_labels(part, owners[need].part(need)):
                raise SennaError(
                    f"{owners[need].path}: the labels of its network {need} are not those that "
                    f"{each} of {owners[each].path} was trained with: train {each} with it"
                )
    return {need: owners[need] for need in order}
