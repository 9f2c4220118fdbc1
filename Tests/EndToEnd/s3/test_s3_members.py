"""The members of S3's operations in the model of AWS's newest SDK, compared with what Virga reads.

Each member of an operation that is served is sent once with a value that must change the answer or what is stored. A member that changes
neither must be in the page's table of ignored members, with the reason. Run this file alone to see what a newer SDK brings:
`pytest Tests/EndToEnd/s3/test_s3_members.py`.
"""

import re
import xml.etree.ElementTree as XML

import botocore.session
import pytest

from cloud import REPOSITORY, Cloud
from s3_requests import BODIES, Requests

TABLE = (REPOSITORY / "Sources/Faces/S3/Routing/HeaderTable.swift").read_text()
PAGE = (REPOSITORY / "Sources/Documentation/AWS.md").read_text()
SEED = """{accounts: [
  {id: "000000000000", name: "main", rootKeys: [{id: "test", secret: "test"}]},
  {id: "111111111111", name: "neighbour", email: "next@door.example", rootKeys: [{id: "neighbour", secret: "neighbour"}]}]}"""
NEIGHBOUR = {"aws_access_key_id": "neighbour", "aws_secret_access_key": "neighbour"}
INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"
# They have hosts of their own.
ELSEWHERE = {"ListDirectoryBuckets", "WriteGetObjectResponse"}

# Values that must have an effect, where any word has none.
EPOCH = "Mon, 01 Jan 2001 00:00:00 GMT"
VALUES = {
    "If-Modified-Since": "{modified}", "If-Unmodified-Since": EPOCH, "Range": "bytes=0-1", "fetch-owner": "true", "id": "!",
    "x-amz-bucket-object-lock-enabled": "true", "x-amz-bypass-governance-retention": "true", "x-amz-checksum-mode": "ENABLED",
    "x-amz-confirm-remove-self-bucket-access": "true", "x-amz-copy-source-if-modified-since": "{modified}",
    "x-amz-copy-source-if-none-match": "{object}", "x-amz-copy-source-if-unmodified-since": EPOCH, "x-amz-mfa": "serial 123456",
    "x-amz-max-parts": "1", "x-amz-object-annotation-directive": "EXCLUDE", "x-amz-optional-object-attributes": "RestoreStatus",
    "x-amz-server-side-encryption-bucket-key-enabled": "true",
    ("GetObject", "If-None-Match"): "{object}", ("HeadObject", "If-None-Match"): "{object}",
    ("UploadPart", "Content-Length"): None, ("PutObject", "Content-Length"): None,
}
REPLACED = {"x-amz-metadata-directive": "REPLACE"}
# Members that another member needs.
COMPANY = {
    "upload-id-marker": {"key-marker": "a"},
    "x-amz-server-side-encryption-bucket-key-enabled": {"x-amz-server-side-encryption": "aws:kms"},
    ("CopyObject", "x-amz-meta-a"): REPLACED, ("CopyObject", "x-amz-tagging"): {"x-amz-tagging-directive": "REPLACE"},
} | {("CopyObject", name): REPLACED for name in
     ("Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Type", "Expires")}


@pytest.fixture(scope="module")
def model():
    # A session of its own reads the model again, whatever others have done to theirs.
    return botocore.session.Session().get_service_model("s3")


@pytest.fixture(scope="module")
def sender(tmp_path_factory, environment_of_the_tests, model):
    file = tmp_path_factory.mktemp("members") / "seed.json5"
    file.write_text(SEED)
    with Cloud.ephemeral("--seed", file) as cloud:
        yield Requests(cloud, model)


@pytest.fixture(scope="module")
def served(sender, model):
    """The operations that are served. `test_s3_model.py` compares the others with the page; S3 discontinued torrents (405)."""
    operations = [name for name in model.operation_names if name not in ELSEWHERE and sender.try_out(name)[0] not in (405, 501)]
    # What differs each time would hide that a member has no effect.
    assert [name for name in operations if sender.try_out(name) != sender.try_out(name)] == []
    return operations


def rows(title):
    """The rows of a table of the page, as (operation, member, reason)."""
    section = re.search(rf"^### {title}$(.*?)^##", PAGE, re.MULTILINE | re.DOTALL)[1]
    for row in section.splitlines():
        if row.startswith("| `"):
            _, names, operations, reason, _ = row.split("|")
            yield from ((operation, name, reason.strip()) for name in re.findall("`(.*?)`", names)
                        for operation in re.findall("`(.*?)`", operations))


def listed(title):
    return {(operation, name) for operation, name, _ in rows(title)}


