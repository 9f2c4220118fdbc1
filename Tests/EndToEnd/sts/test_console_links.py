"""Links to the console: a session becomes a sign-in token, and the token opens Virga's console as the session. (IAM User Guide, "Enable custom
identity broker access to the AWS console".)"""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from clients import client, keys_of
from cloud import ACCOUNT

DESTINATION = "https://console.aws.amazon.com/s3/"


@pytest.fixture
def role(cloud):
    trust = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "sts:AssumeRole"}]}
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": "*"}]}
    iam = client(cloud, "iam")
    iam.create_user(UserName="broker")
    iam.put_user_policy(UserName="broker", PolicyName="p", PolicyDocument=json.dumps(policy))
    iam.create_role(RoleName="linked", AssumeRolePolicyDocument=json.dumps(trust))
    iam.put_role_policy(RoleName="linked", PolicyName="p", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName="broker")["AccessKey"]
    return {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}


def federating(cloud):
    """The keys of a user who may call GetFederationToken."""
    iam = client(cloud, "iam")
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:GetFederationToken", "Resource": "*"}]}
    iam.put_user_policy(UserName="broker", PolicyName="federation", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName="broker")["AccessKey"]
    return {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}


def assume(cloud, **keys):
    arn = f"arn:aws:iam::{ACCOUNT}:role/linked"
    return keys_of(client(cloud, "sts", **keys).assume_role(RoleArn=arn, RoleSessionName="ann"))


def session_of(keys):
    return json.dumps({
        "sessionId": keys["aws_access_key_id"], "sessionKey": keys["aws_secret_access_key"], "sessionToken": keys["aws_session_token"]})


def exchange(cloud, keys, **more):
    return requests.get(f"{cloud.url}/federation", params={"Action": "getSigninToken", "Session": session_of(keys)} | more)


def log_in(cloud, token):
    parameters = {"Action": "login", "Issuer": "broker.example", "Destination": DESTINATION, "SigninToken": token}
    return requests.get(f"{cloud.url}/federation", params=parameters, allow_redirects=False)


def test_k32_a_link_opens_the_console_as_the_session(cloud, role):
    keys = assume(cloud, **role)
    token = exchange(cloud, keys, SessionDuration="43200").json()["SigninToken"]
    answer = log_in(cloud, token)
    assert answer.status_code == 302
    place = urlsplit(answer.headers["Location"])
    assert place.path == "/_virga/ui/store"
    assert parse_qs(place.query)["as"] == [keys["aws_access_key_id"]]
    form = requests.post(f"{cloud.url}/federation", data={"Action": "getSigninToken", "Session": session_of(keys)})
    assert log_in(cloud, form.json()["SigninToken"]).status_code == 302


def test_k32_a_sign_in_token_lasts_a_quarter_of_an_hour(cloud, role):
    token = exchange(cloud, assume(cloud, **role)).json()["SigninToken"]
    cloud.age("PT14M")
    assert log_in(cloud, token).status_code == 302
    cloud.age("PT2M")
    assert log_in(cloud, token).status_code == 400
    assert log_in(cloud, "x").status_code == 400


def test_k32_a_duration_is_for_roles_without_chaining(cloud, role):
    keys = assume(cloud, **role)
    for duration in ["899", "43201", "x"]:
        assert exchange(cloud, keys, SessionDuration=duration).status_code == 400
    chained = assume(cloud, **keys)
    assert exchange(cloud, chained).status_code == 200
    assert exchange(cloud, chained, SessionDuration="900").status_code == 400
    federated = keys_of(client(cloud, "sts", **federating(cloud)).get_federation_token(Name="ann"))
    assert exchange(cloud, federated).status_code == 200
    assert exchange(cloud, federated, SessionDuration="900").status_code == 400


def test_k32_only_valid_credentials_are_exchanged(cloud, role):
    keys = assume(cloud, **role)
    assert exchange(cloud, keys | {"aws_secret_access_key": "x"}).status_code == 400
    assert exchange(cloud, keys | {"aws_session_token": "x"}).status_code == 400
    assert requests.get(f"{cloud.url}/federation", params={"Action": "getSigninToken"}).status_code == 400
    browser = {"Origin": "http://evil.example"}
    answer = requests.get(
        f"{cloud.url}/federation", params={"Action": "getSigninToken", "Session": session_of(keys)}, headers=browser)
    assert answer.status_code == 400
    # A bucket can have the name of the path.
    s3 = client(cloud, "s3")
    s3.create_bucket(Bucket="federation")
    assert s3.list_objects_v2(Bucket="federation")["KeyCount"] == 0
    cloud.age("PT61M")
    assert exchange(cloud, keys).status_code == 400
