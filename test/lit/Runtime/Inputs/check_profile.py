"""check_profile.py SCHEMA PROFILE...: every line is what docs/reference/profile.schema.json says.

Knows the keywords that the schema uses, and fails at others.
"""
import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "integer": int, "number": (int, float)}
KNOWN = {"$schema", "title", "description", "$defs", "$ref", "type", "minimum", "maximum", "enum",
         "const", "properties", "required", "items", "additionalProperties", "oneOf"}


def faults(value, schema, where):
    assert set(schema) <= KNOWN, f"unknown keyword: {set(schema) - KNOWN}"
    if "$ref" in schema:
        schema = definitions[schema["$ref"].removeprefix("#/$defs/")]
    if "const" in schema and value != schema["const"]:
        yield f"{where} is {value!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {value!r}"
    if "type" in schema:
        right = isinstance(value, TYPES[schema["type"]])
        if not right or (isinstance(value, bool) and schema["type"] != "boolean"):
            yield f"{where} is {value!r}, no {schema['type']}"
            return
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where} is {value!r}"
    if "maximum" in schema and value > schema["maximum"]:
        yield f"{where} is {value!r}"
    for name in schema.get("required", []):
        if name not in value:
            yield f"{where} lacks {name}"
    rest = schema.get("additionalProperties")
    for name, inner in value.items() if isinstance(value, dict) else ():
        found = schema.get("properties", {}).get(name, rest)
        if found is None:
            yield f"{where} has the unknown field {name}"
        else:
            yield from faults(inner, found, f"{where}.{name}")
    if "items" in schema:
        for i, inner in enumerate(value):
            yield from faults(inner, schema["items"], f"{where}[{i}]")


schema = json.load(open(sys.argv[1]))
definitions = schema["$defs"]
by_type = {d["properties"]["type"]["const"]: d
           for d in (definitions[r["$ref"].removeprefix("#/$defs/")] for r in schema["oneOf"])}
seen, bad = {}, []
for path in sys.argv[2:]:
    for number, line in enumerate(open(path), 1):
        record = json.loads(line)
        kind = record["type"]
        seen[kind] = seen.get(kind, 0) + 1
        bad += [f"{path}:{number}: {f}" for f in faults(record, by_type[kind], kind)]
print(*bad, sep="\n", end="\n" if bad else "")
print(*(f"{count} {kind}" for kind, count in sorted(seen.items())), sep=", ")
sys.exit(bool(bad))
