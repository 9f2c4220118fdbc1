"""Triggers of user pools of Amazon Cognito: a server in place of Lambda functions, and boto3 as the client."""

import pytest

from clients import client, refused
from pool_functions import Refused, listening
from sandboxes import Sandbox
from user_pools import App, claims, codes, made_app

ARN = "arn:aws:lambda:us-east-1:000000000000:function:own"
MAIL = "carol@company.example"
PASSWORD = "Passw0rd!"
POOL = "us-east-1_Triggered"
NAMES = [
    "PreSignUp", "CustomMessage", "PostConfirmation", "PreAuthentication", "PostAuthentication", "PreTokenGenerationV2", "UserMigration"]


@pytest.fixture(scope="module")
def server():
    with listening() as functions:
        yield functions


@pytest.fixture(scope="module")
def sandbox(process, server):
    pool = {
        "id": POOL, "name": "people", "autoVerifiedAttributes": ["email"], "triggers": {name: server.url for name in NAMES},
        "clients": [{"id": "web", "name": "web", "flows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]}]}
    account = {"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}], "userPools": [pool]}
    seed = {"accounts": [account], "eventTargets": {ARN: server.url, ARN + "-absent": "http://127.0.0.1:1/"}}
    with Sandbox.seeded(process, seed) as cloud:
        yield cloud


@pytest.fixture
def functions(server):
    server.clear()
    return server


@pytest.fixture
def cloud(sandbox):
    sandbox.reset()
    return sandbox


@pytest.fixture
def people(cloud):
    return client(cloud, "cognito-idp")


@pytest.fixture
def app(people):
    return App(people, POOL, {"ClientId": "web"})


def test_c37_functions_follow_a_person_from_the_sign_up_to_the_tokens(cloud, functions, people, app):
    @functions.on("CustomMessage_SignUp")
    def write(event):
        event["response"] |= {"emailSubject": "Welcome", "emailMessage": f"Your code: {event['request']['codeParameter']}"}

    @functions.on("TokenGeneration_Authentication")
    def change(event):
        event["response"]["claimsAndScopeOverrideDetails"] = {
            "idTokenGeneration": {"claimsToAddOrOverride": {"plan": {"name": "gold"}}, "claimsToSuppress": ["email"]},
            "accessTokenGeneration": {"claimsToAddOrOverride": {"tenant": "t1"}, "scopesToAdd": ["orders/read"]},
            "groupOverrideDetails": {"groupsToOverride": ["buyers"], "iamRolesToOverride": [], "preferredRole": None}}

    app.sign_up("carol", PASSWORD, email=MAIL)
    sent = codes(cloud, user="carol")[0]
    assert sent["subject"] == "Welcome" and sent["message"] == f"Your code: {sent['code']}"
    people.confirm_sign_up(ClientId="web", Username="carol", ConfirmationCode=sent["code"])
    tokens = app.password("carol", PASSWORD)["AuthenticationResult"]
    identity, access = claims(tokens["IdToken"]), claims(tokens["AccessToken"])
    assert identity["plan"] == {"name": "gold"} and "email" not in identity and identity["cognito:groups"] == ["buyers"]
    assert access["tenant"] == "t1" and access["scope"] == "aws.cognito.signin.user.admin orders/read"
    assert functions.sources == [
        "PreSignUp_SignUp", "CustomMessage_SignUp", "PostConfirmation_ConfirmSignUp", "PreAuthentication_Authentication",
        "PostAuthentication_Authentication", "TokenGeneration_Authentication"]
    assert functions.event("PostAuthentication_Authentication")["request"]["userAttributes"]["email"] == MAIL
    app.refresh(tokens["RefreshToken"], "carol")
    assert functions.sources[-1] == "TokenGeneration_RefreshTokens"


def test_c37_a_function_migrates_people_of_another_directory(cloud, functions, people, app):
    @functions.on("UserMigration_Authentication")
    def find(event):
        if event["request"]["password"] != "legacy":
            raise Refused("wrong password")
        event["response"] |= {"userAttributes": {"email": MAIL, "email_verified": "true"}, "finalUserStatus": "CONFIRMED"}

    with refused("UserNotFoundException", 400, "Exception migrating user in app client web"):
        app.password("carol", "other")
    assert app.password("carol", "legacy")["AuthenticationResult"]
    assert people.admin_get_user(UserPoolId=POOL, Username="carol")["UserStatus"] == "CONFIRMED"
    people.forgot_password(ClientId="web", Username="carol")
    assert codes(cloud, user="carol")[0]["destination"] == MAIL


def test_c37_errors_of_functions(functions, app):
    @functions.on("PreSignUp_SignUp")
    def refuse(event):
        raise Refused("Only for members")

    with refused("UserLambdaValidationException", 400, "PreSignUp failed with error Only for members."):
        app.sign_up("carol", PASSWORD, email=MAIL)
    functions.handlers["PreSignUp_SignUp"] = lambda event: b"not JSON"
    with refused("InvalidLambdaResponseException", 400, "Invalid lambda function output : Invalid JSON"):
        app.sign_up("carol", PASSWORD, email=MAIL)
    functions.handlers["PreSignUp_SignUp"] = lambda event: b"{}"
    with refused("InvalidLambdaResponseException", 400, "Unrecognizable lambda output"):
        app.sign_up("carol", PASSWORD, email=MAIL)


def test_c37_functions_by_arn(functions, people):
    @functions.on("PreSignUp_SignUp")
    def confirm(event):
        event["response"]["autoConfirmUser"] = True

    flows = ["ALLOW_USER_PASSWORD_AUTH"]
    with made_app(people, {"LambdaConfig": {"PreSignUp": ARN}}, ExplicitAuthFlows=flows) as app:
        assert people.describe_user_pool(UserPoolId=app.pool)["UserPool"]["LambdaConfig"] == {"PreSignUp": ARN}
        assert app.sign_up("dave", PASSWORD)["UserConfirmed"]
        assert app.password("dave", PASSWORD)["AuthenticationResult"]
        people.update_user_pool(UserPoolId=app.pool, LambdaConfig={"PreSignUp": ARN + "-absent"})
        with refused("UnexpectedLambdaException", 400, "PreSignUp invocation failed due to error"):
            app.sign_up("erin", PASSWORD)
        # An update without the member drops the functions.
        people.update_user_pool(UserPoolId=app.pool)
        assert not app.sign_up("erin", PASSWORD)["UserConfirmed"]
