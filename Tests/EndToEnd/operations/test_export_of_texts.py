"""Whatever text a client stores by a protocol, the export of the sandbox can be imported and is a faithful copy; or the text is refused."""

import json
import urllib.parse
import uuid

import boto3
import pytest
import requests
from alibabacloud_ram20150501 import models
from alibabacloud_ram20150501.client import Client as RamClient
from alibabacloud_tea_openapi.exceptions import ClientException
from alibabacloud_tea_openapi.models import Config
from botocore.config import Config as BotoConfig
from botocore.exceptions import ClientError

from cloud import REPOSITORY

TEXTS = ["a\x00b", "\x00", "a\x01\x1fb", "a\x7f\x85b", "a\uffff\ufffeb", "a\u2028b", "a\\u0000b", "a\"'\\\r\n\tb", "a\U0010ffffb", "ｅ́ é"]


class Refused(Exception):
    pass


def aws(service, url):
    config = BotoConfig(retries={"max_attempts": 0}, parameter_validation=False, s3={"addressing_style": "path"})
    return boto3.client(
        service, endpoint_url=url, aws_access_key_id="test", aws_secret_access_key="test", region_name="us-east-1", config=config)


def register(url, **members):
    document = {"redirect_uris": ["http://localhost:8765/cb"]} | members
    answer = requests.post(f"{url}/idp/company/register", json=document)
    if answer.status_code >= 400:
        raise Refused(answer.text)


def policy(text, **elements):
    statement = {"Effect": "Allow", "Action": "s3:GetObject", "Condition": {"StringEquals": {"aws:UserAgent": text}}} | elements
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def trust(text):
    return policy(text, Action="sts:AssumeRole", Principal={"AWS": "*"})


def box(url):
    client = aws("s3", url)
    client.create_bucket(Bucket="box")
    return client


def inline(url, text):
    aws("iam", url).create_user(UserName="u")
    aws("iam", url).put_user_policy(UserName="u", PolicyName="p", PolicyDocument=policy(text, Resource="*"))


def bucket_policy(url, text):
    client = box(url)
    client.delete_public_access_block(Bucket="box")
    client.put_bucket_policy(Bucket="box", Policy=policy(text, Principal="*", Resource="arn:aws:s3:::box/*"))


def ram(url):
    return RamClient(Config(
        access_key_id="LTAI5tHarbourRoot0000001", access_key_secret="HarbourRootSecret0123456789abc", protocol="http",
        endpoint=url.partition("://")[2]))


def ram_policy(text):
    statement = {"Effect": "Allow", "Action": "oss:GetObject", "Resource": "*", "Condition": {"StringEquals": {"acs:UserAgent": text}}}
    return json.dumps({"Version": "1", "Statement": [statement]})


DOORS = {
    "registration: client_name": lambda url, text: register(url, client_name=text),
    "registration: contacts": lambda url, text: register(url, contacts=[text]),
    "registration: jwks": lambda url, text: register(
        url, jwks={"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": text}]}),
    "registration: a further name": lambda url, text: register(url, jwks={"keys": [], text: text}),
    "IAM: user": lambda url, text: aws("iam", url).create_user(UserName=text),
    "IAM: path": lambda url, text: aws("iam", url).create_user(UserName="u", Path=f"/{text}/"),
    "IAM: tag": lambda url, text: aws("iam", url).create_user(UserName="u", Tags=[{"Key": "k", "Value": text}]),
    "IAM: key of a tag": lambda url, text: aws("iam", url).create_user(UserName="u", Tags=[{"Key": text, "Value": "v"}]),
    "IAM: role": lambda url, text: aws("iam", url).create_role(
        RoleName="r", AssumeRolePolicyDocument=trust("x"), Description=text),
    "IAM: trust policy": lambda url, text: aws("iam", url).create_role(RoleName="r", AssumeRolePolicyDocument=trust(text)),
    "IAM: policy": lambda url, text: aws("iam", url).create_policy(
        PolicyName="p", PolicyDocument=policy("x", Resource="*"), Description=text),
    "IAM: policy document": lambda url, text: aws("iam", url).create_policy(PolicyName="p", PolicyDocument=policy(text, Resource="*")),
    "IAM: inline policy": inline,
    "S3: bucket policy": bucket_policy,
    "S3: key": lambda url, text: box(url).put_object(Bucket="box", Key=text, Body=b"1"),
    "S3: metadata": lambda url, text: box(url).put_object(Bucket="box", Key="k", Body=b"1", Metadata={"m": text.encode("ascii", "replace").decode()}),
    "S3: content type": lambda url, text: box(url).put_object(Bucket="box", Key="k", Body=b"1", ContentType=text),
    "S3: body": lambda url, text: box(url).put_object(Bucket="box", Key="k", Body=text.encode()),
    "S3: tag": lambda url, text: box(url).put_object(Bucket="box", Key="k", Body=b"1", Tagging=f"t={urllib.parse.quote(text)}"),
    "RAM: user": lambda url, text: ram(url).create_user(models.CreateUserRequest(user_name="zoe", display_name=text, comments=text)),
    "RAM: role": lambda url, text: ram(url).create_role(models.CreateRoleRequest(
        role_name="zoe", description=text, assume_role_policy_document=json.dumps({
            "Version": "1", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"RAM": ["*"]}}]}))),
    "RAM: policy": lambda url, text: ram(url).create_policy(
        models.CreatePolicyRequest(policy_name="zoe", description=text, policy_document=ram_policy("x"))),
    "RAM: policy document": lambda url, text: ram(url).create_policy(
        models.CreatePolicyRequest(policy_name="zoe", policy_document=ram_policy(text))),
}


@pytest.mark.parametrize("door", DOORS)
def test_an_export_is_a_faithful_copy(process, door):
    name = f"t{uuid.uuid4().hex[:12]}"
    control = f"{process.url}/_virga/sandboxes/{name}"
    requests.put(control, json={"port": True}).raise_for_status()
    try:
        url = requests.get(control).json()["portURL"]
        seed = (REPOSITORY / "seed" / "alibaba.json5").read_bytes() if door.startswith("RAM") else requests.get(f"{url}/_virga/seed").content
        for text in TEXTS:
            requests.put(f"{url}/_virga/seed", data=seed).raise_for_status()
            try:
                DOORS[door](url, text)
            except (Refused, ClientError, ClientException):
                continue
            exported = requests.get(f"{url}/_virga/seed")
            exported.raise_for_status()
            imported = requests.put(f"{url}/_virga/seed", data=exported.content)
            assert imported.status_code == 200, (text, imported.text)
            assert requests.get(f"{url}/_virga/seed").json() == exported.json(), text
    finally:
        requests.delete(control)
