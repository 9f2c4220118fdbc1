"""From a provider's token to objects: AssumeRoleWithWebIdentity and policies with the user's subject."""

import json

import boto3
import pytest
import requests

from clients import (
    PROVIDER_IDS, anonymous, assume, client, keys_of, refused, role_arn, session)
from cloud import ACCOUNT, BUCKET

PROVIDERS = ["company", "google", "facebook", "amazon"]
OPENID_PROVIDERS = ["company", "google"]
PROVIDER_NAMES = {
    "company": f"arn:aws:iam::{ACCOUNT}:oidc-provider/login.company.example", "google": "accounts.google.com",
    "facebook": "graph.facebook.com", "amazon": "www.amazon.com"}
NOT_AUTHORIZED = "Not authorized to perform sts:AssumeRoleWithWebIdentity"


@pytest.mark.parametrize("provider", OPENID_PROVIDERS)
def test_boto3_finds_its_session_from_the_role_and_the_token_file(cloud, provider, tmp_path, monkeypatch):
    issued = cloud.issue(provider, "alice")
    token_file = tmp_path / "token"
    token_file.write_text(issued["token"])
    monkeypatch.setenv("AWS_ROLE_ARN", role_arn(provider))
    monkeypatch.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", str(token_file))
    monkeypatch.setenv("AWS_ROLE_SESSION_NAME", "app1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", cloud.url)
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")

    s3 = boto3.Session().client("s3")
    s3.put_object(Bucket=BUCKET, Key=f"{issued['subject']}/note.txt", Body=b"mine")

    assert s3.get_object(Bucket=BUCKET, Key=f"{issued['subject']}/note.txt")["Body"].read() == b"mine"
    arn = boto3.Session().client("sts").get_caller_identity()["Arn"]
    assert arn == f"arn:aws:sts::{ACCOUNT}:assumed-role/personal-files-{provider}/app1"


def test_a_trust_policy_knows_people_by_the_subjects_of_an_application(cloud):
    """OpenID Connect Core 1.0 section 8.1: STS sees the subject that the application sees."""
    application = requests.post(f"{cloud.url}/idp/company/register", json={
        "redirect_uris": ["https://pairs.example/callback"], "subject_type": "pairwise"}).json()
    alice, bob = (cloud.issue("company", name, client=application["client_id"]) for name in ["alice", "bob"])
    assert alice["subject"] not in [bob["subject"], cloud.issue("company", "alice")["subject"]]
    iam = client(cloud, "iam")
    iam.add_client_id_to_open_id_connect_provider(
        OpenIDConnectProviderArn=PROVIDER_NAMES["company"], ClientID=application["client_id"])
    role = iam.create_role(RoleName="alice-only", AssumeRolePolicyDocument=json.dumps({
        "Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Principal": {"Federated": PROVIDER_NAMES["company"]}, "Action": "sts:AssumeRoleWithWebIdentity",
            "Condition": {"StringEquals": {"login.company.example:sub": alice["subject"]}}}]}))["Role"]["Arn"]

    assert assume(cloud, "company", alice["token"], RoleArn=role)["SubjectFromWebIdentityToken"] == alice["subject"]
    for other in [bob["token"], cloud.token("company", "alice")]:
        with refused("AccessDenied", 403, NOT_AUTHORIZED):
            assume(cloud, "company", other, RoleArn=role)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_answer_names_subject_audience_provider_and_role(cloud, provider):
    issued = cloud.issue(provider, "alice")
    answer = assume(cloud, provider, issued["token"])

    assert answer["SubjectFromWebIdentityToken"] == issued["subject"]
    assert answer["Audience"] == issued["client"]
    assert answer["Provider"] == PROVIDER_NAMES[provider]
    role, name = answer["AssumedRoleUser"]["AssumedRoleId"].split(":")
    assert role.startswith("AROA") and name == "tester"
    assert answer["AssumedRoleUser"]["Arn"] == f"arn:aws:sts::{ACCOUNT}:assumed-role/personal-files-{provider}/tester"
    assert answer["Credentials"]["AccessKeyId"].startswith("ASIA")
    assert 0 <= answer["PackedPolicySize"] <= 100


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_session_lasts_as_long_as_asked_for_and_an_hour_otherwise(cloud, provider):
    moment = cloud.freeze()
    token = cloud.token(provider, "alice")
    for asked, expected in [(None, 3600), (900, 900)]:
        assert assume(cloud, provider, token, DurationSeconds=asked)["Credentials"]["Expiration"].timestamp() == moment + expected


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_person_works_on_their_own_objects(cloud, provider):
    s3, subject = session(cloud, provider, "alice")

    s3.put_object(Bucket=BUCKET, Key=f"{subject}/letters/first.txt", Body=b"hello", ContentType="text/plain")

    assert s3.get_object(Bucket=BUCKET, Key=f"{subject}/letters/first.txt")["Body"].read() == b"hello"
    listed = s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")
    assert f"{subject}/letters/first.txt" in [entry["Key"] for entry in listed["Contents"]]
    s3.delete_object(Bucket=BUCKET, Key=f"{subject}/letters/first.txt")
    assert "Contents" not in s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/letters/")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_another_persons_objects_are_out_of_reach(cloud, provider):
    alice, _ = session(cloud, provider, "alice")
    bob, of_bob = session(cloud, provider, "bob")
    bob.put_object(Bucket=BUCKET, Key=f"{of_bob}/diary.txt", Body=b"private")

    with refused("AccessDenied", 403, "s3:GetObject"):
        alice.get_object(Bucket=BUCKET, Key=f"{of_bob}/diary.txt")
    with refused("AccessDenied", 403, "s3:PutObject"):
        alice.put_object(Bucket=BUCKET, Key=f"{of_bob}/diary.txt", Body=b"overwritten")
    with refused("AccessDenied", 403, "s3:DeleteObject"):
        alice.delete_object(Bucket=BUCKET, Key=f"{of_bob}/diary.txt")
    with refused("AccessDenied", 403, "s3:ListBucket"):
        alice.list_objects_v2(Bucket=BUCKET, Prefix=f"{of_bob}/")
    with refused("403", 403):
        alice.head_object(Bucket=BUCKET, Key=f"{of_bob}/diary.txt")
    with refused("AccessDenied", 403):
        alice.copy_object(Bucket=BUCKET, Key="mine", CopySource={"Bucket": BUCKET, "Key": f"{of_bob}/diary.txt"})
    assert bob.get_object(Bucket=BUCKET, Key=f"{of_bob}/diary.txt")["Body"].read() == b"private"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_listing_without_the_own_prefix_is_refused(cloud, provider):
    s3, subject = session(cloud, provider, "alice")
    with refused("AccessDenied", 403, "s3:ListBucket"):
        s3.list_objects_v2(Bucket=BUCKET)
    with refused("AccessDenied", 403, "s3:ListBucket"):
        s3.list_objects(Bucket=BUCKET, Prefix=subject[:-1])
    with refused("AccessDenied", 403, "s3:ListAllMyBuckets"):
        s3.list_buckets()


