"""What `POST /_virga/inspect` and `POST /_virga/explain` say of a token, an assertion, a session, a URL or a form is what the service does
with it."""

import base64
import json
import re
import time
import uuid
import xml.etree.ElementTree as xml

import botocore.exceptions
import pytest
import requests
from aliyunsdkcore.acs_exception.exceptions import ServerException
from aliyunsdkcore.auth.credentials import StsTokenCredential
from aliyunsdkcore.client import AcsClient
from aliyunsdkcore.request import CommonRequest
from botocore.config import Config

from clients import assume, client, keys_of
from cloud import ACCOUNT
from harbour import OIDC_PROVIDER, REGION, WEB_CLIENT, WEB_USER
from harbour import PROVIDER as HARBOUR
from ridgeline import Backend, access_token, bearer, jwt

PROVIDER, CLIENT = "company", "web-app"
WEB_ROLE = f"arn:aws:iam::{ACCOUNT}:role/personal-files-company"
SAML_ROLE = f"arn:aws:iam::{ACCOUNT}:role/personal-files-saml"
SAML_PROVIDER = f"arn:aws:iam::{ACCOUNT}:saml-provider/company"

TOKEN_FAULTS = [
    "expired", "notYetValid", "issuedInTheFuture", "wrongAudience", "wrongIssuer", "wrongNonce", "wrongAccessTokenHash", "unknownKeyID",
    "missingKeyID", "algNone", "hs256WithPublicKey", "flippedSignatureBit", "emptySignature", "otherKey", "embeddedKey", "keySetURL",
    "embeddedCertificate", "certificateURL", "criticalExtension", "duplicateClaims", "nestedToken", "hugeClaims"]
ASSERTION_FAULTS = [
    "expired", "notYetValid", "wrongRecipient", "wrongAudience", "wrongIssuer", "unsignedAssertion", "unsigned", "flippedSignatureBit", "sha1",
    "otherKey"]


def sts(cloud, action, **parameters):
    """Returns the code and the message of STS; none if it issues credentials. Its messages name the request that it received."""
    answer = requests.post(cloud.url, data={"Action": action, "Version": "2011-06-15"} | parameters)
    if answer.status_code == 200:
        return None, None
    error = xml.fromstring(answer.text).find("{*}Error")
    return error.findtext("{*}Code"), without_request(error.findtext("{*}Message"))


def without_request(message):
    return message and re.sub("Request ID: [^;]*;", "", message)


def with_token(cloud, token):
    return sts(cloud, "AssumeRoleWithWebIdentity", RoleArn=WEB_ROLE, RoleSessionName="alice", WebIdentityToken=token)


def with_assertion(cloud, text):
    return sts(cloud, "AssumeRoleWithSAML", RoleArn=SAML_ROLE, PrincipalArn=SAML_PROVIDER, SAMLAssertion=text)


def check(cloud, text, answer, action, role):
    """Expects that inspection and explanation agree with an answer of STS, and returns its code."""
    code, message = answer
    # The policy of the role, not the token, is the reason of this one.
    is_token_accepted = code in (None, "AccessDenied")
    inspection = cloud.control("POST", "inspect", {"text": text})
    assert inspection["valid"] is is_token_accepted, (code, inspection)
    failed = [check["error"] for check in inspection["checks"] if check["passed"] is False]
    if not is_token_accepted:
        assert (failed[0]["code"], without_request(failed[0]["message"])) == (code, message), inspection
    explanation = requests.post(f"{cloud.url}/_virga/explain", json={"token": text, "action": f"sts:{action}", "resource": role})
    if is_token_accepted:
        assert (explanation.json()["decision"] == "allowed") == (code is None), explanation.text
    else:
        assert explanation.json()["error"] == "invalid_token", explanation.text
    return code


def check_token(cloud, token):
    return check(cloud, token, with_token(cloud, token), "AssumeRoleWithWebIdentity", WEB_ROLE)


def check_assertion(cloud, text):
    return check(cloud, text, with_assertion(cloud, text), "AssumeRoleWithSAML", SAML_ROLE)


