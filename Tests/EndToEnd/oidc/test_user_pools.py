"""User pools of Amazon Cognito: pycognito's SRP, boto3 for the calls of apps and of administrators, PyJWT for the tokens."""

import time

import jwt
import pytest
import requests

from clients import anonymous, client, refused
from cloud import REPOSITORY
from one_time_passwords import code
from sandboxes import Sandbox
from user_pools import codes, secret_hash

POOL = "us-east-1_Lighthous"
WEB = "lighthouseweb"
PASSWORD = "Lamp-0il-1858"
ISSUER = f"https://cognito-idp.us-east-1.amazonaws.com/{POOL}"


@pytest.fixture(scope="module")
def lighthouse_process(process):
    with Sandbox.seeded(process, (REPOSITORY / "seed" / "user-pools.json5").read_text()) as cloud:
        yield cloud


@pytest.fixture
def lighthouse(lighthouse_process):
    lighthouse_process.reset()
    return lighthouse_process


@pytest.fixture
def app(lighthouse):
    return anonymous(lighthouse, "cognito-idp")


@pytest.fixture
def admin(lighthouse):
    return client(lighthouse, "cognito-idp")


def sign_in(app, name="alice", password=PASSWORD):
    return app.initiate_auth(
        AuthFlow="USER_PASSWORD_AUTH", ClientId=WEB, AuthParameters={"USERNAME": name, "PASSWORD": password})


def srp(app, name, password):
    from pycognito.aws_srp import AWSSRP

    return AWSSRP(username=name, password=password, pool_id=POOL, client_id=WEB, client=app)


def test_c27_pycognito_signs_in_by_srp(app):
    tokens = srp(app, "alice", PASSWORD).authenticate_user()["AuthenticationResult"]
    assert app.get_user(AccessToken=tokens["AccessToken"])["Username"] == "alice"


def test_c27_a_wrong_password_is_refused(app):
    with refused("NotAuthorizedException", 400, "Incorrect username or password."):
        srp(app, "alice", "Wr0ng-one").authenticate_user()


def test_c27_an_unknown_person_is_refused_like_a_wrong_password(app):
    with refused("NotAuthorizedException", 400, "Incorrect username or password."):
        srp(app, "ghost", PASSWORD).authenticate_user()


def test_c28_pycognito_sets_the_first_password(app):
    from pycognito.exceptions import ForceChangePasswordException

    with pytest.raises(ForceChangePasswordException):
        srp(app, "bob", "Inv1ted-once").authenticate_user()
    tokens = srp(app, "bob", "Inv1ted-once").set_new_password_challenge("New-0il-1859")["AuthenticationResult"]
    assert app.get_user(AccessToken=tokens["AccessToken"])["Username"] == "bob"


def test_c35_a_verified_alias_signs_in(app):
    tokens = srp(app, "alice@lighthouse.example", PASSWORD).authenticate_user()["AuthenticationResult"]
    assert app.get_user(AccessToken=tokens["AccessToken"])["Username"] == "alice"


def test_c33_a_library_verifies_both_tokens(app, lighthouse):
    tokens = sign_in(app)["AuthenticationResult"]
    keys = jwt.PyJWKClient(f"{lighthouse.url}/{POOL}/.well-known/jwks.json")
    identity = jwt.decode(
        tokens["IdToken"], keys.get_signing_key_from_jwt(tokens["IdToken"]).key, algorithms=["RS256"], audience=WEB, issuer=ISSUER)
    access = jwt.decode(
        tokens["AccessToken"], keys.get_signing_key_from_jwt(tokens["AccessToken"]).key, algorithms=["RS256"], issuer=ISSUER)
    assert identity["cognito:username"] == access["username"] == "alice" and access["client_id"] == WEB
    assert identity["cognito:preferred_role"] == "arn:aws:iam::000000000000:role/keeper" and identity["custom:team"] == "lamp"


AWS_HOST = {"Host": "cognito-idp.us-east-1.amazonaws.com"}


def test_c39_documents_at_the_name_of_aws_have_names_of_aws(app, lighthouse):
    document = requests.get(f"{lighthouse.url}/{POOL}/.well-known/openid-configuration", headers=AWS_HOST, timeout=10).json()
    assert document["issuer"] == ISSUER and document["jwks_uri"] == f"{ISSUER}/.well-known/jwks.json"
    keys = jwt.PyJWKClient(f"{lighthouse.url}/{POOL}/.well-known/jwks.json", headers=AWS_HOST)
    token = sign_in(app)["AuthenticationResult"]["IdToken"]
    jwt.decode(token, keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], audience=WEB, issuer=document["issuer"])


def test_c39_discovery_spells_the_host_that_was_asked(lighthouse):
    document = requests.get(f"{lighthouse.url}/{POOL}/.well-known/openid-configuration", timeout=10).json()
    assert document["issuer"] == f"{lighthouse.url}/{POOL}"
    unknown = requests.get(f"{lighthouse.url}/us-east-1_Unknown00/.well-known/jwks.json", timeout=10)
    assert unknown.status_code == 404 and unknown.json() == {"message": "User pool us-east-1_Unknown00 does not exist."}


