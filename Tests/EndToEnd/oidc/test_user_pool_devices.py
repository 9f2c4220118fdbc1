"""Remembered devices of user pools of Amazon Cognito, with the device flow of pycognito."""

import pytest
import requests
from pycognito.aws_srp import AWSSRP
from pycognito.exceptions import SMSMFAChallengeException

from clients import client, refused
from sandboxes import Sandbox
from user_pools import claims, codes, made_app

PASSWORD = "Passw0rd!"
SEED = {"accounts": [{"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}]}]}
SETTINGS = {
    "MfaConfiguration": "ON", "SmsConfiguration": {"SnsCallerArn": "arn:aws:iam::000000000000:role/sms"},
    "DeviceConfiguration": {"ChallengeRequiredOnNewDevice": True, "DeviceOnlyRememberedOnUserPrompt": False}}


@pytest.fixture(scope="module")
def sandbox(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.fixture
def cloud(sandbox, monkeypatch):
    sandbox.reset()
    post = requests.post
    # pycognito posts some calls to AWS's host.
    monkeypatch.setattr(requests, "post", lambda url, **options: post(sandbox.url + "/" if "cognito-idp." in url else url, **options))
    return sandbox


@pytest.fixture
def people(cloud):
    return client(cloud, "cognito-idp")


@pytest.fixture
def app(people):
    """An app of a pool that needs codes by SMS, except of remembered devices."""
    with made_app(people, SETTINGS) as app:
        people.admin_create_user(
            UserPoolId=app.pool, Username="carol", MessageAction="SUPPRESS",
            UserAttributes=[{"Name": "phone_number", "Value": "+15550100"}])
        people.admin_set_user_password(UserPoolId=app.pool, Username="carol", Password=PASSWORD, Permanent=True)
        yield app


def proof(app, **device):
    return AWSSRP(username="carol", password=PASSWORD, pool_id=app.pool, client_id=app.id, client=app.client, **device)


def signed_in(cloud, app):
    """The tokens after a code by SMS."""
    with pytest.raises(SMSMFAChallengeException) as raised:
        proof(app).authenticate_user()
    return app.answer(raised.value.get_tokens(), "carol", SMS_MFA_CODE=codes(cloud, user="carol")[0]["code"])


def remembered(cloud, app):
    """A confirmed device and the tokens of its first login, as keywords of a proof."""
    tokens, device = signed_in(cloud, app), proof(app)
    response, password = device.confirm_device(tokens, "laptop")
    assert response.json() == {"UserConfirmationNecessary": False}
    keys = {"device_key": device.device_key, "device_group_key": device.device_group_key, "device_password": password}
    return keys, tokens["AuthenticationResult"]


def test_c32_a_remembered_device_skips_the_second_factor(cloud, people, app):
    device, first = remembered(cloud, app)
    result = proof(app, **device).authenticate_user()["AuthenticationResult"]
    assert claims(result["AccessToken"])["device_key"] == device["device_key"] and "NewDeviceMetadata" not in result
    assert codes(cloud, user="carol") == []
    found = people.list_devices(AccessToken=first["AccessToken"])["Devices"]
    assert [each["DeviceKey"] for each in found] == [device["device_key"]]
    assert {"Name": "device_name", "Value": "laptop"} in found[0]["DeviceAttributes"]


def test_c32_another_secret_is_refused(cloud, people, app):
    device, _ = remembered(cloud, app)
    with refused("NotAuthorizedException", 400, "Incorrect username or password."):
        proof(app, **device | {"device_password": "another"}).authenticate_user()


def test_c32_a_forgotten_device_needs_the_second_factor_again(cloud, people, app):
    device, first = remembered(cloud, app)
    proof(app).update_device_status(False, first["AccessToken"], device["device_key"])
    with pytest.raises(SMSMFAChallengeException):
        proof(app, **device).authenticate_user()
    proof(app).forget_device(first["AccessToken"], device["device_key"])
    with refused("ResourceNotFoundException", 400, "Device does not exist."):
        proof(app, **device).authenticate_user()
    with pytest.raises(SMSMFAChallengeException):
        proof(app).authenticate_user()


def test_c32_a_refresh_needs_the_key_of_the_device(cloud, people, app):
    device, first = remembered(cloud, app)
    parameters = {"REFRESH_TOKEN": first["RefreshToken"]}
    with refused("NotAuthorizedException", 400, "Invalid Refresh Token"):
        people.initiate_auth(ClientId=app.id, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters=parameters)
    parameters["DEVICE_KEY"] = device["device_key"]
    assert people.initiate_auth(ClientId=app.id, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters=parameters)["AuthenticationResult"]
