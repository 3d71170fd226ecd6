"""credited.py PROFILE...: in each of them delays were inserted, and threads were credited
with them instead of pausing. One that is not credited pauses for all of them; on a machine
that others use as well a few pauses are made all the same. What one of those lasted
longer than it was to is no pause: it may be the machine's whole absence."""
import json
import sys

for profile in sys.argv[1:]:
    records = [json.loads(text) for text in open(profile)]
    last = [record for record in records if record["type"] == "snapshot"][-1]
    delay = sum(record["pause"] for record in records if record["type"] == "experiment")
    assert delay > 20_000_000, (profile, delay)
    paused = last["paused"] - last["losses"]["oversleep"]
    assert paused < delay * 2 / 3, (profile, last["paused"], paused, delay)
