"""A token's claims for an AWS session: tags, a source identity, and roles."""

import pytest

from clients import assume, client, keys_of, refused, role_arn
from cloud import BUCKET, REPOSITORY
from sandboxes import Sandbox

SEED = REPOSITORY / "seed" / "personal-file-store.json5"
TAGS, ROLES = "https://aws.amazon.com/tags", "https://aws.amazon.com/roles"
SOURCE_IDENTITY = "https://aws.amazon.com/source_identity"


@pytest.fixture(scope="module")
def tagging(process):
    """A cloud whose company role allows tags and a source identity, and a folder for each department."""
    before, company = SEED.read_text().split('name: "personal-files-company"')
    for old, new in [
            ('"Action": "sts:AssumeRoleWithWebIdentity"',
             '"Action": ["sts:AssumeRoleWithWebIdentity", "sts:TagSession", "sts:SetSourceIdentity"]'),
            ('personal-files/${login.company.example:sub}/*', 'personal-files/${aws:PrincipalTag/department}/*'),
            ('"Condition": {"StringLike": {"s3:prefix": ["${login.company.example:sub}/*"]}}',
             '"Condition": {"StringEquals": {"aws:SourceIdentity": "alice"}}')]:
        assert company.count(old) == 1, old
        company = company.replace(old, new)
    with Sandbox.seeded(process, f'{before}name: "personal-files-company"{company}') as cloud:
        yield cloud


def department(name):
    return {TAGS: {"principal_tags": {"department": [name]}}}


def session(cloud, **claims):
    answer = assume(cloud, "company", cloud.token("company", "alice", claims=claims))
    return client(cloud, "s3", **keys_of(answer))


@pytest.mark.parametrize("claims", [department("blue"), {f"{TAGS}/principal_tags/department": "blue"}], ids=["nested", "flat"])
def test_a_tag_of_the_session_decides_what_it_may_do(tagging, claims):
    s3 = session(tagging, **claims)
    s3.put_object(Bucket=BUCKET, Key="blue/plan", Body=b"blue")
    assert s3.get_object(Bucket=BUCKET, Key="blue/plan")["Body"].read() == b"blue"
    with refused("AccessDenied", 403):
        s3.get_object(Bucket=BUCKET, Key="red/plan")


def test_without_the_tag_nothing_is_open(tagging):
    s3 = session(tagging)
    for key in ["blue/plan", "/plan", "${aws:PrincipalTag/department}/plan"]:
        with refused("AccessDenied", 403):
            s3.get_object(Bucket=BUCKET, Key=key)


def test_a_source_identity_stays_with_the_session(tagging):
    token = tagging.token("company", "alice", claims={SOURCE_IDENTITY: "alice"})
    answer = assume(tagging, "company", token)
    assert answer["SourceIdentity"] == "alice"
    client(tagging, "s3", **keys_of(answer)).list_objects_v2(Bucket=BUCKET)
    for claims in [{}, {SOURCE_IDENTITY: "bob"}]:
        with refused("AccessDenied", 403):
            session(tagging, **claims).list_objects_v2(Bucket=BUCKET)


@pytest.mark.parametrize("claims", [department("blue"), {SOURCE_IDENTITY: "alice"}], ids=["tags", "source identity"])
def test_a_role_that_does_not_take_them_is_refused(cloud, claims):
    with refused("AccessDenied", 403, "Not authorized to perform sts:AssumeRoleWithWebIdentity"):
        session(cloud, **claims)


@pytest.mark.parametrize("roles, is_named", [
    ([role_arn("company")], True), (f"{role_arn('google')};{role_arn('company')}", True), ([role_arn("google")], False),
    ([], False)])
def test_a_token_may_name_the_roles_it_is_for(tagging, roles, is_named):
    if is_named:
        assert session(tagging, **{ROLES: roles})
    else:
        with refused("InvalidIdentityToken", 400):
            session(tagging, **{ROLES: roles})


@pytest.mark.parametrize("claims", [
    {TAGS: "blue"}, {TAGS: {"principal_tags": {"department": "blue"}}}, {TAGS: {"principal_tags": {"department": ["a", "b"]}}},
    department("x" * 257), department("*"), department("${aws:userid}"), {TAGS: {"principal_tags": {"aws:x": ["y"]}}},
    {SOURCE_IDENTITY: "two words"},
    {TAGS: {"principal_tags": {}, "transitive_tag_keys": ["department"]}}])
def test_claims_of_another_form_are_refused(tagging, claims):
    with refused("InvalidIdentityToken", 400):
        session(tagging, **claims)
