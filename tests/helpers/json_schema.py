"""A small checker of JSON Schema, for what the schemas here use."""

_TYPES = {
    "string": str,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
_KNOWN = {"type", "properties", "required", "additionalProperties", "items", "enum"}
_KNOWN |= {"minItems", "maxItems", "minimum", "anyOf", "oneOf", "title", "description"}
_KNOWN |= {"$ref", "examples"}


def problems(value, schema, root=None, at="$"):
    """What is wrong with a value, as lines; references lead into `root`."""
    assert {*schema} <= _KNOWN, f"{at}: the checker does not know {schema}"
    root = root or schema
    if "$ref" in schema:
        target = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        return problems(value, target, root, at)
    found = _of_choices(value, schema, root, at)
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is not in {schema['enum']}")
    if (name := schema.get("type")) is not None:
        is_wrong_boolean = isinstance(value, bool) and name != "boolean"
        if is_wrong_boolean or not isinstance(value, _TYPES[name]):
            return [*found, f"{at}: {value!r} is no {name}"]
    if "minimum" in schema and value < schema["minimum"]:
        found.append(f"{at}: {value} is too small")
    if isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        if not least <= len(value) <= most:
            found.append(f"{at}: {len(value)} items")
        for i, item in enumerate(value):
            found += problems(item, schema.get("items", {}), root, f"{at}[{i}]")
    if isinstance(value, dict):
        found += _of_object(value, schema, root, at)
    return found


def _of_choices(value, schema, root, at):
    found = []
    for key, allowed in (("anyOf", None), ("oneOf", 1)):
        if key in schema:
            each = [problems(value, choice, root, at) for choice in schema[key]]
            n_right = each.count([])
            if not n_right or (allowed and n_right != allowed):
                found.append(f"{at}: {n_right} of {key} fit: {each}")
    return found


def _of_object(value, schema, root, at):
    found = [
        f"{at}: no {key}" for key in schema.get("required", ()) if key not in value
    ]
    others = schema.get("additionalProperties", True)
    for key, item in value.items():
        known = schema.get("properties", {}).get(key, others)
        if known is False:
            found.append(f"{at}: unknown {key}")
        elif isinstance(known, dict):
            found += problems(item, known, root, f"{at}.{key}")
    return found
