"""boto 2, which signs with the first label of the host as the service, such as `127` or `localhost`."""

import boto.iam.connection
import boto.sts.connection
import pytest
from boto.exception import BotoServerError
from boto.regioninfo import RegionInfo
from cloud import ACCOUNT
from clients import ROOT


def connect(cloud, host, kind, region, **keys):
    keys = ROOT | keys
    more = {"region": RegionInfo(name="us-east-1", endpoint=host)} if region else {"host": host}
    return kind(port=cloud.port, is_secure=False, **more, **keys)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_sts_gives_out_sessions(cloud, host):
    sts = connect(cloud, host, boto.sts.connection.STSConnection, region=True)
    session = sts.get_session_token(duration=900)
    assert session.access_key.startswith("ASIA")
    token = sts.get_federation_token("guest", duration=900)
    assert token.federated_user_arn == f"arn:aws:sts::{ACCOUNT}:federated-user/guest"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_iam_keeps_users(cloud, host):
    iam = connect(cloud, host, boto.iam.connection.IAMConnection, region=False)
    name = f"older-{host.replace('.', '-')}"
    iam.create_user(name)
    try:
        users = iam.get_all_users()["list_users_response"]["list_users_result"]["users"]
        assert name in [user["user_name"] for user in users]
    finally:
        iam.delete_user(name)


def test_a_wrong_secret_is_refused(cloud):
    iam = connect(cloud, "127.0.0.1", boto.iam.connection.IAMConnection, region=False, aws_secret_access_key="wrong")
    with pytest.raises(BotoServerError) as refusal:
        iam.get_all_users()
    assert (refusal.value.status, refusal.value.error_code) == (403, "SignatureDoesNotMatch")
