"""The control calls that pages use: what runs here, the journal in detail, and requests that the control API sends itself."""

import base64
import json
import os
import subprocess

import pytest
import requests

from clients import assume, client, keys_of, refused, session
from cloud import BUCKET, Cloud

ROOT = "arn:aws:iam::000000000000:root"


def send(cloud, **order):
    return cloud.control("POST", "send", order)


def test_info_describes_what_runs(cloud):
    info = cloud.control("GET", "info")
    assert info["version"] and info["origin"] == cloud.url and info["sandbox"] == "default"
    assert f":{cloud.port}" in info["addresses"][0] and info["tls"]["certificate"] == "/_virga/ca.pem" and info["control"] == {"token": False}
    assert {"s3", "sts", "iam", "oss", "alibaba-sts"} <= set(info["services"])
    company = next(provider for provider in info["providers"] if provider["name"] == "company")
    assert company["issuer"] == f"{cloud.url}/idp/company" and company["people"] >= 3
    assert requests.get(f"{company['issuer']}/.well-known/openid-configuration").json()["issuer"] == company["issuer"]
    account = next(account for account in info["accounts"] if account["vendor"] == "aws")
    assert account["root"] == ROOT and account["access_keys"] and "secret" not in str(info).lower()
    before = info["counts"]["objects"]
    client(cloud, "s3").put_object(Bucket=BUCKET, Key="more", Body=b"x")
    assert cloud.control("GET", "info")["counts"]["objects"] == before + 1


def test_the_journal_is_followed_by_its_last_number(cloud):
    s3 = client(cloud, "s3")
    last = cloud.control("GET", "journal", params={"limit": 1})["last"]
    s3.list_buckets()
    cloud.control("GET", "clock")
    news = cloud.control("GET", "journal", params={"after": last, "exclude": ["face:control"]})
    assert [entry["operation"] for entry in news["entries"]] == ["ListBuckets"]
    assert news["last"] == last + 2, "reading the journal adds nothing"
    entry, = news["entries"]
    assert entry["duration_ms"] > 0 and entry["response_bytes"] > 0 and not entry["captured"]
    assert cloud.control("GET", "journal", params={"after": news["last"]})["entries"] == []
    assert cloud.control("DELETE", "journal") == {"status": "ok"}
    after = cloud.control("GET", "journal")
    assert after["first"] == last + 3 and all(entry["number"] > last + 2 for entry in after["entries"])


def test_an_entry_has_the_compared_values_of_each_statement(cloud):
    s3, subject = session(cloud, "company", "alice")
    with refused("AccessDenied", 403):
        s3.get_object(Bucket=BUCKET, Key="somebody-else/note")
    denied = cloud.control("GET", "journal", params={"denied": "true", "limit": 1})["entries"][0]
    entry = cloud.control("GET", f"journal/{denied['number']}")
    assert entry == cloud.control("GET", f"journal/{denied['request_id']}")
    decision = next(decision for decision in entry["decisions"] if decision["action"] == "s3:GetObject")
    assert decision["decision"] == "implicitDeny"
    statements = decision["statements"]
    assert statements and not any(statement["applies"] and statement["effect"] == "Allow" for statement in statements)
    mismatch = next(statement["mismatch"] for statement in statements if statement["mismatch"]["element"] == "Resource")
    assert mismatch["request"] == [f"arn:aws:s3:::{BUCKET}/somebody-else/note"]
    assert requests.get(f"{cloud.url}/_virga/journal/999999999").status_code == 404


