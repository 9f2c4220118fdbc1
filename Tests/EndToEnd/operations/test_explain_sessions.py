"""`explain` for a live session, with its claims, tags and session policies."""

import json

import requests
from alibabacloud_sts20150401 import models

from clients import assume, client
from cloud import ACCOUNT, run
from harbour import SERVER
from office import SEED
from sandboxes import Sandbox
from test_alibaba_sts import APP_USER, tea

SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/personal-files-google/tester"


def ask(cloud, **question):
    return requests.post(f"{cloud.url}/_virga/explain", json={"action": "s3:GetObject", **question})


def test_a_live_session_may_what_its_claims_allow(cloud):
    cloud.reset()
    answer = assume(cloud, "google", cloud.token("google", "alice"))
    subject, key = answer["SubjectFromWebIdentityToken"], answer["Credentials"]["AccessKeyId"]
    for name in [SESSION, key]:
        explained = ask(cloud, **{"as": name}, resource=f"arn:aws:s3:::personal-files/{subject}/a").json()
        assert explained["decision"] == "allowed", explained["explanation"]
        assert (explained["session"]["arn"], explained["session"]["access_key_id"]) == (SESSION, key)
        assert explained["session"]["claims"]["accounts.google.com:sub"] == [subject]
        assert explained["explanation"][1].startswith("session issued ")
        assert f"accounts.google.com:sub={subject}" in explained["explanation"][1]
    assert answer["Credentials"]["SecretAccessKey"] not in json.dumps(explained)
    other = ask(cloud, **{"as": SESSION}, resource="arn:aws:s3:::personal-files/other/a").json()
    assert other["decision"] == "implicitDeny"
    overridden = ask(
        cloud, **{"as": SESSION}, resource="arn:aws:s3:::personal-files/other/a", context={"accounts.google.com:sub": "other"}).json()
    assert overridden["decision"] == "allowed"


def test_the_newest_session_of_a_name_counts_with_its_session_policy(cloud):
    cloud.reset()
    resource = "arn:aws:s3:::personal-files/{}/a"
    subject = assume(cloud, "google", cloud.token("google", "alice"))["SubjectFromWebIdentityToken"]
    policy = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "*"}}
    assume(cloud, "google", cloud.token("google", "alice"), Policy=json.dumps(policy))
    answer = ask(cloud, **{"as": SESSION}, resource=resource.format(subject)).json()
    assert answer["decision"] == "implicitDeny" and len(answer["session"]["session_policies"]) == 1
    assert answer["explanation"][1].endswith(", limited by 1 session policy")


def test_a_session_that_is_not_live_has_no_claims(cloud):
    cloud.reset()
    answer = assume(cloud, "google", cloud.token("google", "alice"), DurationSeconds=900)
    resource = f"arn:aws:s3:::personal-files/{answer['SubjectFromWebIdentityToken']}/a"
    cloud.age("PT16M")
    expired = ask(cloud, **{"as": SESSION}, resource=resource).json()
    assert (expired["decision"], expired["session"]) == ("implicitDeny", None)
    assert expired["explanation"][1] == (
        "no live session with this name is known: its claims, tags and session policies are assumed to be empty")
    assert ask(cloud, **{"as": answer["Credentials"]["AccessKeyId"]}, resource=resource).status_code == 404
    cloud.reset()
    assert ask(cloud, **{"as": SESSION}, resource=resource).json()["session"] is None


def test_a_federated_user_is_known_while_it_lives(process):
    with Sandbox.seeded(process, SEED) as office:
        name = f"arn:aws:sts::{ACCOUNT}:federated-user/visitor"
        assert ask(office, **{"as": name}, resource="arn:aws:s3:::box/a").status_code == 404
        policy = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/a"}}
        client(office, "sts").get_federation_token(Name="visitor", Policy=json.dumps(policy))
        assert ask(office, **{"as": name}, resource="arn:aws:s3:::box/a").json()["decision"] == "allowed"
        assert ask(office, **{"as": name}, resource="arn:aws:s3:::box/b").json()["decision"] == "implicitDeny"


def test_the_command_line_says_which_session(cloud):
    cloud.reset()
    subject = assume(cloud, "google", cloud.token("google", "alice"))["SubjectFromWebIdentityToken"]
    result = run(
        "explain", "--endpoint", cloud.url, "--as", SESSION, "--action", "s3:GetObject", "--resource",
        f"arn:aws:s3:::personal-files/{subject}/a")
    assert result.returncode == 0 and result.stdout.splitlines()[1].startswith("session issued ")


def test_a_session_of_alibaba_cloud_keeps_its_policy(harbour):
    policy = {"Version": "1", "Statement": [{"Effect": "Allow", "Action": "oss:GetObject", "Resource": "acs:oss:*:*:harbour-photos/mine"}]}
    request = models.AssumeRoleRequest(role_arn=APP_USER, role_session_name="alice-001", policy=json.dumps(policy))
    taken = tea(harbour, SERVER).assume_role(request).body
    names = [taken.assumed_role_user.arn, APP_USER.replace(":role/", ":assumed-role/") + "/alice-001", taken.credentials.access_key_id]
    for name in names:
        for key, decision in [("mine", "allowed"), ("other", "implicitDeny")]:
            answer = ask(harbour, **{"as": name, "action": "oss:GetObject", "resource": f"acs:oss:*:*:harbour-photos/{key}"}).json()
            assert answer["decision"] == decision, answer
