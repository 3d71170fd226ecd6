# A profile whose experiments take more and less time by chance.
import json
import random
import sys

chance = random.Random(1)
for text in open(sys.argv[1]):
    record = json.loads(text)
    if record["type"] == "experiment":
        scale = chance.choice((0.1, 2.1))
        record["wall"] = int(record["wall"] * scale)
        for point in record["points"]:
            if "span" in point:
                point["span"] = int(point["span"] * scale)
    print(json.dumps(record))