def test_c34_a_login_continues_until_it_is_revoked(app):
    tokens = sign_in(app)["AuthenticationResult"]
    parameters = {"REFRESH_TOKEN": tokens["RefreshToken"]}
    again = app.initiate_auth(AuthFlow="REFRESH_TOKEN_AUTH", ClientId=WEB, AuthParameters=parameters)["AuthenticationResult"]
    assert "RefreshToken" not in again and app.get_user(AccessToken=again["AccessToken"])
    app.revoke_token(Token=tokens["RefreshToken"], ClientId=WEB)
    with refused("NotAuthorizedException", 400, "Access Token has been revoked"):
        app.get_user(AccessToken=again["AccessToken"])
    with refused("NotAuthorizedException", 400, "Refresh Token has been revoked"):
        app.initiate_auth(AuthFlow="REFRESH_TOKEN_AUTH", ClientId=WEB, AuthParameters=parameters)


def test_c34_a_rotated_token_works_within_the_grace(admin, app):
    digest = secret_hash("alice", "lighthouseserver", "lighthouse-server-secret")
    tokens = admin.admin_initiate_auth(
        UserPoolId=POOL, ClientId="lighthouseserver", AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": "alice", "PASSWORD": PASSWORD, "SECRET_HASH": digest})
    first = tokens["AuthenticationResult"]["RefreshToken"]
    secret = {"ClientId": "lighthouseserver", "ClientSecret": "lighthouse-server-secret"}
    second = app.get_tokens_from_refresh_token(RefreshToken=first, **secret)["AuthenticationResult"]["RefreshToken"]
    third = app.get_tokens_from_refresh_token(RefreshToken=first, **secret)["AuthenticationResult"]["RefreshToken"]
    with refused("RefreshTokenReuseException", 400, "Refresh token reuse detected"):
        app.get_tokens_from_refresh_token(RefreshToken=second, **secret)
    assert app.get_tokens_from_refresh_token(RefreshToken=third, **secret)


def test_c31_a_second_factor_is_set_up_and_asked_for(app):
    token = sign_in(app)["AuthenticationResult"]["AccessToken"]
    secret = app.associate_software_token(AccessToken=token)["SecretCode"]
    now = int(time.time()) // 30
    assert app.verify_software_token(AccessToken=token, UserCode=code(secret, now))["Status"] == "SUCCESS"
    app.set_user_mfa_preference(AccessToken=token, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})
    challenge = sign_in(app)
    assert challenge["ChallengeName"] == "SOFTWARE_TOKEN_MFA"
    answer = {"ChallengeName": "SOFTWARE_TOKEN_MFA", "ClientId": WEB, "Session": challenge["Session"]}
    with refused("ExpiredCodeException", 400, "Your software token has already been used once."):
        app.respond_to_auth_challenge(
            **answer, ChallengeResponses={"USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": code(secret, now)})
    tokens = app.respond_to_auth_challenge(
        **answer, ChallengeResponses={"USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": code(secret, now + 1)})
    assert tokens["AuthenticationResult"]["AccessToken"]


def test_c30_people_sign_up_and_are_confirmed(app, admin, lighthouse):
    answer = app.sign_up(
        ClientId=WEB, Username="carol", Password="Passw0rd!", UserAttributes=[{"Name": "email", "Value": "carol@lighthouse.example"}])
    assert not answer["UserConfirmed"] and answer["CodeDeliveryDetails"]["Destination"] == "c***@l***"
    with refused("UserNotConfirmedException", 400, "User is not confirmed."):
        sign_in(app, "carol", "Passw0rd!")
    sent = codes(lighthouse, user="carol")
    assert [found["destination"] for found in sent] == ["carol@lighthouse.example"]
    app.confirm_sign_up(ClientId=WEB, Username="carol", ConfirmationCode=sent[0]["code"])
    assert sign_in(app, "carol", "Passw0rd!")["AuthenticationResult"]
    user = admin.admin_get_user(UserPoolId=POOL, Username="carol")
    assert user["UserStatus"] == "CONFIRMED" and {"Name": "email_verified", "Value": "true"} in user["UserAttributes"]


def test_c25_pools_and_their_clients_are_made_and_deleted(admin):
    pool = admin.create_user_pool(PoolName="new")["UserPool"]
    assert pool["Policies"]["PasswordPolicy"]["MinimumLength"] == 8 and len(pool["SchemaAttributes"]) == 20
    made = admin.create_user_pool_client(UserPoolId=pool["Id"], ClientName="app", GenerateSecret=True)["UserPoolClient"]
    assert made["RefreshTokenValidity"] == 30 and made["ClientSecret"]
    names = [found["Name"] for found in admin.list_user_pools(MaxResults=60)["UserPools"]]
    assert sorted(names) == ["lighthouse", "new"]
    admin.delete_user_pool(UserPoolId=pool["Id"])
    with refused("ResourceNotFoundException", 400, f"User pool {pool['Id']} does not exist."):
        admin.describe_user_pool(UserPoolId=pool["Id"])


def test_calls_that_are_not_here_are_refused_by_name(admin):
    with refused("UnsupportedOperationException", 400, "CreateManagedLoginBranding"):
        admin.create_managed_login_branding(UserPoolId=POOL, ClientId=WEB)
