"""The control API and its OpenAPI document, checked by a validator and by a fuzzer."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from openapi_spec_validator import OpenAPIV31SpecValidator

from cloud import REPOSITORY, Cloud, clean_environment

WITHOUT_BRACES = str.maketrans("", "", "{}")
METHODS = {"get", "put", "post", "delete"}
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method"


@pytest.fixture
def fuzzed():
    """A process of its own: the fuzzer replaces its seed and changes its clock."""
    with Cloud.ephemeral("--seed", REPOSITORY / "seed" / "mobile-cloud.json5") as cloud:
        yield cloud


@pytest.fixture
def document(fuzzed):
    return fuzzed.control("GET", "openapi.json")


def operations(document):
    return {(method, path) for path, item in document["paths"].items() for method in item if method in METHODS}


def test_the_document_is_valid(fuzzed, document):
    OpenAPIV31SpecValidator(document).validate()
    assert document["info"]["version"] == fuzzed.control("GET", "")["version"] != ""
    identifiers = [document["paths"][path][method]["operationId"] for method, path in operations(document)]
    assert len(set(identifiers)) == len(identifiers)


def test_the_list_and_the_document_name_the_same_calls(fuzzed, document):
    calls = fuzzed.control("GET", "")["calls"]
    assert {(call["method"].lower(), call["path"].removeprefix("/_virga")) for call in calls} == operations(document)
    assert len(calls) == len(operations(document))
    for call in calls:
        assert document["paths"][call["path"].removeprefix("/_virga")][call["method"].lower()]["summary"] == call["purpose"]


def test_a_control_token_guards_all_but_three_calls():
    with Cloud.ephemeral("--control-token", "secret") as cloud:
        assert requests.get(f"{cloud.url}/_virga/openapi.json").status_code == 401
        document = requests.get(f"{cloud.url}/_virga/openapi.json", headers={"Authorization": "Bearer secret"}).json()
        paths = document["paths"]
        is_open = {path for method, path in operations(document) if "security" not in paths[path][method]}
        assert is_open == {"/health", "/ready", "/ca.pem"}
        for method, path in operations(document):
            answer = requests.request(method, f"{cloud.url}/_virga{path.translate(WITHOUT_BRACES)}")
            assert (answer.status_code == 401) == (path not in is_open), (method, path)


def fuzz(cloud, document, folder, parameters=(), without=()):
    """Runs schemathesis; fails with its output.

    :param parameters: pairs of a regular expression of paths, and the value of each parameter there.
    :param without: paths that are left out.
    """
    document["paths"] = {path: item for path, item in document["paths"].items() if path not in without}
    description = folder / "openapi.json"
    description.write_text(json.dumps(document))
    configuration = folder / "schemathesis.toml"
    configuration.write_text("".join(
        f"[[operations]]\ninclude-path-regex = '{paths}'\n[operations.parameters]\n"
        + "".join(f"{json.dumps('path.' + name)} = {json.dumps(value)}\n" for name, value in values.items())
        for paths, values in parameters))
    result = subprocess.run(
        [Path(sys.executable).with_name("schemathesis"), "--config-file", configuration, "run", description,
         "--url", f"{cloud.url}/_virga", "--checks", CHECKS, "--phases", "coverage,fuzzing,stateful",
         "--max-examples", "20", "--seed", "1", "--generation-deterministic", "--no-color"],
        capture_output=True, text=True, cwd=folder, env=clean_environment())
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"Tested: {len(operations(document))}" in result.stdout
    assert requests.get(f"{cloud.url}/_virga/health").json() == {"status": "ok"}


def test_the_fuzzer_finds_nothing(fuzzed, document, tmp_path):
    # A drained process creates no sandboxes, which is an error of the server.
    fuzz(fuzzed, document, tmp_path, without=["/drain"])


def test_the_fuzzer_finds_nothing_about_what_is_there(fuzzed, document, tmp_path):
    """Paths contain names of the seed, so that responses are not only 404."""
    # The fuzzer does not encode the slashes of the names.
    fuzzed.control("PUT", "mobile/saml-issuers/company", {"name": "company", "certificateSubjectNames": ["CN=company"]})
    known = []
    for segment, member, key in [
        ("backends", "backends", None), ("realms", "realms", None), ("apis", "apis", None), ("certificates", "certificates", "alias"),
        ("saml-issuers", "samlIssuers", "name"), ("team-members", "teamMembers", "name"), ("collections", "collections", "id"),
    ]:
        parts = fuzzed.control("GET", f"mobile/{segment}")[member]
        assert parts, f"the seed has no {segment}"
        name = parts[-1][key] if key else f"{parts[0]['name']}({parts[0].get('version', '1.0')})"
        values = {"name": name}
        if segment == "realms":
            values |= {"realm": name}
            known.append(("^/mobile/realms/.*/users/", {"realm": name, "name": parts[0]["users"][0]["username"]}))
            known.append(("^/mobile/realms/.*/users$", {"realm": name}))
            known.append(("^/mobile/realms/[^/]*$", {"name": name}))
        else:
            known.append((f"^/mobile/{segment}/", values))
    known.append(("^/providers/[^/]*/service-providers", {"name": "ridgeline"}))
    known.append(("^/providers/[^/]*/apps", {"name": "facebook"}))
    known.append(("^/providers/[^/]*/(people|clients|sessions)$", {"name": "company"}))
    known.append(("^/providers/[^/]*/people/", {"name": "company", "id": "alice"}))
    # What is counted below must stay in the journal.
    fuzz(fuzzed, document, tmp_path, known, without=["/seed", "/journal", "/journal/capture", "/drain"])
    found = [entry["status"] for entry in fuzzed.control("GET", "journal?path=/_virga/mobile/&limit=1000")["entries"]]
    assert found.count(200) > 50, found