def assertion(cloud, **order):
    order = {"provider": PROVIDER, "user": "alice", "serviceProvider": "urn:amazon:webservices"} | order
    return cloud.control("POST", "tokens", order)["SAMLResponse"]


def test_of_a_good_token_and_of_every_fault(cloud):
    assert check_token(cloud, cloud.token(PROVIDER, "alice", client=CLIENT)) is None
    codes = {fault: check_token(cloud, cloud.token(PROVIDER, "alice", client=CLIENT, fault=fault)) for fault in TOKEN_FAULTS
             if fault != "hugeClaims"}
    # STS does not know the nonce and the access token, and takes the last of two claims.
    assert {fault for fault, code in codes.items() if code is None} == {"wrongNonce", "wrongAccessTokenHash", "duplicateClaims"}


def test_of_a_token_that_is_too_long(cloud):
    """STS refuses the parameter; an explanation has no parameters and refuses the token."""
    token = cloud.token(PROVIDER, "alice", client=CLIENT, fault="hugeClaims")
    inspection = cloud.control("POST", "inspect", {"text": token})
    error = next(check["error"] for check in inspection["checks"] if check["passed"] is False)
    assert (error["code"], error["message"]) == with_token(cloud, token)


@pytest.mark.parametrize("change", [
    {"aud": "other"}, {"aud": [CLIENT, "other"]}, {"aud": []}, {"azp": "other"}, {"iss": "https://elsewhere.example"}, {"sub": ""},
    {"sub": "nobody"}, {"exp": "soon"}, {"exp": 0}, {"iat": None}, {"nbf": 1 << 50},
    {"https://aws.amazon.com/roles": [WEB_ROLE]}, {"https://aws.amazon.com/roles": [f"arn:aws:iam::{ACCOUNT}:role/other"]},
    {"https://aws.amazon.com/tags": {"principal_tags": "no object"}},
    # The role's policy does not allow sts:TagSession.
    {"https://aws.amazon.com/tags": {"principal_tags": {"team": ["red"]}}}], ids=str)
def test_of_changed_claims(cloud, change):
    token = cloud.token(PROVIDER, "alice", client=CLIENT, claims=change)
    code, message = with_token(cloud, token)
    if message == "The target role ARN is not present in the roles claim of the identity token":
        # Not a defect of the token: another role accepts it.
        assert cloud.control("POST", "inspect", {"text": token})["roles"] != []
        explanation = requests.post(
            f"{cloud.url}/_virga/explain", json={"token": token, "action": "sts:AssumeRoleWithWebIdentity", "resource": WEB_ROLE})
        assert explanation.json()["error"] == "invalid_token", explanation.text
        assert change == {"https://aws.amazon.com/roles": [f"arn:aws:iam::{ACCOUNT}:role/other"]}
        return
    check_token(cloud, token)


@pytest.mark.parametrize("network", ["127.0.0.0/8", "10.0.0.0/8"])
def test_of_a_role_that_depends_on_the_network(cloud, network):
    iam = client(cloud, "iam")
    trust = iam.get_role(RoleName="personal-files-company")["Role"]["AssumeRolePolicyDocument"]
    trust["Statement"][0]["Condition"]["IpAddress"] = {"aws:SourceIp": network}
    iam.update_assume_role_policy(RoleName="personal-files-company", PolicyDocument=json.dumps(trust))
    code = check_token(cloud, cloud.token(PROVIDER, "alice", client=CLIENT))
    assert code == (None if network.startswith("127.") else "AccessDenied")


def test_of_changed_characters(cloud):
    token = cloud.token(PROVIDER, "alice", client=CLIENT)
    header = token.index(".")
    for place in range(header + 1, len(token), 41):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1:]
        inspection = cloud.control("POST", "inspect", {"text": changed})
        assert inspection["valid"] is False, (place, inspection)
        # A payload that is no JSON is a text without claims.
        if "claims" in inspection["decoded"]:
            assert check_token(cloud, changed) == "InvalidIdentityToken"


