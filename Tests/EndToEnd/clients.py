"""boto3 clients for every kind of caller. They never retry, so that a test sees each error response as it was sent."""

import xml.etree.ElementTree as ElementTree
from contextlib import contextmanager

import boto3
import botocore.exceptions
import pytest
import requests
from botocore import UNSIGNED
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from cloud import ACCOUNT, REGION, TIMEOUT_SECONDS

ROOT = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}


def client(cloud, service, *, region=REGION, config=None, **credentials):
    """Returns a client for the given keys, by default the root user's."""
    # By default boto3 presigns for us-east-1 with Signature Version 2.
    signature = {"signature_version": "s3v4"} if service == "s3" else {}
    configuration = Config(
        retries={"total_max_attempts": 1}, connect_timeout=TIMEOUT_SECONDS, read_timeout=TIMEOUT_SECONDS, **signature)
    return boto3.Session().client(
        service, endpoint_url=cloud.url, region_name=region, config=configuration.merge(config or Config()),
        verify=str(cloud.authority) if cloud.authority else None, **(credentials or ROOT))


def anonymous(cloud, service, config=None):
    """Returns a client without credentials and without parameter validation, so that the server's own checks are tested."""
    unsigned = Config(signature_version=UNSIGNED, parameter_validation=False)
    return client(cloud, service, config=unsigned.merge(config or Config()))


def role_arn(provider):
    return f"arn:aws:iam::{ACCOUNT}:role/personal-files-{provider}"


PROVIDER_IDS = {"facebook": {"ProviderId": "graph.facebook.com"}, "amazon": {"ProviderId": "www.amazon.com"}}


def assume(cloud, provider, token, **parameters):
    """Calls AssumeRoleWithWebIdentity for the seeded role of a provider. Parameters override the defaults; None removes one."""
    request = {"RoleArn": role_arn(provider), "RoleSessionName": "tester", "WebIdentityToken": token}
    request |= PROVIDER_IDS.get(provider, {}) | parameters
    request = {name: value for name, value in request.items() if value is not None}
    return anonymous(cloud, "sts").assume_role_with_web_identity(**request)


def keys_of(answer):
    """The credentials in a response of STS, as keyword arguments of `client`."""
    credentials = answer["Credentials"]
    return {
        "aws_access_key_id": credentials["AccessKeyId"],
        "aws_secret_access_key": credentials["SecretAccessKey"],
        "aws_session_token": credentials["SessionToken"],
    }


def session(cloud, provider, user, **parameters):
    """Returns an S3 client of a user who logged in at a provider, and the subject in the response of STS."""
    answer = assume(cloud, provider, cloud.token(provider, user), **parameters)
    return client(cloud, "s3", **keys_of(answer)), answer["SubjectFromWebIdentityToken"]


class Refusal:
    code = message = status = response = None


@contextmanager
def refused(code, status, message=None):
    """Expects an error with this code and status, and with a message that matches (`re.search`). `None` as the status allows also an error
    in a stream of events that has begun."""
    refusal = Refusal()
    with pytest.raises(botocore.exceptions.ClientError, match=message) as raised:
        yield refusal
    response = raised.value.response
    refusal.response = response
    refusal.code, refusal.message = response["Error"]["Code"], response["Error"].get("Message")
    refusal.status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    assert refusal.code == code and status in (None, refusal.status), response


class Signer(S3SigV4Auth):
    """Signs the payload hash in `X-Amz-Content-SHA256`, or the body's own hash if the request has no such header."""

    def add_auth(self, request):
        self.declared = request.headers.get("X-Amz-Content-SHA256")
        super().add_auth(request)

    def payload(self, request):
        return self.declared or super().payload(request)


def sign(request, keys=ROOT, region=REGION):
    credentials = Credentials(
        keys["aws_access_key_id"], keys["aws_secret_access_key"], keys.get("aws_session_token"))
    Signer(credentials, "s3", region).add_auth(request)


def signed(cloud, method, path, *, keys=ROOT, region=REGION, body=b"", headers=None):
    """Sends a request unchanged, signed for S3 with Signature Version 4, without an SDK."""
    request = AWSRequest(method=method, url=cloud.url + path, data=body, headers=headers or {})
    sign(request, keys, region)
    return requests.request(method, request.url, data=body, headers=dict(request.headers), allow_redirects=False)


def error_of(response):
    """The members of S3's error document."""
    document = ElementTree.fromstring(response.content)
    assert document.tag == "Error", response.text
    return {element.tag: element.text or "" for element in document}


def refusal_of(response):
    """Status and code of an error response of S3."""
    return response.status_code, error_of(response)["Code"]
