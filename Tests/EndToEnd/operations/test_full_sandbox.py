"""What each service answers when a sandbox has its maximum size: an error that clients do not repeat."""

import json
import os

import botocore.exceptions
import oss2
import requests
from alibabacloud_ram20150501 import models
from alibabacloud_tea_openapi.exceptions import ClientException

import harbour
import ridgeline
from clients import assume, client, keys_of
from cloud import BUCKET, REPOSITORY, Cloud
from sandboxes import Sandbox
from test_alibaba_ram import ram
from test_sandbox_credentials import flow_at


def until_refused(call, most=3000):
    """Repeats a call that writes until it fails, and returns how."""
    for number in range(most):
        try:
            answer = call(number)
        except botocore.exceptions.ClientError as error:
            return error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]
        except oss2.exceptions.ServerError as error:
            return error.status, error.code
        except ClientException as error:
            return error.status_code, error.code
        if isinstance(answer, requests.Response) and not answer.ok:
            return answer.status_code, answer.json()
    raise AssertionError("every call succeeded")


def test_each_service_refuses_a_write_into_a_full_sandbox_so_that_clients_do_not_repeat_it():
    seeds = [argument for name in ("personal-file-store", "mobile-cloud", "alibaba")
             for argument in ("--seed", REPOSITORY / "seed" / f"{name}.json5")]
    with Cloud.ephemeral(*seeds, "--sandbox-size", "4M") as process:
        sandbox = Sandbox.create(process)
        marc = sandbox.control("GET", "mobile/realms/Default(1.0)/users/marc")
        sandbox.control("PUT", "mobile/realms/Default(1.0)/users/marc", marc | {"password": "marc-password"})
        s3 = client(sandbox, "s3")
        for size in (500_000, 60_000):
            assert until_refused(lambda number: s3.put_object(
                Bucket=BUCKET, Key=f"{size}/{number}", Body=os.urandom(size))) == (403, "QuotaExceeded")
        assert until_refused(lambda number: s3.put_object(
            Bucket=BUCKET, Key=f"empty/{number}/{'x' * 800}")) == (403, "QuotaExceeded")
        photos = harbour.bucket(sandbox, harbour.PHOTOS)
        assert until_refused(lambda number: photos.put_object(f"{number}/{'x' * 800}", b"")) == (403, "QuotaExceeded")
        iam = client(sandbox, "iam")

        def policy(version, action, resource):
            return json.dumps({"Version": version, "Statement": [
                {"Effect": "Allow", "Action": action, "Resource": [f"{resource}/{number}"]} for number in range(25)]})

        assert until_refused(
            lambda number: iam.create_policy(PolicyName=f"p{number}", PolicyDocument=policy("2012-10-17", "s3:GetObject", "arn:aws:s3:::b"))) == (409, "LimitExceeded")
        assert until_refused(lambda number: ram(sandbox).create_policy(
            models.CreatePolicyRequest(policy_name=f"p{number}", policy_document=policy("1", "oss:GetObject", "acs:oss:*:*:b")))) == (409, "LimitExceeded")
        request = flow_at(sandbox).metadata["pushed_authorization_request_endpoint"]
        form = {"response_type": "code", "redirect_uri": "http://localhost:8765/callback", "state": "x" * 4000}
        status, body = until_refused(lambda number: requests.post(request, data=form, auth=("web-app", "web-app-client-secret")))
        assert (status, body["error"]) == (507, "server_error")
        app = ridgeline.Backend(sandbox, "LiftCare")
        objects = f"{sandbox.url}/mobile/platform/storage/collections/manuals/objects"
        status, body = until_refused(lambda number: requests.put(
            f"{objects}/{number}{'x' * 80}", data=b"x", headers=app.basic("marc") | {"Content-Type": "text/plain"}))
        assert (status, body["o:errorCode"]) == (507, "MOBILE-15015")
        # Reads go on, and so do sessions, which need no space.
        assert keys_of(assume(sandbox, "company", sandbox.token("company", "alice")))
        assert process.stop() == 0
