"""A small office: Ann can read her own folder of a bucket but no secrets, Eve has no permissions, and a role can read."""

import json
from contextlib import contextmanager

from cloud import ACCOUNT, Cloud

ANN, ROLE = f"arn:aws:iam::{ACCOUNT}:user/staff/ann", f"arn:aws:iam::{ACCOUNT}:role/reader"

SEED = {
    "accounts": [{
        "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}],
        "users": [
            {"name": "ann", "path": "/staff/", "accessKeys": [{"id": "AKIAANN", "secret": "ann"}], "policies": {
                "own": {"Version": "2012-10-17", "Statement": [
                    {"Sid": "Own", "Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::box/${aws:username}/*"},
                    {"Sid": "NoSecrets", "Effect": "Deny", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/*/secret",
                     "Condition": {"StringNotEquals": {"aws:PrincipalTag/clearance": "high"}}}]}}},
            {"name": "eve", "accessKeys": [{"id": "AKIAEVE", "secret": "eve"}]}],
        "roles": [{
            "name": "reader",
            "trustPolicy": {"Version": "2012-10-17", "Statement": {
                "Effect": "Allow", "Principal": {"AWS": ANN}, "Action": "sts:AssumeRole"}},
            "policies": {"read": {"Version": "2012-10-17", "Statement": {
                "Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/*"}}}}],
        "buckets": [{"name": "box"}]}]}
KEYS = {name: {"aws_access_key_id": f"AKIA{name.upper()}", "aws_secret_access_key": name} for name in ["ann", "eve"]}


@contextmanager
def serving(folder, *arguments):
    """Runs a process with the office's seed, which is written into the folder."""
    path = folder / "office.json5"
    path.write_text(json.dumps(SEED))
    with Cloud.ephemeral("--seed", path, *arguments) as cloud:
        yield cloud
