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
    "PreSignUp", "CustomMessage", "PostConfirmation", "PreAuthentication", "PostAuthentication", "PreTokenGenerationV2", "UserMigration",
    "DefineAuthChallenge", "CreateAuthChallenge", "VerifyAuthChallengeResponse"]


@pytest.fixture(scope="module")
def server():
    with listening() as functions:
        yield functions


@pytest.fixture(scope="module")
def sandbox(process, server):
    pool = {
        "id": POOL, "name": "people", "autoVerifiedAttributes": ["email"], "triggers": {name: server.url for name in NAMES},
        "clients": [{"id": "web", "name": "web", "flows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_CUSTOM_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]}],
        "people": [{"username": "alice", "attributes": {"email": "alice@company.example"}}]}
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


def riddles(functions):
    """Functions that ask for a sum, three times at most."""
    @functions.on("DefineAuthChallenge_Authentication")
    def define(event):
        history = event["request"]["session"]
        if history and history[-1]["challengeResult"]:
            event["response"] |= {"issueTokens": True, "failAuthentication": False}
        elif len(history) == 3:
            event["response"] |= {"issueTokens": False, "failAuthentication": True}
        else:
            event["response"] |= {"challengeName": "CUSTOM_CHALLENGE", "issueTokens": False, "failAuthentication": False}

    @functions.on("CreateAuthChallenge_Authentication")
    def create(event):
        event["response"] |= {
            "publicChallengeParameters": {"question": "2 + 3"}, "privateChallengeParameters": {"answer": "5"},
            "challengeMetadata": f"round {len(event['request']['session']) + 1}"}

    @functions.on("VerifyAuthChallengeResponse_Authentication")
    def verify(event):
        event["response"]["answerCorrect"] = event["request"]["challengeAnswer"] == event["request"]["privateChallengeParameters"]["answer"]


def begun(people):
    return people.initiate_auth(ClientId="web", AuthFlow="CUSTOM_AUTH", AuthParameters={"USERNAME": "alice"})


def test_c28_c37_functions_define_the_challenges_of_a_sign_in(functions, people, app):
    riddles(functions)
    first = begun(people)
    assert first["ChallengeName"] == "CUSTOM_CHALLENGE" and first["ChallengeParameters"] == {"question": "2 + 3", "USERNAME": "alice"}
    second = app.answer(first, "alice", ANSWER="6")
    assert second["ChallengeName"] == "CUSTOM_CHALLENGE"
    with refused("NotAuthorizedException", 400, "Invalid session for the user, session can only be used once."):
        app.answer(first, "alice", ANSWER="5")
    assert claims(app.answer(second, "alice", ANSWER="5")["AuthenticationResult"]["AccessToken"])["username"] == "alice"
    assert functions.event("DefineAuthChallenge_Authentication")["request"]["session"] == [
        {"challengeName": "CUSTOM_CHALLENGE", "challengeResult": False, "challengeMetadata": "round 1"},
        {"challengeName": "CUSTOM_CHALLENGE", "challengeResult": True, "challengeMetadata": "round 2"}]


def test_c37_functions_end_a_sign_in(functions, people, app):
    riddles(functions)
    challenge = begun(people)
    for _ in range(2):
        challenge = app.answer(challenge, "alice", ANSWER="wrong")
    with refused("NotAuthorizedException", 400, "Incorrect username or password."):
        app.answer(challenge, "alice", ANSWER="wrong")


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