def leaves(shape, path=()):
    """The elements of a document that have a text, as paths of names. A path that ends in an attribute has its name last."""
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            name = member.serialization.get("name", name)
            if member.type_name == "list":
                inner = member.member
                step = (name,) if member.serialization.get("flattened") else (name, inner.serialization.get("name", "member"))
                yield from leaves(inner, path + step)
            else:
                yield from leaves(member, path + (name,))
    else:
        yield path


def changed(document, path):
    """A document with another text at a path."""
    root = XML.fromstring(document)
    element = root
    for name in path:
        if name == "xsi:type":
            element.set(INSTANCE + "type", "neither")
            return XML.tostring(root, encoding="unicode")
        child = element.find(name)
        element = XML.SubElement(element, name) if child is None else child
    element.text = "neither"
    return XML.tostring(root, encoding="unicode")


def document_of(model, operation):
    """The shape of an operation's body, if that is a document."""
    shape = model.operation_model(operation).input_shape
    payload = shape and shape.serialization.get("payload")
    if payload:
        return shape.members[payload] if shape.members[payload].type_name == "structure" else None
    return shape if operation == "SelectObjectContent" else None


def for_member(table, operation, name, otherwise):
    return table.get((operation, name), table.get(name, otherwise))


def outcome(plain, probe, path):
    """What became of a member, from the effect of a request without it and of one with it, and the path up to the part that was named."""
    if probe == plain:
        return "ignored", path
    refusal = probe[1][2] if probe[0] == 501 else ""
    # Of a condition, S3 refuses only some values, and says so.
    if "additionalMessage" not in refusal:
        for index, name in enumerate(path):
            if f"<Header>{name}</Header>" in refusal:
                return "refused", path[:index + 1]
    return "read", path


@pytest.fixture(scope="module")
def found(sender, served, model):
    """What became of each member, as sets of (operation, member)."""
    result = {"ignored": set(), "refused": set(), "read": set()}

    def note(operation, path, plain, probe):
        kind, named = outcome(plain, probe, path)
        result[kind].add((operation, ".".join(named)))

    for operation in served:
        for name in sender.members(operation).keys() - {"x-amz-request-payer"}:
            value, company = for_member(VALUES, operation, name, "neither"), for_member(COMPANY, operation, name, {})
            if value is not None:
                note(operation, (name,), sender.try_out(operation, company), sender.try_out(operation, company | {name: value}))
        shape = document_of(model, operation)
        for path in leaves(shape) if shape else []:
            probe = sender.try_out(operation, change=lambda document, path=path: changed(document, path))
            note(operation, path, sender.try_out(operation), probe)
    return result


def test_every_member_is_read_or_listed(found):
    assert found["ignored"] == listed("Ignored members")
    assert found["refused"] == listed("Refused members")


def test_the_page_has_the_table_of_headers_without_effect():
    table = re.findall(
        r'headers: \[([^\]]*)\],\s*scope: \.operations\(\[([^\]]*)\]\),\s*treatment: \.withoutEffect\("([^"]*)"\)', TABLE)
    decided = {(name, operation, reason) for names, operations, reason in table
               for name in re.findall('"(.*?)"', names) for operation in re.findall('"(.*?)"', operations)}
    told = {(name.lower(), operation, reason) for operation, name, reason in rows("Ignored members") if name.startswith("x-amz-")}
    assert told == decided


def test_every_operation_that_a_requester_can_pay_for_asks_for_consent(sender, served):
    refused = set()
    payable = {operation for operation in served if "x-amz-request-payer" in sender.members(operation)}
    for operation in payable:
        bucket = sender.bucket(operation)
        policy = BODIES["PutBucketPolicy"].replace("000000000000", "111111111111").replace("s3:GetObject", "s3:*")
        resources = policy.replace('"Resource":"arn:aws:s3:::{bucket}/*"', '"Resource":["arn:aws:s3:::{bucket}","arn:aws:s3:::{bucket}/*"]')
        sender.made("PUT", f"/{bucket}?policy", resources.format(bucket=bucket).encode())
        sender.made("PUT", f"/{bucket}?requestPayment", BODIES["PutBucketRequestPayment"].replace("BucketOwner", "Requester").encode())
        plain = sender.try_out(operation, keys=NEIGHBOUR)
        # DeleteObjects reports it for each key.
        is_refused = plain[0] == 403 or "<Code>AccessDenied</Code>" in plain[1][2]
        if is_refused and sender.try_out(operation, {"x-amz-request-payer": "requester"}, keys=NEIGHBOUR) != plain:
            refused.add(operation)
    assert refused == payable
