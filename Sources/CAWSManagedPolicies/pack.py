#!/usr/bin/env python3
"""Packs AWS's managed policies into policies.bin.

    python3 Sources/CAWSManagedPolicies/pack.py POLICIES.json Sources/CAWSManagedPolicies/policies.bin

POLICIES.json has one member per policy, named as the policy is: {"ReadOnlyAccess": {"Path": "/", "DefaultVersionId": "v3",
"CreateDate": "2015-02-06T18:39:48+00:00", "UpdateDate": …, "Document": {…}}, …}, which are the fields that the answers of ListPolicies and
GetPolicyVersion have. After packing, run `touch Sources/CAWSManagedPolicies/policies.S`, because the build does not watch the packed file.

The format; all numbers are unsigned and little-endian:

    header   u32 number of policies, u32 number of blocks
    policy   u32 start of its name in the file, u16 length of its name, u16 number of its default version,
             u32 created, u32 updated (seconds since 1970), u32 block, u32 start and u32 length of its document in the
             expanded block
    block    u32 start in the file, u32 length, u32 length when expanded
    names    path and name of each policy, such as /service-role/AWSLambdaRole
    blocks   raw DEFLATE; expanded, the documents as JSON, one after the other

Policies are in the order of the bytes of their names.
"""

import datetime
import json
import struct
import sys
import zlib

BLOCK = 64 * 1024
ORDER = [
    "Version", "Id", "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition",
    "Statement",
]


def ordered(value):
    """Returns a document or statement with its elements in the order in which AWS writes them."""
    return {key: value[key] for key in sorted(value, key=lambda key: (ORDER.index(key) if key in ORDER else len(ORDER), key))}


def encoded(document):
    document = ordered(document)
    statements = document["Statement"]
    document["Statement"] = [ordered(one) for one in statements] if isinstance(statements, list) else ordered(statements)
    return json.dumps(document, separators=(",", ":"), ensure_ascii=True).encode()


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def deflate(data):
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return compressor.compress(data) + compressor.flush()


def pack(policies):
    entries = sorted(((policy["Path"] + name).encode(), policy) for name, policy in policies.items())
    blocks, places = [b""], []
    for _, policy in entries:
        text = encoded(policy["Document"])
        if blocks[-1] and len(blocks[-1]) + len(text) > BLOCK:
            blocks.append(b"")
        places.append((len(blocks) - 1, len(blocks[-1]), len(text)))
        blocks[-1] += text
    packed = [deflate(block) for block in blocks]

    names_start = 8 + 28 * len(entries) + 12 * len(blocks)
    blocks_start = names_start + sum(len(name) for name, _ in entries)
    output = [struct.pack("<II", len(entries), len(blocks))]
    start = names_start
    for (name, policy), place in zip(entries, places):
        version = int(policy["DefaultVersionId"].removeprefix("v"))
        created, updated = seconds(policy["CreateDate"]), seconds(policy["UpdateDate"])
        output.append(struct.pack("<IHHIIIII", start, len(name), version, created, updated, *place))
        start += len(name)
    start = blocks_start
    for block, data in zip(blocks, packed):
        output.append(struct.pack("<III", start, len(data), len(block)))
        start += len(data)
    return b"".join(output + [name for name, _ in entries] + packed)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: pack.py POLICIES.json policies.bin")
    with open(sys.argv[1], encoding="utf-8") as file:
        policies = json.load(file)
    data = pack(policies)
    with open(sys.argv[2], "wb") as file:
        file.write(data)
    print(f"{len(policies)} policies in {len(data)} bytes")


if __name__ == "__main__":
    main()
