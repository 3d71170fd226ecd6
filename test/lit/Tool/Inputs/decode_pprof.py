"""Prints a gzipped pprof profile.proto, by the format's definition alone."""
import collections
import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            assert at + value <= len(data)
            value, at = data[at:at + value], at + value
        else:
            assert key & 7 == 0
        found[key >> 3].append(value)
    return found


def packed(data):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def one(message, field):
    return message[field][0] if message[field] else 0


profile = fields(gzip.open(sys.argv[1]).read())
text = [t.decode() for t in profile[6]]
assert text[0] == ""
functions = {one(f, 1): f for f in map(fields, profile[5])}
locations = {one(l, 1): l for l in map(fields, profile[4])}
mappings = {one(m, 1): m for m in map(fields, profile[3])}
types = [(text[one(t, 1)], text[one(t, 2)]) for t in map(fields, profile[1])]
print("types", types)
for mapping in mappings.values():
    print("mapping", text[one(mapping, 5)], text[one(mapping, 6)], one(mapping, 7), one(mapping, 8), one(mapping, 9))
for sample in map(fields, profile[2]):
    values = packed(sample[2][0])
    assert len(values) == len(types)
    (place,) = packed(sample[1][0])
    location = locations[place]
    assert one(location, 2) in mappings
    line = fields(location[4][0])
    function = functions[one(line, 1)]
    print("sample", text[one(function, 4)], one(line, 2), text[one(function, 2)], text[one(function, 3)], values)
period = fields(profile[11][0])
print("time", one(profile, 9), "duration", one(profile, 10), "period", one(profile, 12), text[one(period, 1)],
      "default", text[one(profile, 14)])