def test_headers_and_bodies_are_captured_for_a_while():
    with Cloud("--port", 0, "--ephemeral", "--control-token", "s3cret") as cloud:
        headers = {"Authorization": "Bearer s3cret"}
        url = f"{cloud.url}/_virga/journal"
        capture = requests.put(f"{url}/capture", json={"body": 8, "for": "PT1H"}, headers=headers).json()["capture"]
        assert capture["body"] == 8
        requests.put(f"{cloud.url}/box/key", data=b"0123456789", headers={"Authorization": "Bearer s3cret", "X-Test": "ä".encode()})
        requests.get(f"{cloud.url}/_virga/clock", headers=headers)
        entries = requests.get(url, headers=headers).json()["entries"]
        assert [entry["captured"] for entry in entries if entry["face"] == "control"] == [False, False]
        stored = next(entry for entry in entries if entry["face"] == "s3")
        text = requests.get(f"{url}/{stored['number']}", headers=headers).text
        assert "s3cret" not in text
        entry = requests.get(f"{url}/{stored['number']}", headers=headers).json()
        assert ("authorization", "…") in {(field["name"].lower(), field["value"]) for field in entry["request"]["headers"]}
        assert entry["response"]["body"]["truncated"] and entry["response"]["body"]["text"] == "<?xml ve"
        assert requests.delete(f"{url}/capture", headers=headers).json() == {"capture": None}
        requests.get(f"{cloud.url}/box/key")
        assert not requests.get(url, headers=headers).json()["entries"][0]["captured"]


@pytest.mark.parametrize("signature", ["v4", "v2"])
def test_a_request_is_sent_as_any_principal(cloud, signature):
    put = send(cloud, **{"as": ROOT}, method="PUT", target=f"/{BUCKET}/sent", body={"base64": "AP8="}, signature=signature)
    assert put["response"]["status"] == 200 and put["as"] == ROOT
    assert client(cloud, "s3").get_object(Bucket=BUCKET, Key="sent")["Body"].read() == b"\x00\xff"
    get = send(cloud, **{"as": ROOT}, target=f"/{BUCKET}/sent", signature=signature)
    assert base64.b64decode(get["response"]["body"]["base64"]) == b"\x00\xff"
    assert get["request"]["signature"]["string_to_sign"]
    assert send(cloud, target=f"/{BUCKET}/sent")["response"]["status"] == 403


def test_a_request_is_sent_with_the_credentials_of_a_session(cloud):
    keys = assume(cloud, "company", cloud.token("company", "alice"))
    credentials = keys["Credentials"]
    order = {"as": {"accessKeyId": credentials["AccessKeyId"], "secretAccessKey": credentials["SecretAccessKey"],
                    "sessionToken": credentials["SessionToken"]}}
    own = f"/{BUCKET}/{keys['SubjectFromWebIdentityToken']}/note"
    assert send(cloud, **order, method="PUT", target=own, body="mine")["response"]["status"] == 200
    again = send(cloud, **{"as": keys["AssumedRoleUser"]["Arn"]}, target=own)
    assert again["response"]["body"]["text"] == "mine", "the running session, with its claims"
    cut = {"as": order["as"] | {"sessionToken": credentials["SessionToken"][:-4]}}
    assert "InvalidToken" in send(cloud, **cut, target=own)["response"]["body"]["text"]


def test_a_request_never_leaves(cloud):
    for host in ["evil.example", "sts.amazonaws.com", f"{BUCKET}.s3.amazonaws.com"]:
        answer = send(cloud, **{"as": ROOT}, target="/", headers={"Host": host})
        assert answer["request"]["host"] == host and answer["response"]["headers"]
        assert f"{cloud.url}/'" in answer["curl"] and f"Host: {host}" in answer["curl"]
    for target in ["http://evil.example/", "//evil.example/", "/_virga/reset"]:
        response = requests.post(f"{cloud.url}/_virga/send", json={"target": target})
        assert response.status_code == (200 if target.startswith("//") else 400)


def test_a_request_can_stay_out_of_the_journal_unless_it_is_refused(cloud):
    def entries():
        return [entry["operation"] for entry in cloud.control("GET", "journal", params={"face": "s3"})["entries"]]

    cloud.reset()
    answer = send(cloud, **{"as": ROOT}, target="/", record=False)
    assert answer["response"]["status"] == 200 and answer["number"] is None and entries() == []
    answer = send(cloud, target=f"/{BUCKET}", record=False)
    assert answer["response"]["status"] == 403 and answer["number"] and len(entries()) == 1
    send(cloud, **{"as": ROOT}, target="/", record=True)
    assert entries()[0] == "ListBuckets"
    wrong = requests.post(f"{cloud.url}/_virga/send", json={"target": "/", "record": "no"})
    assert (wrong.status_code, wrong.json()["error"]) == (400, "malformed_member")


