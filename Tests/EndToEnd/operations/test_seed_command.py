"""`virga seed`, seeds from variables, and seeds by the control API."""

import base64
import json
import subprocess

import json5
import jsonschema
import pytest
import requests

from clients import client
from cloud import REPOSITORY, Cloud, clean_environment, executable

TEST_KEYS = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
BROKEN = REPOSITORY / "Tests" / "EndToEnd" / "broken_seeds"
SEEDS = sorted((REPOSITORY / "seed").glob("*.json5"))


def virga(*arguments, given="", cwd=None, **variables):
    return subprocess.run(
        [executable(), *map(str, arguments)], input=given, capture_output=True, text=True, cwd=cwd,
        env=clean_environment(**variables))


@pytest.mark.parametrize("name", sorted(path.stem for path in BROKEN.glob("*.json5")))
def test_check_lists_all_faults_with_their_positions(name):
    result = virga("seed", "check", f"{name}.json5", cwd=BROKEN)
    assert result.stderr == (BROKEN / f"{name}.txt").read_text()
    assert (result.stdout, result.returncode) == ("", 1)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.stem)
def test_check_accepts_every_seed_of_the_repository(seed):
    result = virga("seed", "check", seed)
    assert (result.stdout, result.stderr, result.returncode) == (f"{seed}: no faults\n", "", 0)
    result = virga("seed", "check", "--quiet", seed)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


