"""Texts that Unicode holds to be equal, and whose bytes differ, at each door where a text decides.

Every door accepts the text that its seed has, and refuses the equivalent one as it refuses any other text.
"""

import json
import urllib.parse

import botocore.exceptions
import pytest
import requests

from clients import client
from cloud import ACCOUNT, Cloud

# Composed and decomposed, a sign that is equivalent to a letter, and a character that joins the one before it.
PAIRS = [("caf\u00e9", "cafe\u0301"), ("K", "\u212a"), ("x;y", "x\u037ey"), ("\uac00", "\u1100\u1161")]
NAMES = ["an accent", "a sign", "a separator", "a syllable"]
ISSUER = "https://login.cafe.example"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/guest"


def allow(action, resource=None, **statement):
    return {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": action, **({"Resource": resource} if resource else {}), **statement}]}


def seed(text):
    key = "login.cafe.example"
    trust = allow(
        ["sts:AssumeRoleWithWebIdentity", "sts:TagSession"], Principal={"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{key}"},
        Condition={"StringEquals": {f"{key}:sub": f"sub-{text}"}})
    return {
        "accounts": [{
            "id": ACCOUNT, "name": "virga", "rootKeys": [{"id": "test", "secret": "test"}],
            "openIDConnectProviders": [{"url": ISSUER, "clientIDs": [f"app-{text}"]}],
            "buckets": [{"name": "box"}],
            "users": [{"name": "reader", "accessKeys": [{"id": "AKIAREADER", "secret": "reader"}], "policies": {
                "own": {"Version": "2012-10-17", "Statement": [
                    {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject"], "Resource": f"arn:aws:s3:::box/{text}/*"},
                    {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::box",
                     "Condition": {"StringEquals": {"s3:prefix": f"{text}/"}}},
                    {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/tagged",
                     "Condition": {"StringEquals": {"s3:ExistingObjectTag/kind": text}}},
                    {"Effect": "Allow", "Action": "s3:DeleteObject", "Resource": "arn:aws:s3:::box/*",
                     "Condition": {"StringLike": {"aws:UserAgent": f"*{text}*"}}},
                ]}}}],
            "roles": [{"name": "guest", "trustPolicy": trust}],
        }],
        "identityProviders": [{
            "name": "company", "kind": "openIDConnect", "issuer": ISSUER,
            "clients": [{"id": f"app-{text}", "secret": f"secret-{text}", "redirectURIs": [f"http://localhost:8765/callback?{text}"],
                         "grants": ["client_credentials", "password"]}],
            "people": [{"name": f"ann-{text}", "password": f"password-{text}", "subject": f"sub-{text}"}],
        }],
    }


@pytest.fixture(scope="module", params=PAIRS, ids=NAMES)
def door(request, environment_of_the_tests, tmp_path_factory):
    text, other = request.param
    path = tmp_path_factory.mktemp("seed") / "seed.json5"
    path.write_text(json.dumps(seed(text), ensure_ascii=False))
    with Cloud.ephemeral("--seed", path) as cloud:
        yield cloud, text, other
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def reader(door):
    return client(door[0], "s3", aws_access_key_id="AKIAREADER", aws_secret_access_key="reader")


def endpoint(cloud, name):
    return requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()[f"{name}_endpoint"]


def status(call, **parameters):
    """The status of a call of boto3."""
    try:
        return call(**parameters)["ResponseMetadata"]["HTTPStatusCode"]
    except botocore.exceptions.ClientError as error:
        return error.response["ResponseMetadata"]["HTTPStatusCode"]


def assumed(cloud, text, **changes):
    token = cloud.token("company", f"ann-{text}", client=f"app-{text}", **changes)
    return requests.post(cloud.url, data={
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": ROLE, "RoleSessionName": "ann", "WebIdentityToken": token})


def test_audience(door):
    cloud, text, other = door
    assert assumed(cloud, text).status_code == 200
    answer = assumed(cloud, text, claims={"aud": f"app-{other}"})
    assert answer.status_code == 400 and "<Code>InvalidIdentityToken</Code>" in answer.text
    answer = assumed(cloud, text, claims={"aud": [f"app-{text}", "x"], "azp": f"app-{other}"})
    assert answer.status_code == 400, answer.text


def test_subject_in_a_condition(door):
    cloud, text, other = door
    answer = assumed(cloud, text, claims={"sub": f"sub-{other}"})
    assert answer.status_code == 403 and "<Code>AccessDenied</Code>" in answer.text


def test_client_and_its_secret(door):
    cloud, text, other = door

    def status_of(client_id, secret):
        answer = requests.post(endpoint(cloud, "token"), data={
            "grant_type": "client_credentials", "client_id": client_id, "client_secret": secret})
        return answer.status_code, answer.json().get("error")

    assert status_of(f"app-{text}", f"secret-{text}")[0] == 200
    assert status_of(f"app-{other}", f"secret-{text}") == (401, "invalid_client")
    assert status_of(f"app-{text}", f"secret-{other}") == (401, "invalid_client")


def test_person_and_password(door):
    cloud, text, other = door

    def error_of(name, password):
        return requests.post(endpoint(cloud, "token"), data={
            "grant_type": "password", "username": name, "password": password, "scope": "openid",
            "client_id": f"app-{text}", "client_secret": f"secret-{text}"}).json().get("error")

    assert error_of(f"ann-{text}", f"password-{text}") is None
    assert error_of(f"ann-{other}", f"password-{text}") == "invalid_grant"
    assert error_of(f"ann-{text}", f"password-{other}") == "invalid_grant"


def test_redirect_uri(door):
    cloud, text, other = door

    def asked(value):
        return requests.get(endpoint(cloud, "authorization"), allow_redirects=False, params={
            "client_id": f"app-{text}", "response_type": "code", "scope": "openid", "redirect_uri": f"http://localhost:8765/callback?{value}"})

    assert asked(text).status_code in (200, 302, 303)
    assert asked(other).status_code == 400


def test_resource_of_a_policy(door, reader):
    cloud, text, other = door
    assert status(reader.put_object, Bucket="box", Key=f"{text}/x", Body=b"x") == 200
    assert status(reader.get_object, Bucket="box", Key=f"{text}/x") == 200
    assert status(reader.put_object, Bucket="box", Key=f"{other}/x", Body=b"x") == 403
    root = client(cloud, "s3")
    assert status(root.put_object, Bucket="box", Key=f"{other}/y", Body=b"y") == 200
    assert status(root.get_object, Bucket="box", Key=f"{text}/y") == 404


def test_keys_of_objects(door):
    cloud, text, other = door
    root = client(cloud, "s3")
    for key in (text, other):
        root.put_object(Bucket="box", Key=f"pair/{key}", Body=key.encode())
    listed = root.list_objects_v2(Bucket="box", Prefix="pair/", EncodingType="url")["Contents"]
    assert sorted(urllib.parse.unquote_plus(entry["Key"]) for entry in listed) == sorted([f"pair/{text}", f"pair/{other}"])
    assert [entry["Key"] for entry in root.list_objects_v2(Bucket="box", Prefix=f"pair/{other}").get("Contents", [])] == [f"pair/{other}"]
    for key in (text, other):
        assert root.get_object(Bucket="box", Key=f"pair/{key}")["Body"].read() == key.encode()


def test_prefix_in_a_condition(door, reader):
    cloud, text, other = door
    assert status(reader.list_objects_v2, Bucket="box", Prefix=f"{text}/") == 200
    assert status(reader.list_objects_v2, Bucket="box", Prefix=f"{other}/") == 403


def test_tags(door, reader):
    cloud, text, other = door
    root = client(cloud, "s3")
    for value, expected in [(text, 200), (other, 403)]:
        try:
            root.put_object(Bucket="box", Key="tagged", Body=b"", Tagging=urllib.parse.urlencode({"kind": value}))
        except botocore.exceptions.ClientError as error:
            # Some of these characters are none that S3 allows in tags.
            assert error.response["Error"]["Code"] in ("InvalidTag", "InvalidArgument")
            continue
        assert status(reader.get_object, Bucket="box", Key="tagged") == expected


def test_presigned_url(door):
    cloud, text, other = door
    root = client(cloud, "s3")
    for key in (text, other):
        root.put_object(Bucket="box", Key=f"signed/{key}", Body=key.encode())
    url = root.generate_presigned_url("get_object", Params={"Bucket": "box", "Key": f"signed/{text}"})
    assert requests.get(url).content == text.encode()
    changed = url.replace(urllib.parse.quote(text, safe="~"), urllib.parse.quote(other, safe="~"))
    assert changed != url
    assert requests.get(changed).status_code == 403


@pytest.mark.parametrize("kind", ["eq", "starts-with"])
def test_post_policy(door, kind):
    cloud, text, other = door
    for value, expected in [(text, 204), (other, 403)]:
        key = f"posted/{value}" + ("" if kind == "eq" else "/x")
        root = client(cloud, "s3")
        form = root.generate_presigned_post("box", key, Conditions=[[kind, "$x-amz-meta-name", text]], Fields={"x-amz-meta-name": value})
        assert requests.post(form["url"], data=form["fields"], files={"file": ("x", b"x")}).status_code == expected


def test_cookie(door):
    cloud, text, other = door
    secret = requests.Session()
    page = secret.get(endpoint(cloud, "authorization"), params={
        "client_id": f"app-{text}", "response_type": "code", "scope": "openid", "redirect_uri": f"http://localhost:8765/callback?{text}"})
    assert page.status_code == 200
    for cookie in secret.cookies:
        cookie.value += "\u0301".encode().decode("latin-1")
    form = page.text.partition('name="form" value="')[2].partition('"')[0]
    answer = secret.post(page.url, data={"form": form, "username": f"ann-{text}", "password": f"password-{text}", "action": "sign-in"},
                         allow_redirects=False)
    assert answer.status_code in (400, 403), answer.text