def test_of_ages_and_changed_keys(cloud):
    token, text = cloud.token(PROVIDER, "alice", client=CLIENT), assertion(cloud)
    assert (check_token(cloud, token), check_assertion(cloud, text)) == (None, None)
    cloud.age("PT4M")
    assert (check_token(cloud, token), check_assertion(cloud, text)) == (None, None)
    cloud.age("PT2M")
    assert (check_token(cloud, token), check_assertion(cloud, text)) == (None, "ExpiredTokenException")
    cloud.control("POST", "keys/rotate", {"provider": PROVIDER})
    cloud.age("P30D")
    assert (check_token(cloud, token), check_assertion(cloud, text)) == (with_token(cloud, token)[0], with_assertion(cloud, text)[0])
    assert None not in (with_token(cloud, token)[0], with_assertion(cloud, text)[0])


def test_of_a_good_assertion_and_of_every_fault(cloud):
    assert check_assertion(cloud, assertion(cloud)) is None
    codes = {fault: check_assertion(cloud, assertion(cloud, fault=fault)) for fault in ASSERTION_FAULTS}
    # STS checks neither NotBefore nor the audience. The role's policy reads the recipient.
    assert codes["wrongRecipient"] == "AccessDenied"
    assert {fault for fault, code in codes.items() if code is None} <= {"notYetValid", "wrongAudience"}
    assert codes["expired"] == "ExpiredTokenException" and codes["otherKey"] == "InvalidIdentityToken"


def test_of_a_changed_assertion(cloud):
    document = base64.b64decode(assertion(cloud))
    places = [match.start(1) for match in re.finditer(rb">([A-Za-z0-9])", document)]
    assert len(places) > 5
    for place in places:
        other = b"b" if document[place:place + 1] != b"b" else b"c"
        changed = base64.b64encode(document[:place] + other + document[place + 1:]).decode()
        if b"/SAML/Attributes/Role\"" in document[:place][-400:]:
            # A response that names no provider of an account is not for STS.
            continue
        inspection = cloud.control("POST", "inspect", {"text": changed})
        assert inspection["valid"] is (with_assertion(cloud, changed)[0] is None), (place, inspection)


def test_of_a_removed_provider(cloud):
    token = cloud.token(PROVIDER, "alice", client=CLIENT)
    arn = f"arn:aws:iam::{ACCOUNT}:oidc-provider/login.company.example"
    client(cloud, "iam").delete_open_id_connect_provider(OpenIDConnectProviderArn=arn)
    assert with_token(cloud, token)[0] == "InvalidIdentityToken"
    # No account trusts the issuer any more, so that its applications decide.
    inspection = cloud.control("POST", "inspect", {"text": token})
    assert inspection["valid"] is True and all(not role["accepts"] for role in inspection["roles"])


def first_error(inspection):
    failed = [check["error"] for check in inspection["checks"] if check["passed"] is False]
    return (failed[0] and failed[0]["code"]) if failed else None


def check_session(cloud, keys):
    """Expects that the inspection of a session token is what STS says to its holder, and returns the code of STS."""
    try:
        client(cloud, "sts", **keys).get_caller_identity()
        code = None
    except botocore.exceptions.ClientError as error:
        code = error.response["Error"]["Code"]
    inspection = cloud.control("POST", "inspect", {"text": keys["aws_session_token"]})
    assert inspection["valid"] is (code is None), (code, inspection)
    # A changed token cannot be opened, so that it is not known as a session.
    if inspection["kind"] == "session_token":
        assert first_error(inspection) == code, inspection
    return code


