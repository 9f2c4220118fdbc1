"""ID tokens whose key is the client's secret: applications verify them, and services that hold no secret refuse them."""

import boto3
import botocore.exceptions
import jwt
import pytest
import requests
from botocore import UNSIGNED
from botocore.config import Config

from company import issuer
from login_page import REDIRECT_URI
from openid_flow import Flow, alice

SECRET = "a-secret-with-more-than-256-bits-of-text"
CLIENT = {"id": "signer", "secret": SECRET, "redirectURIs": [REDIRECT_URI], "metadata": {"id_token_signed_response_alg": "HS256"}}


@pytest.fixture
def signer(cloud):
    cloud.control("PUT", "providers/company/clients/signer", CLIENT)


def test_an_application_verifies_a_token(cloud, signer):
    flow = Flow(cloud, client=("signer", SECRET))
    code = flow.authorize(alice()).parameters["code"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI}
    token = requests.post(flow.metadata["token_endpoint"], data=form, auth=("signer", SECRET)).json()["id_token"]
    assert jwt.get_unverified_header(token) == {"alg": "HS256", "typ": "JWT"}
    claims = jwt.decode(token, SECRET, algorithms=["HS256"], audience="signer", issuer=flow.issuer)
    assert claims["sub"] == cloud.issue("company", "alice")["subject"]
    assert {"HS256", "HS384", "HS512"} <= set(flow.metadata["id_token_signing_alg_values_supported"])


def test_sts_refuses_such_a_token(cloud):
    """The role trusts the issuer and the client. STS has no secret of any client."""
    sts = boto3.client("sts", endpoint_url=cloud.url, region_name="us-east-1", config=Config(signature_version=UNSIGNED))
    role = {"RoleArn": "arn:aws:iam::000000000000:role/personal-files-company", "RoleSessionName": "alice"}
    client = CLIENT | {"id": "web-app"}
    cloud.control("PUT", "providers/company/clients/web-app", client)
    token = cloud.token("company", "alice", client="web-app")
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        sts.assume_role_with_web_identity(**role, WebIdentityToken=token)
    assert refused.value.response["Error"]["Code"] == "InvalidIdentityToken"
    cloud.control("PUT", "providers/company/clients/web-app", client | {"metadata": {}})
    token = cloud.token("company", "alice", client="web-app")
    assert sts.assume_role_with_web_identity(**role, WebIdentityToken=token)["Credentials"]


@pytest.mark.parametrize("fault, error", [
    ("expired", jwt.ExpiredSignatureError), ("flippedSignatureBit", jwt.InvalidSignatureError), ("otherKey", jwt.InvalidSignatureError),
    ("wrongAudience", jwt.InvalidAudienceError), ("wrongIssuer", jwt.InvalidIssuerError), ("algNone", jwt.InvalidAlgorithmError),
    ("hs256WithPublicKey", jwt.InvalidSignatureError), ("embeddedKey", jwt.InvalidAlgorithmError)])
def test_a_wrong_token_on_demand_has_only_the_requested_fault(cloud, signer, fault, error):
    token = cloud.token("company", "alice", client="signer", fault=fault)
    with pytest.raises(error):
        jwt.decode(token, SECRET, algorithms=["HS256"], audience="signer", issuer=issuer(cloud))


@pytest.mark.parametrize("secret", [None, "short"], ids=["public", "short"])
def test_a_client_without_a_long_secret_is_refused(cloud, secret):
    client = {name: value for name, value in (CLIENT | {"secret": secret}).items() if value is not None}
    response = requests.put(f"{cloud.url}/_virga/providers/company/clients/signer", json=client)
    assert response.status_code == 400
    assert "at least 32 bytes" in response.text
