"""What `POST /_virga/inspect` and `POST /_virga/explain` say of a token or an assertion is what STS does with it."""

import base64
import re
import xml.etree.ElementTree as xml

import pytest
import requests

from clients import client
from cloud import ACCOUNT

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
    {"https://aws.amazon.com/tags": {"principal_tags": "no object"}}], ids=str)
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