def sessions(cloud):
    iam = client(cloud, "iam")
    iam.create_user(UserName="guest-maker")
    iam.put_user_policy(UserName="guest-maker", PolicyName="all", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}))
    key = iam.create_access_key(UserName="guest-maker")["AccessKey"]
    user = client(cloud, "sts", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
    return {
        "role": keys_of(assume(cloud, PROVIDER, cloud.token(PROVIDER, "alice", client=CLIENT), RoleArn=WEB_ROLE)),
        "root": keys_of(client(cloud, "sts").get_session_token(DurationSeconds=3600)),
        "user": keys_of(user.get_session_token(DurationSeconds=3600)),
        "federated user": keys_of(user.get_federation_token(Name="guest", DurationSeconds=3600)),
    }


def test_of_aged_sessions(cloud):
    for keys in (held := sessions(cloud)).values():
        assert check_session(cloud, keys) is None
    cloud.age("PT50M")
    assert {check_session(cloud, keys) for keys in held.values()} == {None}
    cloud.age("PT11M")
    assert {check_session(cloud, keys) for keys in held.values()} == {"ExpiredToken"}


def test_of_sessions_whose_holder_was_removed(cloud):
    held = sessions(cloud)
    iam = client(cloud, "iam")
    for key in iam.list_access_keys(UserName="guest-maker")["AccessKeyMetadata"]:
        iam.delete_access_key(UserName="guest-maker", AccessKeyId=key["AccessKeyId"])
    iam.delete_user_policy(UserName="guest-maker", PolicyName="all")
    iam.delete_user(UserName="guest-maker")
    codes = {name: check_session(cloud, keys) for name, keys in held.items()}
    assert codes == {"role": None, "root": None, "user": "InvalidClientTokenId", "federated user": "InvalidClientTokenId"}
    # A new user with the same name is another one.
    iam.create_user(UserName="guest-maker")
    assert check_session(cloud, held["user"]) == "InvalidClientTokenId"


def test_of_changed_session_tokens(cloud):
    keys = sessions(cloud)["role"]
    token = keys["aws_session_token"]
    for place in range(0, len(token) - 2, 97):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1:]
        assert check_session(cloud, keys | {"aws_session_token": changed}) is not None, place


def posted(cloud, form):
    answer = requests.post(form["url"], data=form["fields"], files={"file": ("x", b"x")})
    return None if answer.status_code == 204 else xml.fromstring(answer.text).findtext("Code")


def check_form(cloud, form):
    """Expects that the inspection of a form's policy is what S3 says to the form, and returns the code of S3."""
    code = posted(cloud, form)
    inspection = cloud.control("POST", "inspect", {"text": form["fields"]["policy"]})
    assert inspection["kind"] == "post_policy"
    assert (inspection["valid"], first_error(inspection)) == (code is None, code), inspection
    return code


@pytest.mark.parametrize("version, aged", [("s3v4", "AccessDenied"), ("s3", None)])
def test_of_aged_forms(cloud, bucket, version, aged):
    """Only a form of Version 4 has a signing time, with which it ages."""
    form = client(cloud, "s3", config=Config(signature_version=version)).generate_presigned_post(bucket, "x", ExpiresIn=600)
    assert check_form(cloud, form) is None
    cloud.age("PT11M")
    assert check_form(cloud, form) == aged


def test_of_a_form_that_has_expired(cloud, bucket):
    form = client(cloud, "s3", config=Config(signature_version="s3")).generate_presigned_post(bucket, "x", ExpiresIn=-60)
    assert check_form(cloud, form) == "AccessDenied"


@pytest.mark.parametrize("change", [
    {"expiration": "soon"}, {"expiration": "2099-01-01T00:00:00"}, {"conditions": {}}, {"other": 1}, {"conditions": [["like", "$key", "x"]]},
    {"conditions": [["eq", "$key"]]}, {"conditions": [["eq", "$key", 1]]}, {"conditions": [{"key": "x", "bucket": "y"}]}], ids=json.dumps)
def test_of_malformed_form_policies(cloud, change):
    """None of them is a policy of S3; a policy with other members is one of OSS."""
    document = {"expiration": "2099-01-01T00:00:00Z", "conditions": []} | change
    inspection = cloud.control("POST", "inspect", {"text": base64.b64encode(json.dumps(document).encode()).decode()})
    if "other" in change:
        assert (inspection["valid"], inspection["decoded"]["service"]) == (True, "OSS")
    else:
        assert (inspection["valid"], first_error(inspection)) == (False, "InvalidPolicyDocument"), inspection


@pytest.mark.parametrize("version", ["s3v4", "s3"])
def test_of_presigned_urls(cloud, root, bucket, version):
    root.put_object(Bucket=bucket, Key="object", Body=b"x")
    s3 = client(cloud, "s3", config=Config(signature_version=version))

    def check_url(url):
        answer = requests.get(url)
        code = None if answer.status_code == 200 else xml.fromstring(answer.text).findtext("Code")
        inspection = cloud.control("POST", "inspect", {"text": url})
        assert (inspection["valid"], first_error(inspection)) == (code is None, code), (url, inspection)
        return code

    url = s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "object"}, ExpiresIn=600)
    assert check_url(url) is None
    assert check_url(url.replace("/object", "/objecx")) == "SignatureDoesNotMatch"
    assert check_url(url.replace("Signature=", "Signature=z")) is not None
    # A URL of Version 2 does not say when it was signed, so that it does not age.
    cloud.age("PT11M")
    assert check_url(url) == (None if version == "s3" else "AccessDenied")