def test_check_prints_control_characters_percent_encoded(tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text('{ accounts: [{ id: "1\x1b[2J\u202e" }] }')
    result = virga("seed", "check", seed)
    assert result.stderr == (
        f"{seed}:1:20: error: accounts[0].id: found '1%1B[2J%E2%80%AE'; expected an account id of twelve digits\n")


def test_check_lists_a_hundred_faults_and_counts_the_others(tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text("{" + "regions: 'any',\n" * 2002 + "}")
    result = virga("seed", "check", seed)
    lines = result.stderr.splitlines()
    assert (len(lines), lines[-1], result.returncode) == (101, "and 1901 more", 1)


@pytest.mark.parametrize("key, expected", [
    ("accounts: [{ id: '000000000000', oidcProviders: [] }]", "openIDConnectProviders"),
    ("accounts: [{ id: '000000000000', people: [] }]", "users"),
    ("identityProviders: [{ name: 'google', users: [] }]", "people"),
])
def test_check_suggests_the_key_for_another_common_name(key, expected):
    result = virga("seed", "check", "-", given=f"{{ {key} }}")
    assert result.stderr.endswith(f"(did you mean '{expected}'?)\n")


def test_check_reads_standard_input():
    result = virga("seed", "check", "-", given="{ acounts: [] }")
    assert result.returncode == 1
    assert result.stderr.startswith("standard input:1:3: error: acounts: unknown key 'acounts'; expected one of the keys accounts, ")
    assert result.stderr.endswith("(did you mean 'accounts'?)\n")


def test_check_judges_several_files_as_layers(tmp_path):
    first = tmp_path / "first.json5"
    second = tmp_path / "second.json5"
    first.write_text('{ accounts: [{ id: "111122223333", groups: [{ name: "readers" }] }] }')
    second.write_text('{ accounts: [{ id: "111122223333", users: [{ name: "alice", groups: ["readers"] }] }] }')
    assert virga("seed", "check", first, second).returncode == 0
    alone = virga("seed", "check", second)
    assert alone.returncode == 1
    assert alone.stderr == (
        f"{second}:1:70: error: accounts[0].users[0].groups[0]: unknown name 'readers'; "
        "expected a group name of the account\n")


def test_check_without_a_file_is_a_usage_error():
    assert virga("seed", "check").returncode == 64
    assert virga("seed", "check", "x", "--dialect", "azure").returncode == 64


def test_check_names_a_file_that_cannot_be_read():
    result = virga("seed", "check", "/nowhere.json5")
    assert result.returncode == 1
    assert result.stderr == "/nowhere.json5: error: expected a readable file (No such file or directory)\n"


def test_serve_prints_the_same_faults_and_opens_nothing(tmp_path):
    folder = tmp_path / "data"
    result = virga("serve", "--port", 0, "--data", folder, "--seed", "many_faults.json5", cwd=BROKEN)
    assert (result.stdout, result.returncode) == ("", 1)
    assert result.stderr == (BROKEN / "many_faults.txt").read_text()
    assert not folder.exists()


def test_serve_takes_a_seed_from_a_variable():
    seed = '{ accounts: [{ id: "111122223333", rootKeys: [{ id: "test", secret: "test" }], buckets: [{ name: "from-variable" }] }] }'
    with Cloud.ephemeral(VIRGA_SEED_JSON=seed) as cloud:
        names = [b["Name"] for b in client(cloud, "s3", **TEST_KEYS).list_buckets()["Buckets"]]
        assert names == ["from-variable"]
    result = virga("serve", "--port", 0, VIRGA_SEED_JSON="{ acounts: [] }")
    assert result.returncode == 1
    assert result.stderr.startswith("VIRGA_SEED_JSON:1:3: error: acounts: ")


def test_a_faulty_seed_by_the_control_api_changes_nothing():
    with Cloud.ephemeral() as cloud:
        before = requests.get(f"{cloud.url}/_virga/seed").json()
        answer = requests.put(f"{cloud.url}/_virga/seed", data='{ accounts: [{ id: "1" }],\n  regoins: "any" }')
        assert answer.status_code == 400
        body = answer.json()
        assert (body["error"], body["message"]) == ("invalid_seed", "The seed has 2 faults. Nothing was changed.")
        assert [(f["line"], f["column"], f["path"]) for f in body["faults"]] == [(1, 20, "accounts[0].id"), (2, 3, "regoins")]
        assert body["faults"][0]["message"] == "found '1'; expected an account id of twelve digits"
        assert requests.get(f"{cloud.url}/_virga/seed").json() == before


def test_a_seed_by_the_control_api_replaces_the_cloud_for_later_resets_as_well():
    seed = '{ accounts: [{ id: "111122223333", rootKeys: [{ id: "test", secret: "test" }], buckets: [{ name: "from-put" }] }] }'
    with Cloud.ephemeral() as cloud:
        answer = requests.put(f"{cloud.url}/_virga/seed", data=seed)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        s3 = client(cloud, "s3", **TEST_KEYS)
        s3.create_bucket(Bucket="another")
        cloud.reset()
        assert [b["Name"] for b in s3.list_buckets()["Buckets"]] == ["from-put"]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.stem)
def test_an_exported_cloud_fills_a_cloud_that_exports_the_same(seed, tmp_path):
    with Cloud.ephemeral("--seed", seed) as cloud:
        first = virga("seed", "export", VIRGA_ENDPOINT=cloud.url)
    assert first.returncode == 0
    # Of the passwords of a user pool, only verifiers are kept.
    kept = [line for line in first.stderr.splitlines() if not line.endswith(": the password, of which only a verifier is known")]
    assert not kept
    assert bool(first.stderr) == (seed.stem == "user-pools")
    exported = tmp_path / "exported.json5"
    exported.write_text(first.stdout)
    assert virga("seed", "check", exported).stderr == ""
    with Cloud.ephemeral("--seed", exported) as cloud:
        assert virga("seed", "export", VIRGA_ENDPOINT=cloud.url).stdout == first.stdout


def test_export_has_what_was_made_since_the_start():
    with Cloud.ephemeral(VIRGA_SEED_JSON='{ accounts: [{ id: "111122223333", rootKeys: [{ id: "test", secret: "test" }] }] }') as cloud:
        s3 = client(cloud, "s3", **TEST_KEYS)
        s3.create_bucket(Bucket="notes")
        s3.put_object(Bucket="notes", Key="a.txt", Body=b"text", ContentType="text/plain", Metadata={"made": "later"})
        s3.put_object(Bucket="notes", Key="b.bin", Body=b"\xff\x00")
        s3.put_object(Bucket="notes", Key="long.txt", Body=b"a" * 65_537)
        client(cloud, "iam", **TEST_KEYS).create_user(UserName="bob", Tags=[{"Key": "team", "Value": "one"}])
        result = virga("seed", "export", VIRGA_ENDPOINT=cloud.url)
    [account] = json.loads(result.stdout)["accounts"]
    [bucket] = account["buckets"]
    assert bucket["objects"][0] == {"key": "a.txt", "text": "text", "contentType": "text/plain", "metadata": {"made": "later"}}
    assert base64.b64decode(bucket["objects"][1]["base64"]) == b"\xff\x00"
    assert [object["key"] for object in bucket["objects"]] == ["a.txt", "b.bin"]
    assert account["users"] == [{"name": "bob", "tags": {"team": "one"}}]
    assert "left out: bucket notes: 1 object of more than 64 KiB\n" in result.stderr


def test_a_bucket_of_a_seed_has_tags():
    account = {"id": "111122223333", "rootKeys": [{"id": "test", "secret": "test"}], "buckets": [{"name": "notes", "tags": {"team": "one"}}]}
    with Cloud.ephemeral(VIRGA_SEED_JSON=json.dumps({"accounts": [account]})) as cloud:
        s3 = client(cloud, "s3", **TEST_KEYS)
        assert s3.get_bucket_tagging(Bucket="notes")["TagSet"] == [{"Key": "team", "Value": "one"}]
        result = virga("seed", "export", VIRGA_ENDPOINT=cloud.url)
        assert json.loads(result.stdout)["accounts"][0]["buckets"][0]["tags"] == {"team": "one"}
        assert result.stderr == ""


DETAILS = {
    "UserDetailList": [
        {"Path": "/", "UserName": "alice", "UserId": "AIDA1", "Arn": "arn:aws:iam::111122223333:user/alice",
         "GroupList": ["readers", "gone"], "AttachedManagedPolicies": [
             {"PolicyName": "ReadOnlyAccess", "PolicyArn": "arn:aws:iam::aws:policy/ReadOnlyAccess"}],
         "PermissionsBoundary": {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": "arn:aws:iam::111122223333:policy/team/Limit"},
         "Tags": [{"Key": "team", "Value": "one"}]}],
    "GroupDetailList": [
        {"Path": "/", "GroupName": "readers", "Arn": "arn:aws:iam::111122223333:group/readers", "AttachedManagedPolicies": [
            {"PolicyName": "Gone", "PolicyArn": "arn:aws:iam::111122223333:policy/Gone"}],
         "GroupPolicyList": [{"PolicyName": "List", "PolicyDocument": {
             "Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:List*", "Resource": "*"}]}}]}],
    "RoleDetailList": [
        {"Path": "/", "RoleName": "Reader", "Arn": "arn:aws:iam::111122223333:role/Reader",
         "AssumeRolePolicyDocument": "%7B%22Version%22%3A%222012-10-17%22%2C%22Statement%22%3A%5B%7B%22Effect%22%3A%22Allow%22%2C"
         "%22Principal%22%3A%7B%22Service%22%3A%22ec2.amazonaws.com%22%7D%2C%22Action%22%3A%22sts%3AAssumeRole%22%7D%5D%7D",
         "InstanceProfileList": [{"InstanceProfileName": "Reader", "Path": "/"}], "RolePolicyList": [], "AttachedManagedPolicies": []}],
    "Policies": [
        {"PolicyName": "Limit", "Arn": "arn:aws:iam::111122223333:policy/team/Limit", "Path": "/team/", "PolicyVersionList": [
            {"VersionId": "v2", "IsDefaultVersion": True, "Document": {
                "Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}},
            {"VersionId": "v1", "IsDefaultVersion": False, "Document": {}}]}],
}


def test_import_makes_a_seed_of_an_account(tmp_path):
    result = virga("seed", "import", given=json.dumps(DETAILS))
    assert result.returncode == 0, result.stderr
    assert result.stderr == (
        "left out: policy Limit: 1 of 2 versions; only the default version is kept\n"
        "left out: group readers: attached policy arn:aws:iam::111122223333:policy/Gone, which Virga does not have\n"
        "left out: user alice: membership of group gone, which the document does not have\n")
    [account] = json.loads(result.stdout)["accounts"]
    assert account["id"] == "111122223333"
    assert account["users"] == [{
        "name": "alice", "attachedPolicies": ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
        "boundary": "arn:aws:iam::111122223333:policy/team/Limit", "groups": ["readers"], "tags": {"team": "one"}}]
    assert account["roles"][0]["trustPolicy"]["Statement"][0]["Principal"] == {"Service": "ec2.amazonaws.com"}
    assert account["instanceProfiles"] == [{"name": "Reader", "role": "Reader"}]
    seed = tmp_path / "seed.json5"
    seed.write_text(result.stdout)
    assert virga("seed", "check", seed).stderr == ""


def test_import_refuses_other_documents():
    assert virga("seed", "import", given="{").returncode == 1
    result = virga("seed", "import", given="{}")
    assert result.returncode == 1
    assert "standard input: expected an object with UserDetailList, GroupDetailList, RoleDetailList, Policies" in result.stderr


# The JSON Schema.

# Broken seeds with a fault of structure. The faults of the others are in the JSON5 text, in policies, names or references.
STRUCTURAL = [
    "account_id_too_short", "account_id_missing", "account_id_number", "bucket_name_upper_case", "event_target", "facebook_former_name",
    "facebook_value", "issuer_over_http", "kind_unknown", "list_for_object", "many_faults", "not_an_object", "null_value",
    "ownership_unknown", "path_without_slash", "session_duration", "thumbprint",
]


@pytest.fixture(scope="module")
def schema():
    result = virga("seed", "schema")
    assert (result.stderr, result.returncode) == ("", 0)
    document = json.loads(result.stdout)
    jsonschema.Draft202012Validator.check_schema(document)
    return document


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.stem)
def test_the_schema_accepts_every_seed_of_the_repository(schema, seed):
    faults = jsonschema.Draft202012Validator(schema).iter_errors(json5.loads(seed.read_text()))
    assert [f"{fault.json_path}: {fault.message}" for fault in faults] == []


@pytest.mark.parametrize("name", STRUCTURAL)
def test_the_schema_rejects_structural_faults(schema, name):
    assert not jsonschema.Draft202012Validator(schema).is_valid(json5.loads((BROKEN / f"{name}.json5").read_text()))


def test_the_schema_beside_the_pages_is_the_printed_one(schema):
    published = REPOSITORY / "Sources" / "Documentation" / "seed.schema.json"
    assert json.loads(published.read_text()) == schema, "write it again: virga seed schema > seed.schema.json"


def objects(schema, path=()):
    """The objects of a schema with known keys: path and schema of each."""
    if schema.get("additionalProperties") is False:
        yield path, schema
        for key, value in schema["properties"].items():
            yield from objects(value, (*path, key))
    if "items" in schema:
        yield from objects(schema["items"], (*path, 0))
    for choice in schema.get("anyOf", []):
        yield from objects(choice, path)


def holding(path, value):
    for step in reversed(path):
        value = [value] if step == 0 else {step: value}
    return value


def test_the_schema_knows_the_keys_that_the_server_knows(schema):
    found = list(objects(schema))
    assert len(found) > 50
    for path, part in found:
        assert part["title"] and all(key["description"] for key in part["properties"].values())
        result = virga("seed", "check", "-", given=json.dumps(holding(path, {"zzz": 1})))
        [keys] = [
            line.split("expected one of the keys ")[1] for line in result.stderr.splitlines() if ": unknown key 'zzz'; " in line]
        assert sorted(keys.split(", ")) == sorted(part["properties"]), path


# Data from an earlier start.


def test_a_start_on_data_of_another_seed_says_so(tmp_path):
    first, second = tmp_path / "first.json5", tmp_path / "second.json5"
    first.write_text('{ accounts: [{ id: "111122223333" }] }')
    second.write_text('{ accounts: [{ id: "444455556666" }] }')
    folder = tmp_path / "data"

    def start(seed):
        result = virga(
            "serve", "--port", 0, "--data", folder, "--seed", seed, "--on-ready", "exit 3")
        assert result.returncode == 1
        return result.stderr

    warning = "The data comes from other seeds."
    assert warning not in start(first)
    assert warning not in start(first)
    assert f"{warning} They stay in effect until POST /_virga/reset" in start(second)
    assert warning not in start(first)
