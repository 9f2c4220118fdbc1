#!/usr/bin/env python3
"""Refreshes AWS's managed policies and the index that the executable finds them by.

    Sources/Foundations/CAWSManagedPolicies/refresh.py aws               asks IAM, with boto3 and the AWS credentials of the caller
    Sources/Foundations/CAWSManagedPolicies/refresh.py moto [VERSION]    takes the list in the Python package moto, which was recorded from IAM
    Sources/Foundations/CAWSManagedPolicies/refresh.py index             writes index and documents again after a policy was edited, added or removed
    Sources/Foundations/CAWSManagedPolicies/refresh.py check             exits with 1 if index or documents do not fit the policies

`policies/NAME.json` is one policy: PolicyName, Path, DefaultVersionId, CreateDate, UpdateDate and Document, as ListPolicies and
GetPolicyVersion return them. `source.json` says where the policies are from and when they were fetched. A policy that the source does not
have stays and is listed there; delete its file if AWS has withdrawn it, then run `refresh.py index`.

`index.inc` and `documents.deflate` are generated. The index has an entry for each policy, in the order of the bytes of path and name. The
documents are in the same order, compressed in groups.
"""

import argparse
import datetime
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
POLICIES = HERE / "policies"
SOURCE = HERE / "source.json"
INDEX = HERE / "index.inc"
DOCUMENTS = HERE / "documents.deflate"

# How many documents are compressed together: more of them are smaller, and a lookup expands all of its group.
GROUP = 8
ELEMENTS = [
    "Version", "Id", "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition",
    "Statement",
]


def in_order(elements):
    """Returns a document or statement with its elements in the order in which AWS writes them."""
    return dict(sorted(elements.items(), key=lambda item: ELEMENTS.index(item[0]) if item[0] in ELEMENTS else len(ELEMENTS)))


def ordered(document):
    document = in_order(document)
    statements = document["Statement"]
    document["Statement"] = [in_order(one) for one in statements] if isinstance(statements, list) else in_order(statements)
    return document


def date(value):
    """Returns a date as AWS writes it in JSON, such as 2015-02-06T18:40:59Z."""
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def record(name, policy):
    return {
        "PolicyName": name, "Path": policy["Path"], "DefaultVersionId": policy["DefaultVersionId"],
        "CreateDate": date(policy["CreateDate"]), "UpdateDate": date(policy["UpdateDate"]), "Document": ordered(policy["Document"])}


def from_aws():
    """Returns the source's name and the policies that IAM lists."""
    import boto3

    iam = boto3.client("iam")
    policies = {}
    for page in iam.get_paginator("list_policies").paginate(Scope="AWS"):
        for policy in page["Policies"]:
            version = iam.get_policy_version(PolicyArn=policy["Arn"], VersionId=policy["DefaultVersionId"])["PolicyVersion"]
            policies[policy["PolicyName"]] = policy | {"Document": version["Document"]}
    return "AWS IAM, ListPolicies and GetPolicyVersion", policies


