"""The domain of a user pool of Amazon Cognito: Authlib and requests at its endpoints."""

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session

from clients import client, refused
from cloud import REPOSITORY, TIMEOUT_SECONDS
from sandboxes import Sandbox
from user_pools import claims

POOL = "us-east-1_Lighthous"
MACHINE = ("lighthousemachine", "lighthouse-machine-secret")
HOST = "lighthouse.auth.us-east-1.amazoncognito.com"


@pytest.fixture(scope="module")
def process_of_domain(process):
    with Sandbox.seeded(process, (REPOSITORY / "seed" / "user-pools.json5").read_text()) as cloud:
        yield cloud


@pytest.fixture
def lighthouse(process_of_domain):
    process_of_domain.reset()
    return process_of_domain


@pytest.fixture
def base(lighthouse):
    """The URL of the pool's domain."""
    return f"{lighthouse.url}/{POOL}"


def test_c43_an_app_gets_tokens_of_its_own(base):
    for method in ("client_secret_basic", "client_secret_post"):
        session = OAuth2Session(*MACHINE, scope="harbour/read", token_endpoint_auth_method=method)
        token = session.fetch_token(f"{base}/oauth2/token", grant_type="client_credentials")
        assert token["token_type"] == "Bearer" and "id_token" not in token and "refresh_token" not in token
        found = claims(token["access_token"])
        assert found["scope"] == "harbour/read" and found["sub"] == found["client_id"] == MACHINE[0] and "username" not in found


def test_c42_refusals_have_the_code_of_the_service(base):
    def post(**form):
        return requests.post(f"{base}/oauth2/token", data=form, timeout=TIMEOUT_SECONDS)

    identity = {"client_id": MACHINE[0], "client_secret": MACHINE[1]}
    for form, code in [
        (identity, "invalid_request"),
        (identity | {"grant_type": "password"}, "unsupported_grant_type"),
        (identity | {"grant_type": "client_credentials", "client_secret": "wrong"}, "invalid_client"),
        (identity | {"grant_type": "client_credentials", "scope": "harbour/delete"}, "invalid_scope"),
    ]:
        answer = post(**form)
        assert answer.status_code == 400 and answer.json() == {"error": code}


def test_c45_the_domain_is_at_its_host_name_and_below_the_pool(lighthouse, base):
    form = {"grant_type": "client_credentials"}
    for url, headers in [(base, {}), (lighthouse.url, {"Host": HOST})]:
        answer = requests.post(f"{url}/oauth2/token", data=form, auth=MACHINE, headers=headers, timeout=TIMEOUT_SECONDS)
        assert answer.status_code == 200 and answer.json()["token_type"] == "Bearer"
    admin = client(lighthouse, "cognito-idp")
    assert admin.describe_user_pool_domain(Domain="lighthouse")["DomainDescription"]["UserPoolId"] == POOL
    with refused("InvalidParameterException", 400, "User pool already has domain configured."):
        admin.create_user_pool_domain(Domain="other", UserPoolId=POOL)
    admin.delete_user_pool_domain(Domain="lighthouse", UserPoolId=POOL)
    assert admin.describe_user_pool_domain(Domain="lighthouse")["DomainDescription"] == {}
    gone = requests.post(f"{base}/oauth2/token", data=form, auth=MACHINE, timeout=TIMEOUT_SECONDS)
    assert gone.status_code == 400
