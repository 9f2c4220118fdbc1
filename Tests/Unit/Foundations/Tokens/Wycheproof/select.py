"""Selects the tests that `WycheproofSignatureTests.swift` runs from a checkout of C2SP/wycheproof: `select.py CHECKOUT`."""

import json
import pathlib
import sys

# For the one long group, which is about the padding of RSA signatures.
MOST_OF_A_GROUP = 60

document = json.loads((pathlib.Path(sys.argv[1]) / "testvectors_v1/json_web_signature_test.json").read_text())
groups = []
for group in document["testGroups"]:
    key = group.get("public") or group["private"]
    # There is no algorithm with this name (RFC 7518 section 3.1 has ES512).
    if key.get("alg") == "ES521":
        continue
    tests = [{name: test[name] for name in ("tcId", "comment", "flags", "jws", "result")}
             for test in group["tests"] if isinstance(test["jws"], str)][:MOST_OF_A_GROUP]
    groups.append({"comment": group["comment"], "key": key, "tests": tests})
text = json.dumps({"testGroups": groups}, separators=(",", ":")).replace('},{"tcId"', '},\n{"tcId"')
(pathlib.Path(__file__).parent / "json_web_signature.json").write_text(text + "\n")
