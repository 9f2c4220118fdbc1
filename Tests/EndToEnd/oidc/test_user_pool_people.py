"""People of user pools of Amazon Cognito, with boto3: sign-up, passwords, addresses, second factors, and what ends a login."""

import time

import pytest

from clients import client, refused
from one_time_passwords import code
from sandboxes import Sandbox
from user_pools import codes, made_app, secret_hash

MAIL = "carol@company.example"
PASSWORD = "Passw0rd!"
SEED = {"accounts": [{"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}]}]}


@pytest.fixture(scope="module")
def process_of_people(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.fixture
def cloud(process_of_people):
    process_of_people.reset()
    return process_of_people


@pytest.fixture
def people(cloud):
    return client(cloud, "cognito-idp")


@pytest.fixture
def app(people):
    """An app of a pool that verifies addresses of mail."""
    flows = ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
    with made_app(people, {"AutoVerifiedAttributes": ["email"]}, ExplicitAuthFlows=flows) as app:
        yield app


def sent(cloud, name, purpose):
    return next(found["code"] for found in codes(cloud, user=name) if found["purpose"] == purpose)


def signed_up(cloud, app, name="carol", mail=MAIL):
    app.sign_up(name, PASSWORD, email=mail)
    app.client.confirm_sign_up(ClientId=app.id, Username=name, ConfirmationCode=sent(cloud, name, "signUp"), **app.hashed(name, "SecretHash"))
    return app.password(name, PASSWORD)["AuthenticationResult"]


def test_c28_an_administrator_begins_and_a_session_is_used_once(people, app):
    people.admin_create_user(UserPoolId=app.pool, Username="dave", TemporaryPassword="Temp0rary!", MessageAction="SUPPRESS")
    challenge = people.admin_initiate_auth(
        UserPoolId=app.pool, ClientId=app.id, AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": "dave", "PASSWORD": "Temp0rary!"})
    with refused("InvalidPasswordException", 400, "Password does not conform to policy: Password not long enough"):
        app.answer(challenge, "dave", NEW_PASSWORD="Sh0rt!")
    # A session of an administrator can be answered by the app.
    assert app.answer(challenge, "dave", NEW_PASSWORD=PASSWORD)["AuthenticationResult"]
    with refused("NotAuthorizedException", 400, "Invalid session for the user, session can only be used once."):
        app.answer(challenge, "dave", NEW_PASSWORD=PASSWORD)
    assert app.password("dave", PASSWORD)["AuthenticationResult"]


def test_c28_a_session_ends_with_its_validity(cloud, people, app):
    people.admin_create_user(UserPoolId=app.pool, Username="dave", TemporaryPassword="Temp0rary!", MessageAction="SUPPRESS")
    challenge = app.password("dave", "Temp0rary!")
    assert challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED"
    cloud.age("PT4M")
    with refused("NotAuthorizedException", 400, "session is expired"):
        app.answer(challenge, "dave", NEW_PASSWORD=PASSWORD)


def test_c28_flows_of_administrators_and_flows_that_are_off_are_refused(people, app):
    with refused("InvalidParameterException", 400, "Initiate Auth method not supported."):
        people.initiate_auth(
            ClientId=app.id, AuthFlow="ADMIN_USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "x", "PASSWORD": "x"})
    usual = people.create_user_pool_client(UserPoolId=app.pool, ClientName="usual")["UserPoolClient"]["ClientId"]
    with refused("InvalidParameterException", 400, "USER_PASSWORD_AUTH flow not enabled for this client"):
        people.initiate_auth(ClientId=usual, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "x", "PASSWORD": "x"})


def test_c29_every_call_of_an_app_with_a_secret_needs_its_hash(people):
    with made_app(people, GenerateSecret=True, ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH"]) as app:
        named = {"ClientId": app.id, "Username": "carol"}
        calls = {
            "sign_up": named | {"Password": PASSWORD}, "confirm_sign_up": named | {"ConfirmationCode": "1"},
            "resend_confirmation_code": named, "forgot_password": named,
            "confirm_forgot_password": named | {"ConfirmationCode": "1", "Password": PASSWORD}}
        for operation, members in calls.items():
            with refused("NotAuthorizedException", 400, f"^.*Client {app.id} is configured with secret but SECRET_HASH was not received"):
                getattr(people, operation)(**members)
            with refused("NotAuthorizedException", 400, f"^.*Unable to verify secret hash for client {app.id}"):
                getattr(people, operation)(**members, SecretHash=secret_hash("other", app.id, app.secret))
        for flow, proof in [("USER_PASSWORD_AUTH", {"PASSWORD": PASSWORD}), ("USER_SRP_AUTH", {"SRP_A": "4"})]:
            with refused("NotAuthorizedException", 400, "SECRET_HASH was not received"):
                people.initiate_auth(ClientId=app.id, AuthFlow=flow, AuthParameters={"USERNAME": "carol"} | proof)
        assert app.sign_up("carol", PASSWORD)["UserSub"]


def test_c30_an_unconfirmed_person_gets_another_code(cloud, people, app):
    app.sign_up("carol", PASSWORD, email=MAIL)
    with refused("UserNotConfirmedException", 400, "User is not confirmed."):
        app.password("carol", PASSWORD)
    first = sent(cloud, "carol", "signUp")
    cloud.age("PT25H")
    with refused("ExpiredCodeException", 400, "Invalid code provided, please request a code again."):
        people.confirm_sign_up(ClientId=app.id, Username="carol", ConfirmationCode=first)
    delivery = people.resend_confirmation_code(ClientId=app.id, Username="carol")["CodeDeliveryDetails"]
    assert delivery == {"Destination": "c***@c***", "DeliveryMedium": "EMAIL", "AttributeName": "email"}
    people.confirm_sign_up(ClientId=app.id, Username="carol", ConfirmationCode=sent(cloud, "carol", "signUp"))
    assert app.password("carol", PASSWORD)["AuthenticationResult"]


def test_c30_a_forgotten_password_is_set_with_a_code(cloud, people, app):
    signed_up(cloud, app)
    people.forgot_password(ClientId=app.id, Username="carol")
    secret = sent(cloud, "carol", "password")
    with refused("CodeMismatchException", 400, "Invalid verification code provided, please try again."):
        people.confirm_forgot_password(ClientId=app.id, Username="carol", ConfirmationCode="wrong", Password="An0ther-One")
    people.confirm_forgot_password(ClientId=app.id, Username="carol", ConfirmationCode=secret, Password="An0ther-One")
    assert app.password("carol", "An0ther-One")["AuthenticationResult"]
    assert not [found for found in codes(cloud, user="carol") if found["purpose"] == "password"]


def test_c30_a_person_changes_the_password_and_an_address(cloud, people, app):
    token = signed_up(cloud, app)["AccessToken"]
    with refused("NotAuthorizedException", 400, "Incorrect username or password."):
        people.change_password(AccessToken=token, PreviousPassword="Wr0ng-one!", ProposedPassword="An0ther-One")
    people.change_password(AccessToken=token, PreviousPassword=PASSWORD, ProposedPassword="An0ther-One")
    people.update_user_attributes(AccessToken=token, UserAttributes=[{"Name": "email", "Value": "new@company.example"}])
    attributes = {found["Name"]: found["Value"] for found in people.get_user(AccessToken=token)["UserAttributes"]}
    assert attributes["email"] == "new@company.example" and attributes["email_verified"] == "false"
    people.verify_user_attribute(AccessToken=token, AttributeName="email", Code=sent(cloud, "carol", "attribute"))
    attributes = {found["Name"]: found["Value"] for found in people.get_user(AccessToken=token)["UserAttributes"]}
    assert attributes["email_verified"] == "true"


def test_c31_a_needed_second_factor_cannot_be_left_out(people):
    with made_app(
            people, {"MfaConfiguration": "ON", "SmsConfiguration": {"SnsCallerArn": "arn:aws:iam::000000000000:role/sms"}}, "ON",
            ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"]) as app:
        people.admin_create_user(UserPoolId=app.pool, Username="carol", MessageAction="SUPPRESS")
        people.admin_set_user_password(UserPoolId=app.pool, Username="carol", Password=PASSWORD, Permanent=True)
        challenge = app.password("carol", PASSWORD)
        assert challenge["ChallengeName"] == "MFA_SETUP" and "SOFTWARE_TOKEN_MFA" in challenge["ChallengeParameters"]["MFAS_CAN_SETUP"]
        with refused("NotAuthorizedException", 400, "Invalid session for the user"):
            app.answer(challenge, "carol")
        associated = people.associate_software_token(Session=challenge["Session"])
        with refused("EnableSoftwareTokenMFAException", 400):
            people.verify_software_token(Session=associated["Session"], UserCode="000000")
        verified = people.verify_software_token(
            Session=associated["Session"], UserCode=code(associated["SecretCode"], int(time.time()) // 30))
        assert app.answer(challenge, "carol", verified["Session"])["AuthenticationResult"]


def with_addresses(people, app, name="carol"):
    people.admin_create_user(
        UserPoolId=app.pool, Username=name, MessageAction="SUPPRESS", UserAttributes=[
            {"Name": "phone_number", "Value": "+15550100"}, {"Name": "email", "Value": MAIL}, {"Name": "email_verified", "Value": "true"}])
    people.admin_set_user_password(UserPoolId=app.pool, Username=name, Password=PASSWORD, Permanent=True)


def test_c31_codes_by_sms(cloud, people):
    sender = {"SnsCallerArn": "arn:aws:iam::000000000000:role/sms"}
    with made_app(
            people, {"MfaConfiguration": "ON", "SmsConfiguration": sender}, ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"]) as app:
        assert people.get_user_pool_mfa_config(UserPoolId=app.pool)["SmsMfaConfiguration"] == {"SmsConfiguration": sender}
        with_addresses(people, app)
        challenge = app.password("carol", PASSWORD)
        assert challenge["ChallengeName"] == "SMS_MFA"
        assert challenge["ChallengeParameters"]["CODE_DELIVERY_DESTINATION"] == "+*******0100"
        with refused("CodeMismatchException", 400, "Invalid code or auth state for the user."):
            app.answer(challenge, "carol", SMS_MFA_CODE="wrong")
        assert app.answer(challenge, "carol", SMS_MFA_CODE=sent(cloud, "carol", "multiFactor"))["AuthenticationResult"]
        assert codes(cloud, user="carol") == []
        challenge = app.password("carol", PASSWORD)
        cloud.age("PT4M")
        with refused("NotAuthorizedException", 400, "session is expired"):
            app.answer(challenge, "carol", SMS_MFA_CODE=sent(cloud, "carol", "multiFactor"))
    with refused("InvalidParameterException", 400, "SMS configuration"):
        people.create_user_pool(PoolName="x", MfaConfiguration="ON")


def test_c31_a_person_chooses_codes_by_mail(cloud, people):
    source = {"EmailSendingAccount": "DEVELOPER", "SourceArn": "arn:aws:ses:us-east-1:000000000000:identity/company.example"}
    with made_app(people, {"EmailConfiguration": source}, ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"]) as app:
        mail = {"Message": "Your code is {####}", "Subject": "Sign in"}
        people.set_user_pool_mfa_config(UserPoolId=app.pool, EmailMfaConfiguration=mail, MfaConfiguration="OPTIONAL")
        with_addresses(people, app)
        token = app.password("carol", PASSWORD)["AuthenticationResult"]["AccessToken"]
        people.set_user_mfa_preference(AccessToken=token, EmailMfaSettings={"Enabled": True, "PreferredMfa": True})
        user = people.get_user(AccessToken=token)
        assert user["UserMFASettingList"] == ["EMAIL_OTP"] and user["PreferredMfaSetting"] == "EMAIL_OTP"
        challenge = app.password("carol", PASSWORD)
        assert challenge["ChallengeName"] == "EMAIL_OTP"
        found = codes(cloud, user="carol")[0]
        assert found["message"] == f"Your code is {found['code']}" and found["subject"] == "Sign in" and found["destination"] == MAIL
        assert app.answer(challenge, "carol", EMAIL_OTP_CODE=found["code"])["AuthenticationResult"]


def test_c34_logins_end_with_the_sign_out_and_with_the_person(cloud, people, app):
    first = signed_up(cloud, app)
    second = app.password("carol", PASSWORD)["AuthenticationResult"]
    people.global_sign_out(AccessToken=first["AccessToken"])
    for tokens in [first, second]:
        with refused("NotAuthorizedException", 400, "Access Token has been revoked"):
            people.get_user(AccessToken=tokens["AccessToken"])
        with refused("NotAuthorizedException", 400, "Refresh Token has been revoked"):
            app.refresh(tokens["RefreshToken"], "carol")
    third = app.password("carol", PASSWORD)["AuthenticationResult"]
    people.admin_disable_user(UserPoolId=app.pool, Username="carol")
    with refused("NotAuthorizedException", 400, "User is disabled."):
        people.get_user(AccessToken=third["AccessToken"])
    with refused("NotAuthorizedException", 400, "User is disabled."):
        app.password("carol", PASSWORD)
    people.admin_enable_user(UserPoolId=app.pool, Username="carol")
    fourth = app.password("carol", PASSWORD)["AuthenticationResult"]
    people.delete_user(AccessToken=fourth["AccessToken"])
    with refused("UserNotFoundException", 400, "User does not exist."):
        people.admin_get_user(UserPoolId=app.pool, Username="carol")


def test_c34_tokens_expire_by_the_clock(cloud, people, app):
    tokens = signed_up(cloud, app)
    cloud.age("PT61M")
    with refused("NotAuthorizedException", 400, "Access Token has expired"):
        people.get_user(AccessToken=tokens["AccessToken"])
    assert people.get_user(AccessToken=app.refresh(tokens["RefreshToken"], "carol")["AccessToken"])["Username"] == "carol"
    cloud.age("PT744H")
    with refused("NotAuthorizedException", 400, "Refresh Token has expired"):
        app.refresh(tokens["RefreshToken"], "carol")


def test_c35_unknown_people_can_be_hidden(cloud, people, app):
    hiding = people.create_user_pool_client(
        UserPoolId=app.pool, ClientName="hiding", PreventUserExistenceErrors="ENABLED",
        ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"])["UserPoolClient"]["ClientId"]
    proof = {"USERNAME": "ghost", "PASSWORD": PASSWORD}
    with refused("UserNotFoundException", 400, "User does not exist."):
        app.password("ghost", PASSWORD)
    with refused("NotAuthorizedException", 400, "Incorrect username or password."):
        people.initiate_auth(ClientId=hiding, AuthFlow="USER_PASSWORD_AUTH", AuthParameters=proof)
    with refused("UserNotFoundException", 400, "User does not exist."):
        people.forgot_password(ClientId=app.id, Username="ghost")
    first = people.forgot_password(ClientId=hiding, Username="ghost")["CodeDeliveryDetails"]
    assert first == people.forgot_password(ClientId=hiding, Username="ghost")["CodeDeliveryDetails"]
    assert codes(cloud, user="ghost") == []


def test_c35_names_without_regard_to_case_and_aliases_of_one_person(cloud, people):
    settings = {
        "AliasAttributes": ["email"], "AutoVerifiedAttributes": ["email"], "UsernameConfiguration": {"CaseSensitive": False}}
    with made_app(people, settings, ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"]) as app:
        signed_up(cloud, app)
        assert app.password("CAROL", PASSWORD)["AuthenticationResult"] and app.password(MAIL, PASSWORD)["AuthenticationResult"]
        with refused("UsernameExistsException", 400, "User already exists"):
            app.sign_up("Carol", PASSWORD)
        app.sign_up("dave", PASSWORD, email=MAIL)
        with refused("AliasExistsException", 400, "An account with the email already exists."):
            people.confirm_sign_up(ClientId=app.id, Username="dave", ConfirmationCode=sent(cloud, "dave", "signUp"))


def test_c37_functions_without_a_url_are_refused_by_name(people):
    arn = "arn:aws:lambda:us-east-1:000000000000:function:f"
    with refused("UnsupportedOperationException", 400, f"PreSignUp.*{arn}"):
        people.create_user_pool(PoolName="x", LambdaConfig={"PreSignUp": arn})
    with refused("UnsupportedOperationException", 400, "CustomEmailSender"):
        people.create_user_pool(PoolName="x", LambdaConfig={"CustomEmailSender": {"LambdaVersion": "V1_0", "LambdaArn": arn}})