def test_a_missing_object_looks_forbidden_to_whoever_may_not_list(cloud):
    # The role allows listing only under a prefix, and a request for an object has none.
    s3, subject = session(cloud, "company", "alice")
    for key in f"{subject}/missing", "elsewhere/missing":
        with refused("AccessDenied", 403):
            s3.get_object(Bucket=BUCKET, Key=key)
    with refused("NoSuchKey", 404):
        client(cloud, "s3").get_object(Bucket=BUCKET, Key=f"{subject}/missing")


def test_the_same_name_at_two_providers_is_two_people(cloud):
    with_company, of_company = session(cloud, "company", "alice")
    with_google, of_google = session(cloud, "google", "alice")
    assert of_company != of_google
    with_company.put_object(Bucket=BUCKET, Key=f"{of_company}/x", Body=b"company")
    with refused("AccessDenied", 403):
        with_google.get_object(Bucket=BUCKET, Key=f"{of_company}/x")


def test_a_session_policy_narrows_the_role(cloud):
    s3, subject = session(cloud, "company", "alice")
    s3.put_object(Bucket=BUCKET, Key=f"{subject}/note", Body=b"text")
    narrowed, _ = session(cloud, "company", "alice", Policy=json.dumps({
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"}]}))

    assert narrowed.get_object(Bucket=BUCKET, Key=f"{subject}/note")["Body"].read() == b"text"
    with refused("AccessDenied", 403, "session policy"):
        narrowed.put_object(Bucket=BUCKET, Key=f"{subject}/note", Body=b"other")


def test_a_session_policy_may_deny_and_use_the_persons_variables(cloud):
    statements = [
        {"Effect": "Allow", "Action": "s3:*", "Resource": f"arn:aws:s3:::{BUCKET}/${{login.company.example:sub}}/*"},
        {"Effect": "Deny", "Action": "s3:DeleteObject", "Resource": "*"}]
    s3, subject = session(cloud, "company", "alice", Policy=json.dumps({"Version": "2012-10-17", "Statement": statements}))
    s3.put_object(Bucket=BUCKET, Key=f"{subject}/note", Body=b"text")
    with refused("AccessDenied", 403, "explicit deny in a session policy"):
        s3.delete_object(Bucket=BUCKET, Key=f"{subject}/note")
    with refused("AccessDenied", 403, "session policy"):
        s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")


def test_a_session_policy_never_widens_the_role(cloud):
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    s3, _ = session(cloud, "company", "alice", Policy=json.dumps(everything))
    _, of_bob = session(cloud, "company", "bob")
    with refused("AccessDenied", 403):
        s3.put_object(Bucket=BUCKET, Key=f"{of_bob}/note", Body=b"text")
    with refused("AccessDenied", 403):
        s3.list_buckets()


@pytest.mark.parametrize("policy", [
    "{", "[]", '{"Statement":[{"Effect":"Perhaps","Action":"*","Resource":"*"}]}',
    '{"Statement":[{"Effect":"Allow","Action":"*","Resource":"*","Surprise":1}]}',
    '{"Statement":[{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringNearly":{"aws:username":"a"}}}]}'])
def test_a_malformed_session_policy_is_refused(cloud, policy):
    with refused("MalformedPolicyDocument", 400):
        assume(cloud, "company", cloud.token("company", "alice"), Policy=policy)


def test_everybody_learns_who_they_are(cloud):
    identity = client(cloud, "sts").get_caller_identity()
    assert (identity["Account"], identity["Arn"], identity["UserId"]) == (
        ACCOUNT, f"arn:aws:iam::{ACCOUNT}:root", ACCOUNT)

    answer = assume(cloud, "company", cloud.token("company", "alice"))
    identity = client(cloud, "sts", **keys_of(answer)).get_caller_identity()
    assert (identity["Account"], identity["Arn"], identity["UserId"]) == (
        ACCOUNT, answer["AssumedRoleUser"]["Arn"], answer["AssumedRoleUser"]["AssumedRoleId"])


def test_unsigned_and_wrongly_signed_callers_learn_nothing(cloud):
    with refused("MissingAuthenticationToken", 403):
        anonymous(cloud, "sts").get_caller_identity()
    with refused("SignatureDoesNotMatch", 403):
        client(cloud, "sts", aws_access_key_id="test", aws_secret_access_key="wrong").get_caller_identity()
    with refused("InvalidClientTokenId", 403):
        client(cloud, "sts", aws_access_key_id="AKIAUNKNOWN", aws_secret_access_key="x").get_caller_identity()


def test_a_session_needs_its_own_token(cloud):
    alice = keys_of(assume(cloud, "company", cloud.token("company", "alice")))
    bob = keys_of(assume(cloud, "company", cloud.token("company", "bob")))
    with refused("InvalidToken", 400):
        client(cloud, "s3", **alice | {"aws_session_token": bob["aws_session_token"]}).list_buckets()
    with refused("InvalidAccessKeyId", 403):
        client(cloud, "s3", **{name: value for name, value in alice.items() if name != "aws_session_token"}).list_buckets()
    with refused("InvalidToken", 400):
        client(cloud, "s3", **alice | {"aws_session_token": "garbage"}).list_buckets()
    with refused("SignatureDoesNotMatch", 403):
        client(cloud, "s3", **alice | {"aws_secret_access_key": "wrong"}).list_buckets()


def test_a_revoked_facebook_token_is_rejected_but_its_session_lives_on(cloud):
    issued = cloud.issue("facebook", "alice")
    s3 = client(cloud, "s3", **keys_of(assume(cloud, "facebook", issued["token"])))

    revoked = requests.delete(
        f"{cloud.url}/idp/facebook/me/permissions", params={"access_token": issued["token"]})
    assert revoked.json() == {"success": True}

    with refused("IDPRejectedClaim", 403):
        assume(cloud, "facebook", issued["token"])
    s3.put_object(Bucket=BUCKET, Key=f"{issued['subject']}/note", Body=b"still here")


def test_an_amazon_token_may_arrive_with_its_bar_already_encoded(cloud):
    issued = cloud.issue("amazon", "alice")
    assert issued["token"].startswith("Atza|")
    answer = assume(cloud, "amazon", issued["token"].replace("|", "%7C"))
    assert answer["SubjectFromWebIdentityToken"] == issued["subject"]


def test_refusals_of_sts_have_its_own_error_document(cloud):
    response = requests.post(cloud.url, data={
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": role_arn("company"),
        "RoleSessionName": "tester", "WebIdentityToken": "garbage"})
    assert response.status_code == 400
    assert response.headers["Content-Type"].startswith("text/xml")
    assert 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"' in response.text
    for element in ["<ErrorResponse", "<Error>", "<Type>Sender</Type>", "<Code>InvalidIdentityToken</Code>", "<RequestId>"]:
        assert element in response.text
    assert response.headers["x-amzn-RequestId"] in response.text


@pytest.mark.parametrize("provider", sorted(PROVIDER_IDS))
def test_sessions_end_when_the_cloud_is_reset(cloud, provider):
    s3, subject = session(cloud, provider, "alice")
    cloud.reset()
    with refused("InvalidToken", 400):
        s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")