def test_the_command_sends_the_request_again(cloud):
    send(cloud, **{"as": ROOT}, method="PUT", target=f"/{BUCKET}/it's", body="it's a text")
    answer = send(cloud, **{"as": ROOT}, target=f"/{BUCKET}/it's", headers={"x-amz-expected-bucket-owner": "000000000000"})
    variables = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "PATH": os.environ["PATH"]}
    result = subprocess.run(["sh", "-c", answer["curl"]], capture_output=True, text=True, env=variables)
    assert result.stdout == "it's a text", result.stderr
    number = answer["number"]
    assert cloud.control("GET", f"journal/{number}")["curl"].startswith("curl ")


def test_a_policy_is_tried_before_it_is_saved(cloud):
    policy = {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"}]}
    question = {"as": "anonymous", "action": "s3:GetObject", "resource": f"arn:aws:s3:::{BUCKET}/x"}
    assert cloud.control("POST", "explain", question)["decision"] == "implicitDeny"
    assert cloud.control("POST", "explain", question | {"resourcePolicy": policy})["decision"] == "allowed"
    response = requests.post(f"{cloud.url}/_virga/explain", json=question | {"resourcePolicy": {"Statement": []}})
    assert (response.status_code, response.json()["error"]) == (400, "malformed_policy")


def test_a_person_is_added_and_logged_out(cloud):
    dora = {"name": "dora", "subject": "4711", "password": "dora-password"}
    assert cloud.control("PUT", "providers/company/people/dora", dora) == dora
    token = cloud.token("company", "dora")
    inspected = cloud.control("POST", "inspect", {"text": token})
    assert inspected["valid"] and inspected["subject"]["person"] == "dora"
    assert any(role["accepts"] for role in inspected["roles"])
    assert cloud.control("DELETE", "providers/company/sessions") == {"status": "ok", "ended": 0}
    assert cloud.control("DELETE", "providers/company/people/dora") == {"status": "ok"}
    assert requests.post(f"{cloud.url}/_virga/tokens", json={"provider": "company", "user": "dora"}).status_code == 404


def test_principals_and_buckets_of_all_accounts_are_listed(cloud):
    assume(cloud, "company", cloud.token("company", "alice"))
    principals = cloud.control("GET", "principals")["principals"]
    kinds = {(principal["kind"], principal["vendor"]) for principal in principals}
    assert kinds >= {("root", "aws"), ("root", "alibaba"), ("user", "aws"), ("user", "alibaba"), ("role", "aws"), ("role", "alibaba"), ("session", "aws")}
    for principal in principals:
        name = principal.get("access_key", principal["arn"])
        question = {"as": name, "action": "sts:GetCallerIdentity", "resource": "*"}
        assert cloud.control("POST", "explain", question)["decision"], name
        assert "secret" not in str(principal).lower()
    buckets = {bucket["name"]: bucket for bucket in cloud.control("GET", "buckets")["buckets"]}
    assert buckets[BUCKET]["vendor"] == "aws" and buckets[BUCKET]["account"] == "000000000000" and buckets[BUCKET]["versioning"] == "never"
    assert buckets["personal-photos"]["vendor"] == "alibaba" and not buckets["personal-photos"]["object_lock"]


def test_a_bucket_is_deleted_with_everything_that_protects_it(cloud, root):
    root.create_bucket(Bucket="kept", ObjectLockEnabledForBucket=True)
    retention = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": "2099-01-01T00:00:00Z"}
    for body in [b"one", b"two"]:
        root.put_object(Bucket="kept", Key="a", Body=body, **retention)
    root.delete_object(Bucket="kept", Key="a")
    root.create_multipart_upload(Bucket="kept", Key="b")
    root.put_bucket_policy(Bucket="kept", Policy=json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Deny", "Principal": "*", "Action": "s3:Delete*", "Resource": ["arn:aws:s3:::kept", "arn:aws:s3:::kept/*"]}]}))
    assert cloud.control("DELETE", "buckets/kept") == {"status": "ok", "deleted": 3}
    assert "kept" not in [bucket["Name"] for bucket in root.list_buckets()["Buckets"]]
    assert requests.delete(f"{cloud.url}/_virga/buckets/kept").status_code == 404
    root.create_bucket(Bucket="kept")
    assert root.list_object_versions(Bucket="kept").get("Versions", []) == []
    root.delete_bucket(Bucket="kept")


@pytest.mark.parametrize("signature", ["v4", "v2", "oss-v1", "oss-v2", "oss-v4"])
def test_a_url_is_presigned_as_any_principal(cloud, signature):
    bucket, root = (BUCKET, ROOT) if signature in ("v2", "v4") else ("personal-photos", "acs:ram::1234567890123456:root")
    role = "arn:aws:iam::000000000000:role/personal-files-google" if bucket == BUCKET else "acs:ram::1234567890123456:role/app-user"
    target = f"/{bucket}/a%20b%3F"
    put = cloud.control("POST", "presign", {
        "as": root, "method": "PUT", "target": target, "signature": signature, "expires": 60, "headers": {"Content-Type": "text/x"}})
    assert put["url"] == cloud.url + put["target"] and put["signature"] == signature
    assert requests.put(put["url"], data=b"signed", headers={"Content-Type": "text/x"}).status_code == 200
    get = cloud.control("POST", "presign", {"as": root, "target": target, "signature": signature})
    response = requests.get(get["url"])
    assert response.content == b"signed" and response.headers["Content-Type"] == "text/x"
    assert requests.get(get["url"].replace("a%20b", "other")).status_code == 403
    with_token = requests.get(cloud.control("POST", "presign", {"as": role, "target": target, "signature": signature})["url"])
    assert "Signature" not in with_token.text and with_token.status_code == (403 if bucket == BUCKET else 200)


@pytest.mark.parametrize("order, code", [
    ({"as": ROOT, "target": "/b/k", "expires": 0}, "malformed_member"), ({"as": ROOT, "target": "/b/k", "expires": 604_801}, "malformed_member"),
    ({"as": ROOT, "target": "/b/k", "signature": "rpc"}, "malformed_member"), ({"target": "/b/k"}, "malformed_member"),
    ({"as": "arn:aws:iam::000000000000:user/x", "target": "/b/k"}, "unknown_caller"), ({"as": ROOT}, "missing_member"),
    ({"as": ROOT, "target": "/_virga/reset"}, "control_target"), ({"as": ROOT, "target": "/b", "body": "x", "more": 1}, "unknown_member")])
def test_what_cannot_be_presigned_is_refused(cloud, order, code):
    response = requests.post(f"{cloud.url}/_virga/presign", json=order)
    assert (response.status_code, response.json()["error"]) == (404 if code == "unknown_caller" else 400, code)


@pytest.mark.parametrize("provider", ["company", "facebook", "amazon", "google", "github"])
def test_the_grants_of_a_person_are_revoked(cloud, provider):
    # Only the sandbox's own record says that a token is revoked.
    token = {user: cloud.token(provider, user, type="access_token") for user in ["alice", "bob"]}

    def is_valid(user):
        return cloud.control("POST", "inspect", {"text": token[user]})["valid"]

    assert is_valid("alice") and is_valid("bob")
    assert cloud.control("DELETE", f"providers/{provider}/people/alice/grants") == {"status": "ok"}
    assert not is_valid("alice") and is_valid("bob")
    token["alice"] = cloud.token(provider, "alice", type="access_token")
    assert is_valid("alice"), "a new token is not affected"
    assert requests.delete(f"{cloud.url}/_virga/providers/{provider}/people/nobody/grants").status_code == 404


def test_clients_know_a_person_by_different_identifiers(cloud):
    cloud.control("PUT", "providers/company/clients/pair", {
        "id": "pair", "redirectURIs": ["http://localhost/"], "metadata": {"subject_type": "pairwise"}})
    cloud.control("PUT", "providers/facebook/clients/99", {"id": "99", "secret": "s", "facebook": {"appScopedIDs": True}})
    for provider, client_id in [("company", "pair"), ("facebook", "99")]:
        subjects = cloud.control("GET", f"providers/{provider}/people/alice/subjects")["subjects"]
        known = {subject["client"]: subject["subject"] for subject in subjects}
        assert len(set(known.values())) == 2
        for name, subject in known.items():
            assert cloud.issue(provider, "alice", client=name)["subject"] == subject