def test_of_mobile_tokens(ridgeline):
    """The errors of the platform have a code of their own."""
    care = Backend(ridgeline, "LiftCare")
    token = access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))

    def check_mobile(token):
        answer = care.call("GET", "/mobile/platform/users/~", bearer(token))
        code = None if answer.status_code == 200 else answer.json()["o:errorCode"]
        inspection = ridgeline.control("POST", "inspect", {"text": token})
        assert (inspection["kind"], inspection["valid"], first_error(inspection)) == ("mobile_token", code is None, code), inspection
        return code

    assert check_mobile(token) is None
    start = token.rindex(".") + 1
    codes = {check_mobile(token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1:])
             for place in range(start, len(token) - 2, 37)}
    assert len(codes) == 1 and None not in codes
    ridgeline.age("P30D")
    assert check_mobile(token) is not None


def assume_with_oidc(harbour, token):
    """Returns the answer of Alibaba Cloud's STS, and its code; none if it issues credentials."""
    answer = requests.post(harbour.url, headers={"Host": "sts.cn-hangzhou.aliyuncs.com"}, data={
        "Action": "AssumeRoleWithOIDC", "Version": "2015-04-01", "Format": "JSON",
        "Timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "SignatureNonce": str(uuid.uuid4()), "RoleArn": WEB_USER,
        "OIDCProviderArn": OIDC_PROVIDER, "RoleSessionName": "alice", "OIDCToken": token})
    return answer.json(), answer.json().get("Code")


@pytest.mark.parametrize("fault", [None, *TOKEN_FAULTS])
def test_of_tokens_for_alibaba_cloud(harbour, fault):
    token = harbour.token(HARBOUR, "alice", client=WEB_CLIENT, **({"fault": fault} if fault else {}))
    answer, code = assume_with_oidc(harbour, token)
    # The policy of the role, not the token, is the reason of this one.
    code = None if code == "NoPermission" else code
    inspection = harbour.control("POST", "inspect", {"text": token})
    # A nested token has no claims, and a token of another issuer is for no provider.
    if "claims" in inspection["decoded"] and fault != "wrongIssuer":
        assert (inspection["valid"], first_error(inspection)) == (code is None, code), (answer, inspection)
    assert (code is None) == (fault in {None, "wrongNonce", "wrongAccessTokenHash", "duplicateClaims"}), code


def test_of_aged_tokens_and_sessions_of_alibaba_cloud(harbour):
    token = harbour.token(HARBOUR, "alice", client=WEB_CLIENT)
    answer = assume_with_oidc(harbour, token)[0]["Credentials"]
    credential = StsTokenCredential(answer["AccessKeyId"], answer["AccessKeySecret"], answer["SecurityToken"])

    def check_session():
        request = CommonRequest(domain=harbour.url.partition("://")[2], version="2015-04-01", action_name="GetCallerIdentity")
        request.set_protocol_type("http")
        try:
            AcsClient(region_id=REGION, credential=credential, auto_retry=False).do_action_with_exception(request)
            code = None
        except ServerException as error:
            code = error.get_error_code()
        inspection = harbour.control("POST", "inspect", {"text": answer["SecurityToken"]})
        assert (inspection["kind"], inspection["valid"], first_error(inspection)) == ("session_token", code is None, code), inspection
        return code

    assert check_session() is None
    harbour.age("PT30M")
    assert check_session() is None
    harbour.age("P30D")
    assert check_session() == "InvalidSecurityToken.Expired"
    code = assume_with_oidc(harbour, token)[1]
    inspection = harbour.control("POST", "inspect", {"text": token})
    assert code is not None and (inspection["valid"], first_error(inspection)) == (False, code), inspection
