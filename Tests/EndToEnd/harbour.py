"""Harbour, the app of `seed/alibaba.json5`: its keys, and clients of Alibaba Cloud's SDKs that use them."""

import dataclasses
import json
from contextlib import contextmanager

import alibabacloud_oss_v2 as oss
import oss2
import pytest
import requests
from aliyunsdkcore.client import AcsClient
from aliyunsdksts.request.v20150401.AssumeRoleRequest import AssumeRoleRequest

from cloud import REPOSITORY, Cloud

SEED = REPOSITORY / "seed" / "alibaba.json5"
UID, REGION = "1987654321098765", "cn-hangzhou"
PROVIDER, WEB_CLIENT = "harbour", "harbour-web"
PHOTOS, CHARTS, EXCHANGE = "harbour-photos", "harbour-charts", "harbour-exchange"
PHOTOS_HOST = "photos.harbour.example"
APP_USER = f"acs:ram::{UID}:role/app-user"
WEB_USER = f"acs:ram::{UID}:role/web-user"
OIDC_PROVIDER = f"acs:ram::{UID}:oidc-provider/{PROVIDER}"
UNSIGNED = "unsigned"


@dataclasses.dataclass(frozen=True)
class Keys:
    id: str
    secret: str
    token: str | None = None


ROOT = Keys("LTAI5tHarbourRoot0000001", "HarbourRootSecret0123456789abc")
SERVER = Keys("LTAI5tHarbourServer00001", "HarbourServerSecret0123456789a")
CLERK = Keys("LTAI5tHarbourClerk000001", "HarbourClerkSecret0123456789ab")
WARDEN = Keys("LTAI5tHarbourWarden00001", "HarbourWardenSecret0123456789a")
LIGHTHOUSE = Keys("LTAI5tLighthouse00000001", "LighthouseSecret0123456789abcd")


@contextmanager
def serving(*arguments, **options):
    """Runs a process with the seed."""
    with Cloud.ephemeral("--seed", SEED, *arguments, **options) as cloud:
        yield cloud
        assert cloud.process.poll() is None, f"ended by itself with {cloud.process.returncode}:\n{cloud.logged()}"
        assert cloud.stop() == 0, cloud.logged()


# OSS, with oss2.

def authentication(keys, signature="v4"):
    """The signer of oss2 for `v1`, `v2` or `v4`."""
    return oss2.StsAuth(keys.id, keys.secret, keys.token, signature) if keys.token else oss2.make_auth(keys.id, keys.secret, signature)


def bucket(cloud, name, keys=WARDEN, signature="v4", **options):
    return oss2.Bucket(authentication(keys, signature), cloud.url, name, region=REGION, **options)


def service(cloud, keys=WARDEN, signature="v4"):
    return oss2.Service(authentication(keys, signature), cloud.url, region=REGION)


@contextmanager
def refused(code, status, message=None):
    """Expects an error of OSS from oss2, with this code and status, and a message that matches (`re.search`)."""
    with pytest.raises(oss2.exceptions.OssError) as raised:
        yield raised
    error = raised.value
    assert (error.code, error.status) == (code, status), error
    # The length that the clients' own tests expect.
    assert len(error.request_id) == 24, error
    if message:
        assert message in error.message, error


# OSS, with version 2 of the SDK.

def client(cloud, keys=WARDEN, *, provider=None, signature=None, **settings):
    configuration = oss.config.load_default()
    configuration.credentials_provider = provider or oss.credentials.StaticCredentialsProvider(keys.id, keys.secret, keys.token)
    configuration.region, configuration.endpoint = REGION, cloud.url
    # No retries, so that each error response is seen as it was sent.
    configuration.retry_max_attempts = 1
    if signature:
        configuration.signature_version = signature
    for name, value in settings.items():
        setattr(configuration, name, value)
    return oss.Client(configuration)


@contextmanager
def denied(code, status):
    """Expects an error of OSS from version 2 of the SDK."""
    with pytest.raises(oss.exceptions.OperationError) as raised:
        yield raised
    error = raised.value.unwrap()
    assert isinstance(error, oss.exceptions.ServiceError), error
    assert (error.code, error.status_code) == (code, status), error


# STS, with the core SDK.

def assume(cloud, keys=SERVER, role=APP_USER, name="alice", policy=None, duration=3600):
    """Returns the response of AssumeRole."""
    request = AssumeRoleRequest()
    request.set_endpoint(cloud.url.partition("://")[2])
    request.set_protocol_type("http")
    request.set_accept_format("json")
    request.set_RoleArn(role)
    request.set_RoleSessionName(name)
    request.set_DurationSeconds(duration)
    if policy is not None:
        request.set_Policy(json.dumps(policy))
    core = AcsClient(keys.id, keys.secret, REGION, auto_retry=False)
    return json.loads(core.do_action_with_exception(request))


def keys_of(credentials):
    """The keys in a response of STS or of the app server."""
    return Keys(credentials["AccessKeyId"], credentials["AccessKeySecret"], credentials["SecurityToken"])


def session(cloud, policy=None, **options):
    return keys_of(assume(cloud, policy=policy, **options)["Credentials"])


def folder_policy(prefix, *actions, bucket=PHOTOS):
    """A session policy that allows one folder."""
    return {"Version": "1", "Statement": [
        {"Effect": "Allow", "Action": list(actions) or ["oss:GetObject", "oss:PutObject"], "Resource": [f"acs:oss:*:*:{bucket}/{prefix}*"]},
        {"Effect": "Allow", "Action": ["oss:ListObjects"], "Resource": [f"acs:oss:*:*:{bucket}"],
         "Condition": {"StringLike": {"oss:Prefix": [f"{prefix}*"]}}}]}


# The app server.

def distributed(cloud, user="alice", **parameters):
    """The credentials that the app server returns to a user who logs in with a password."""
    answer = requests.get(f"{cloud.url}/distribute-token.json", params={"user": user, "password": f"{user}-password"} | parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()
