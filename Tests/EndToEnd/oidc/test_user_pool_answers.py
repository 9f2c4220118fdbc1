"""What the tests of moto that were run against AWS expect of user pools (moto, `tests/test_cognitoidp/test_cognitoidp.py`, the mark
`aws_verified`), in the same fifteen situations."""

import time
import uuid

import pytest

from clients import client
from one_time_passwords import code
from sandboxes import Sandbox
from user_pools import claims, made_app

PASSWORD = "P2$Sword"
SEED = {"accounts": [{"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}]}]}
RECOVERY = {"AccountRecoverySetting": {"RecoveryMechanisms": [{"Name": "verified_email", "Priority": 1}]}}


def second_factor(need):
    return {"MfaConfiguration": need, "SmsConfiguration": {"SnsCallerArn": "arn:aws:iam::000000000000:role/sms"}}


@pytest.fixture(scope="module")
def cloud(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.fixture
def people(cloud):
    return client(cloud, "cognito-idp")


def confirmed(app, name):
    """Signs a person up, whom an administrator confirms."""
    app.sign_up(name, PASSWORD)
    app.client.admin_confirm_sign_up(UserPoolId=app.pool, Username=name)


def invited(app, name, **attributes):
    """Signs in a person whom an administrator has created, with a password that replaces the temporary one."""
    app.client.admin_create_user(
        UserPoolId=app.pool, Username=name, TemporaryPassword=PASSWORD,
        UserAttributes=[{"Name": key, "Value": value} for key, value in attributes.items()])
    challenge = app.client.admin_initiate_auth(
        UserPoolId=app.pool, ClientId=app.id, AuthFlow="ADMIN_NO_SRP_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD} | app.hashed(name))
    assert challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED" and challenge["Session"]
    return app.client.admin_respond_to_auth_challenge(
        UserPoolId=app.pool, ClientId=app.id, ChallengeName="NEW_PASSWORD_REQUIRED", Session=challenge["Session"],
        ChallengeResponses={"USERNAME": name, "NEW_PASSWORD": PASSWORD} | app.hashed(name))["AuthenticationResult"]


def test_c38_a_temporary_password_is_replaced_after_srp(people):
    with made_app(people) as app:
        people.admin_create_user(UserPoolId=app.pool, Username="test@example.com", TemporaryPassword="Tempor@ryPassword123")
        challenge = app.srp("test@example.com", "Tempor@ryPassword123")
        assert challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED" and challenge["Session"]
        tokens = app.answer(challenge, "test@example.com", NEW_PASSWORD="NewP@ssword456")["AuthenticationResult"]
        assert tokens["TokenType"] == "Bearer" and tokens["AccessToken"] and tokens["RefreshToken"]


def test_c38_groups_are_in_access_tokens(people):
    with made_app(people, ReadAttributes=["given_name"], ExplicitAuthFlows=["ADMIN_NO_SRP_AUTH"]) as app:
        name, group = str(uuid.uuid4()), str(uuid.uuid4())
        people.create_group(GroupName=group, UserPoolId=app.pool)
        tokens = invited(app, name, given_name="Ann")
        assert "cognito:groups" not in claims(tokens["AccessToken"])
        people.admin_add_user_to_group(UserPoolId=app.pool, Username=name, GroupName=group)
        again = app.client.admin_initiate_auth(
            UserPoolId=app.pool, ClientId=app.id, AuthFlow="ADMIN_NO_SRP_AUTH",
            AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})["AuthenticationResult"]
        assert claims(again["AccessToken"])["cognito:groups"] == [group]


def test_c38_access_tokens_have_the_scope_of_the_api(people):
    with made_app(people, ReadAttributes=["given_name"], ExplicitAuthFlows=["ADMIN_NO_SRP_AUTH"]) as app:
        tokens = invited(app, str(uuid.uuid4()), given_name="Ann")
        assert claims(tokens["AccessToken"])["scope"] == "aws.cognito.signin.user.admin"


def test_c38_tokens_name_their_login_and_themselves(people):
    with made_app(people, GenerateSecret=True, ExplicitAuthFlows=["ADMIN_NO_SRP_AUTH"]) as app:
        name = str(uuid.uuid4())
        first = invited(app, name, given_name="Ann")
        parameters = {"REFRESH_TOKEN": first["RefreshToken"]} | app.hashed(name)
        second = people.initiate_auth(ClientId=app.id, AuthFlow="REFRESH_TOKEN", AuthParameters=parameters)["AuthenticationResult"]
        # A client with the old names of flows signs in by SRP although it does not name that.
        third = app.srp(name, PASSWORD)["AuthenticationResult"]
        found = [claims(tokens[kind]) for tokens in [first, second, third] for kind in ["AccessToken", "IdToken"]]
        assert all(uuid.UUID(each["origin_jti"]) and uuid.UUID(each["jti"]) for each in found)
        logins = [each["origin_jti"] for each in found]
        assert len(set(logins[:4])) == 1 and len(set(logins[4:])) == 1 and logins[0] != logins[4]
        assert len({each["jti"] for each in found}) == 6


def test_c38_a_needed_second_factor_is_set_up_in_a_session(people):
    with made_app(people, second_factor("ON"), "ON", GenerateSecret=True) as app:
        name, step = str(uuid.uuid4()), int(time.time()) // 30
        confirmed(app, name)
        challenge = app.srp(name, PASSWORD)
        assert challenge["ChallengeName"] == "MFA_SETUP"
        associated = people.associate_software_token(Session=challenge["Session"])
        secret = associated["SecretCode"]
        assert people.verify_software_token(Session=associated["Session"], UserCode=code(secret, step))["Status"] == "SUCCESS"
        challenge = app.srp(name, PASSWORD)
        assert challenge["ChallengeName"] == "SOFTWARE_TOKEN_MFA"
        tokens = app.answer(challenge, name, SOFTWARE_TOKEN_MFA_CODE=code(secret, step + 1))["AuthenticationResult"]
        assert tokens["AccessToken"] and tokens["IdToken"] and tokens["RefreshToken"]


def test_c38_an_optional_second_factor_is_set_up_with_an_access_token(people):
    with made_app(people, second_factor("OPTIONAL"), "OPTIONAL", GenerateSecret=True) as app:
        name, step = str(uuid.uuid4()), int(time.time()) // 30
        confirmed(app, name)
        token = app.srp(name, PASSWORD)["AuthenticationResult"]["AccessToken"]
        secret = people.associate_software_token(AccessToken=token)["SecretCode"]
        assert people.verify_software_token(AccessToken=token, UserCode=code(secret, step))["Status"] == "SUCCESS"
        people.set_user_mfa_preference(AccessToken=token, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})
        challenge = app.srp(name, PASSWORD)
        assert challenge["ChallengeName"] == "SOFTWARE_TOKEN_MFA"
        tokens = app.answer(challenge, name, SOFTWARE_TOKEN_MFA_CODE=code(secret, step + 1))["AuthenticationResult"]
        assert tokens["AccessToken"] and tokens["IdToken"] and tokens["RefreshToken"]


def test_c38_a_forgotten_password_is_sent_to_the_verified_address(people):
    with made_app(people, RECOVERY) as app:
        people.admin_create_user(
            UserPoolId=app.pool, Username="carol",
            UserAttributes=[{"Name": "email", "Value": "test@test.com"}, {"Name": "email_verified", "Value": "True"}])
        people.admin_set_user_password(UserPoolId=app.pool, Username="carol", Password="secretP2ss!", Permanent=True)
        assert people.forgot_password(ClientId=app.id, Username="carol")["CodeDeliveryDetails"] == {
            "Destination": "t***@t***", "DeliveryMedium": "EMAIL", "AttributeName": "email"}


@pytest.mark.parametrize("settings, attributes, is_sent", [
    ({}, {}, False), (RECOVERY, {"email": "test@test.com"}, False),
    (RECOVERY | {"AutoVerifiedAttributes": ["email"]}, {"email": "test@test.com"}, True),
    (RECOVERY | {"AutoVerifiedAttributes": ["email"]}, {}, False)])
def test_c38_codes_of_sign_up_go_to_verified_attributes(people, settings, attributes, is_sent):
    with made_app(people, settings) as app:
        answer = app.sign_up(str(uuid.uuid4()), PASSWORD, **attributes)
        assert answer["UserConfirmed"] is False and answer["UserSub"]
        expected = {"Destination": "t***@t***", "DeliveryMedium": "EMAIL", "AttributeName": "email"}
        assert answer.get("CodeDeliveryDetails") == (expected if is_sent else None)


def check_names(tokens, app, name):
    """The claims of both tokens about the person and the app, of which those of the ID token are returned."""
    access, identity = claims(tokens["AccessToken"]), claims(tokens["IdToken"])
    assert access["username"] == name and access["client_id"] == app.id and "email" not in access
    assert identity["sub"] == access["sub"] and identity["cognito:username"] == name and identity["aud"] == app.id
    return identity


def test_c38_a_refresh_token_gives_tokens_of_the_person(people):
    with made_app(people, GenerateSecret=True) as app:
        name = str(uuid.uuid4())
        confirmed(app, name)
        token = app.srp(name, PASSWORD)["AuthenticationResult"]["RefreshToken"]
        parameters = {"REFRESH_TOKEN": token} | app.hashed(name)
        tokens = people.initiate_auth(ClientId=app.id, AuthFlow="REFRESH_TOKEN", AuthParameters=parameters)["AuthenticationResult"]
        check_names(tokens, app, name)


def test_c38_a_password_gives_tokens_without_a_second_factor(people):
    with made_app(people, GenerateSecret=True, ExplicitAuthFlows=["USER_PASSWORD_AUTH"]) as app:
        name = str(uuid.uuid4())
        confirmed(app, name)
        assert app.srp(name, PASSWORD)["AuthenticationResult"]
        people.admin_set_user_mfa_preference(
            Username=name, UserPoolId=app.pool, SoftwareTokenMfaSettings={"Enabled": False, "PreferredMfa": False})
        user = people.admin_get_user(UserPoolId=app.pool, Username=name)
        assert "UserMFASettingList" not in user and "PreferredMfaSetting" not in user
        tokens = app.password(name, PASSWORD)["AuthenticationResult"]
        assert tokens["RefreshToken"] and tokens["TokenType"] == "Bearer"
        assert "email" not in check_names(tokens, app, name)


def test_c38_an_address_in_place_of_a_username(people):
    settings = {"UsernameAttributes": ["email"]}
    with made_app(people, settings, GenerateSecret=True, ExplicitAuthFlows=["USER_PASSWORD_AUTH"]) as app:
        confirmed(app, "test@moto.com")
        tokens = app.password("test@moto.com", PASSWORD)["AuthenticationResult"]
        identity = check_names(tokens, app, claims(tokens["AccessToken"])["sub"])
        assert identity["email"] == "test@moto.com"


def test_c38_a_temporary_password_and_then_a_second_factor(people):
    with made_app(people, second_factor("ON"), "ON", ExplicitAuthFlows=["USER_PASSWORD_AUTH"]) as app:
        name, step = str(uuid.uuid4()), int(time.time()) // 30
        people.admin_create_user(UserPoolId=app.pool, Username=name, TemporaryPassword=PASSWORD)
        challenge = app.password(name, PASSWORD)
        assert challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED" and "AuthenticationResult" not in challenge
        challenge = app.answer(challenge, name, NEW_PASSWORD=PASSWORD + "2")
        assert challenge["ChallengeName"] == "MFA_SETUP" and challenge["Session"]
        associated = people.associate_software_token(Session=challenge["Session"])
        secret = associated["SecretCode"]
        verified = people.verify_software_token(Session=associated["Session"], UserCode=code(secret, step))
        assert verified["Status"] == "SUCCESS"
        answer = app.answer(challenge, name, verified["Session"], SOFTWARE_TOKEN_MFA_CODE=code(secret, step))
        assert answer["ChallengeParameters"] == {} and answer["AuthenticationResult"]["RefreshToken"]
        challenge = app.password(name, PASSWORD + "2")
        assert challenge["ChallengeName"] == "SOFTWARE_TOKEN_MFA"
        answer = app.answer(challenge, name, SOFTWARE_TOKEN_MFA_CODE=code(secret, step + 1))
        assert answer["ChallengeParameters"] == {} and answer["AuthenticationResult"]["IdToken"]
