"""STS of Alibaba Cloud with its SDKs: the third signature and the first, in the query and in a form, in JSON and in XML."""

import json
from xml.etree import ElementTree

import pytest
from alibabacloud_sts20150401 import models
from alibabacloud_sts20150401.client import Client
from alibabacloud_tea_openapi.models import Config
from aliyunsdkcore.acs_exception.exceptions import ServerException
from aliyunsdkcore.client import AcsClient
from aliyunsdkcore.request import CommonRequest
from Tea.exceptions import TeaException

from harbour import APP_USER, CLERK, OIDC_PROVIDER, PROVIDER, REGION, ROOT, SERVER, UID, WEB_CLIENT, WEB_USER, Keys, assume, keys_of


def tea(cloud, keys=None, **options):
    """The newer SDK, which signs with ACS3 by default."""
    keys = keys or Keys(None, None)
    return Client(Config(
        access_key_id=keys.id, access_key_secret=keys.secret, security_token=keys.token, endpoint=cloud.url.partition("://")[2],
        protocol="http", **options))


def call(cloud, action, method="POST", form=False, **parameters):
    """A request of the older SDK, built by hand."""
    request = CommonRequest(domain=cloud.url.partition("://")[2], version="2015-04-01", action_name=action)
    request.set_protocol_type("http")
    request.set_method(method)
    for name, value in parameters.items():
        (request.add_body_params if form else request.add_query_param)(name, value)
    return request


def core(cloud, action, keys=SERVER, **options):
    """The response to the older SDK, which requests JSON."""
    return json.loads(AcsClient(keys.id, keys.secret, REGION, auto_retry=False).do_action_with_exception(call(cloud, action, **options)))


@pytest.mark.parametrize("options", [{}, {"signature_algorithm": "v2"}], ids=["acs3", "rpc"])
def test_the_newer_sdk_takes_a_role_and_shows_it(harbour, options):
    request = models.AssumeRoleRequest(role_arn=APP_USER, role_session_name="alice-001", duration_seconds=900)
    answer = tea(harbour, SERVER, **options).assume_role(request)
    assert answer.status_code == 200 and answer.headers["x-acs-request-id"] == answer.body.request_id
    assert answer.body.assumed_role_user.arn == f"{APP_USER}/alice-001"
    taken = answer.body.credentials
    assert taken.access_key_id.startswith("STS.") and taken.expiration.endswith("Z")
    keys = Keys(taken.access_key_id, taken.access_key_secret, taken.security_token)
    identity = tea(harbour, keys, **options).get_caller_identity().body
    assert identity.arn == f"acs:ram::{UID}:assumed-role/app-user/alice-001" and identity.identity_type == "AssumedRoleUser"
    assert identity.account_id == UID and identity.principal_id == f"{identity.role_id}:alice-001"
    harbour.age("PT15M1S")
    with pytest.raises(TeaException) as expired:
        tea(harbour, keys, **options).get_caller_identity()
    assert expired.value.code == "InvalidSecurityToken.Expired"


def test_the_newer_sdk_is_told_what_is_wrong(harbour):
    def refusal(keys, **request):
        with pytest.raises(TeaException) as refused:
            tea(harbour, keys).assume_role(models.AssumeRoleRequest(role_session_name="alice", **request))
        return refused.value.code, refused.value.data["statusCode"]

    assert refusal(SERVER, role_arn=APP_USER + "x") == ("EntityNotExist.Role", 404)
    assert refusal(CLERK, role_arn=APP_USER) == ("NoPermission", 403)
    assert refusal(ROOT, role_arn=APP_USER) == ("NoPermission", 403)
    assert refusal(SERVER, role_arn=APP_USER, duration_seconds=3601) == ("InvalidParameter.DurationSeconds", 400)
    assert refusal(SERVER, role_arn="arn:aws:iam::000000000000:role/x") == ("InvalidParameter.RoleArn", 400)
    assert refusal(Keys("LTAInobody", "x"), role_arn=APP_USER) == ("InvalidAccessKeyId.NotFound", 404)
    assert refusal(Keys(SERVER.id, "x"), role_arn=APP_USER) == ("SignatureDoesNotMatch", 400)


def test_an_id_token_opens_a_role_without_keys(harbour):
    def taken(token, **changes):
        request = models.AssumeRoleWithOIDCRequest(
            role_arn=WEB_USER, role_session_name="alice", oidcprovider_arn=OIDC_PROVIDER, oidctoken=token, **changes)
        return tea(harbour).assume_role_with_oidc(request).body

    body = taken(harbour.token(PROVIDER, "alice", client=WEB_CLIENT))
    assert body.oidctoken_info.client_ids == WEB_CLIENT and body.assumed_role_user.arn == f"{WEB_USER}/alice"
    assert body.credentials.security_token.startswith("CAIS")
    with pytest.raises(TeaException) as malformed:
        taken("a.b.c")
    assert malformed.value.code == "AuthenticationFail.OIDCToken.Invalid"


@pytest.mark.parametrize("method, form", [("GET", False), ("POST", False), ("POST", True)])
def test_the_older_sdk_sends_its_parameters_in_either_place(harbour, method, form):
    answer = core(harbour, "AssumeRole", method=method, form=form, RoleArn=APP_USER, RoleSessionName="a.b@c-_")
    assert answer["AssumedRoleUser"]["Arn"] == f"{APP_USER}/a.b@c-_"
    request = call(harbour, "GetCallerIdentity", method=method, form=form)
    request.set_accept_format("XML")
    status, headers, body = AcsClient(SERVER.id, SERVER.secret, REGION, auto_retry=False).get_response(request)
    assert (status, headers["Content-Type"]) == (200, "text/xml;charset=utf-8"), body
    document = ElementTree.fromstring(body)
    assert document.tag == "GetCallerIdentityResponse" and document.findtext("Arn") == f"acs:ram::{UID}:user/app-server"


def test_the_older_sdk_knows_a_wrong_secret_by_the_string_to_sign(harbour):
    """The SDK compares its own string to sign with the one in the message, and returns another error code if both are equal."""
    with pytest.raises(ServerException) as refused:
        core(harbour, "GetCallerIdentity", keys=Keys(SERVER.id, "not the secret"))
    assert refused.value.http_status == 400
    assert refused.value.error_code in ("SignatureDoesNotMatch", "InvalidAccessKeySecret"), refused.value
    with pytest.raises(ServerException) as missing:
        core(harbour, "Nothing")
    assert (missing.value.error_code, missing.value.http_status) == ("InvalidAction.NotFound", 404)


def test_a_session_takes_another_role_where_its_policy_lets_it(harbour):
    narrow = {"Version": "1", "Statement": [{"Effect": "Allow", "Action": "oss:*", "Resource": "*"}]}
    keys = keys_of(assume(harbour, policy=narrow)["Credentials"])
    with pytest.raises(TeaException) as refused:
        tea(harbour, keys).assume_role(models.AssumeRoleRequest(role_arn=APP_USER, role_session_name="again"))
    assert refused.value.code == "NoPermission"
