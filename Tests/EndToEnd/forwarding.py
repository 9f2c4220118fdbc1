"""moto in server mode, to which the tests of forwarded services forward, and callers with policies."""

import itertools
import json
import socket
import subprocess
import sys
from contextlib import closing, contextmanager

from clients import client, keys_of
from cloud import ACCOUNT, TIMEOUT_SECONDS, clean_environment, free_port, wait_until

numbers = itertools.count(1)


@contextmanager
def moto(port=None):
    """Yields the URL of a new moto."""
    port = port or free_port()
    # Its own requests to AWS, if it had any, must not leave this machine.
    environment = clean_environment(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", NO_PROXY="*")
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port) or process.poll() is not None)
        assert process.poll() is None, f"moto ended with {process.returncode}"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


def listens(port):
    with closing(socket.socket()) as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def closed_port():
    """A port of this machine on which nothing listens."""
    return free_port()


def document(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def allow(action, resource, **more):
    return {"Effect": "Allow", "Action": action, "Resource": resource} | more


def deny(action, resource):
    return {"Effect": "Deny", "Action": action, "Resource": resource}


def user(cloud, *statements, boundary=None):
    """The keys of a new user with a policy."""
    iam, name = client(cloud, "iam"), f"user-{next(numbers)}"
    edge = {}
    if boundary:
        edge["PermissionsBoundary"] = iam.create_policy(PolicyName=name, PolicyDocument=document(boundary))["Policy"]["Arn"]
    iam.create_user(UserName=name, **edge)
    if statements:
        iam.put_user_policy(UserName=name, PolicyName="p", PolicyDocument=document(*statements))
    made = iam.create_access_key(UserName=name)["AccessKey"]
    return {"aws_access_key_id": made["AccessKeyId"], "aws_secret_access_key": made["SecretAccessKey"]}


def session(cloud, *statements, policy=None):
    """The keys of a session of a new role with a policy."""
    iam, name = client(cloud, "iam"), f"role-{next(numbers)}"
    trust = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}}
    arn = iam.create_role(RoleName=name, AssumeRolePolicyDocument=document(trust))["Role"]["Arn"]
    iam.put_role_policy(RoleName=name, PolicyName="p", PolicyDocument=document(*statements))
    assumer = user(cloud, allow("sts:AssumeRole", arn))
    narrower = {"Policy": document(policy)} if policy else {}
    return keys_of(client(cloud, "sts", **assumer).assume_role(RoleArn=arn, RoleSessionName="tester", **narrower))