def from_moto(version):
    """Returns the source's name and the policies in a release of moto; the newest one without a version."""
    wanted = f"moto=={version}" if version else "moto"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", folder, wanted],
            check=True)
        wheel = next(Path(folder).glob("moto-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            text = archive.read("moto/iam/aws_managed_policies.py").decode()
        release = wheel.name.split("-")[1]
    policies = json.loads(text.split('"""')[1])
    return f"moto {release}, moto/iam/aws_managed_policies.py, recorded from AWS IAM", policies


def store(source, policies):
    """Writes the policies, and where they are from."""
    POLICIES.mkdir(exist_ok=True)
    for name, policy in policies.items():
        text = json.dumps(record(name, policy), indent=2, ensure_ascii=True) + "\n"
        (POLICIES / f"{name}.json").write_text(text)
    kept = sorted(file.stem for file in POLICIES.glob("*.json") if file.stem not in policies)
    about = {"Source": source, "Fetched": datetime.date.today().isoformat(), "NotInSource": kept}
    SOURCE.write_text(json.dumps(about, indent=2) + "\n")
    print(f"{len(policies)} policies from {source}; not in it: {', '.join(kept) or 'none'}")


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def groups(policies):
    """Returns the documents of each group, one a line."""
    lines = [json.dumps(policy["Document"], separators=(",", ":")).encode() + b"\n" for _, policy, _ in policies]
    return [b"".join(lines[start:start + GROUP]) for start in range(0, len(lines), GROUP)]


def compressed(text):
    compressor = zlib.compressobj(level=9, wbits=-15)
    return compressor.compress(text) + compressor.flush()


def in_order_of_names():
    """Returns path and name, record and digest of each policy, in the order of the index."""
    policies = []
    for file in POLICIES.iterdir():
        policy = json.loads(file.read_bytes())
        if file.stem != policy.get("PolicyName") or file.suffix != ".json":
            sys.exit(f"refresh.py: policies/{file.name} must be named as its PolicyName, with .json at the end")
        policies.append((policy["Path"] + policy["PolicyName"], policy, hashlib.sha256(file.read_bytes()).hexdigest()[:16]))
    return sorted(policies, key=lambda entry: entry[0].encode())


def index(policies, sizes):
    """Returns the text of the index that fits the policies and the sizes of their groups, compressed and not."""
    # A build sees a changed policy by its digest here, because it does not watch the file that the assembler includes.
    lines = [f"// Generated by refresh.py: {len(policies)} policies, in the order of path and name.", f"count {len(policies)}", ""]
    for place, (path_and_name, policy, digest) in enumerate(policies):
        version = int(policy["DefaultVersionId"].removeprefix("v"))
        created, updated = seconds(policy["CreateDate"]), seconds(policy["UpdateDate"])
        lines.append(f"entry {place}, {version}, {created}, {updated} // {path_and_name} {digest}")
    lines += ["", *(f"name {place}, {path_and_name}" for place, (path_and_name, _, _) in enumerate(policies))]
    lines += ["", f"groups {GROUP}"]
    start = 0
    for size, count in sizes:
        lines.append(f"group {start}, {size}, {count}")
        start += size
    return "\n".join(lines) + "\n"


def write():
    policies = in_order_of_names()
    texts = groups(policies)
    parts = [compressed(text) for text in texts]
    DOCUMENTS.write_bytes(b"".join(parts))
    INDEX.write_text(index(policies, [(len(part), len(text)) for part, text in zip(parts, texts)]))


def check():
    """Ends the program with 1 if the index or the documents do not fit the policies."""
    # Versions of zlib compress differently, so the expanded documents are compared.
    policies = in_order_of_names()
    rest, sizes = DOCUMENTS.read_bytes() if DOCUMENTS.is_file() else b"", []
    for text in groups(policies):
        expander = zlib.decompressobj(wbits=-15)
        try:
            fits = expander.decompress(rest) == text and expander.eof
        except zlib.error:
            fits = False
        if not fits:
            sys.exit("refresh.py: documents.deflate does not fit the files of policies/; run Sources/Foundations/CAWSManagedPolicies/refresh.py index")
        sizes.append((len(rest) - len(expander.unused_data), len(text)))
        rest = expander.unused_data
    if rest or not INDEX.is_file() or INDEX.read_text() != index(policies, sizes):
        sys.exit("refresh.py: index.inc does not fit the files of policies/; run Sources/Foundations/CAWSManagedPolicies/refresh.py index")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("command", choices=["aws", "moto", "index", "check"])
    parser.add_argument("version", nargs="?", help="a release of moto")
    options = parser.parse_args()
    if options.command == "check":
        check()
        return
    if options.command == "aws":
        store(*from_aws())
    elif options.command == "moto":
        store(*from_moto(options.version))
    write()


if __name__ == "__main__":
    main()
