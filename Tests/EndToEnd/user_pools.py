"""Steps of the tests of user pools of Amazon Cognito."""

import base64
import contextlib
import hashlib
import hmac

import jwt
from pycognito.aws_srp import AWSSRP


def codes(cloud, **filters):
    """The codes and temporary passwords that the sandbox keeps in place of mail, the newest first."""
    return cloud.control("GET", "user-pools/codes", params=filters)["codes"]


def secret_hash(name, client_id, secret):
    return base64.b64encode(hmac.new(secret.encode(), (name + client_id).encode(), hashlib.sha256).digest()).decode()


def claims(token):
    return jwt.decode(token, options={"verify_signature": False})


class App:
    """An app of a pool, which signs people in."""

    def __init__(self, client, pool, app):
        self.client, self.pool, self.id, self.secret = client, pool, app["ClientId"], app.get("ClientSecret")

    def hashed(self, name, member="SECRET_HASH"):
        return {member: secret_hash(name, self.id, self.secret)} if self.secret else {}

    def password(self, name, password):
        return self.client.initiate_auth(
            ClientId=self.id, AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": name, "PASSWORD": password} | self.hashed(name))

    def srp(self, name, password):
        """The first challenge after a proof of the password, or the tokens."""
        proof = AWSSRP(
            username=name, password=password, pool_id=self.pool, client_id=self.id, client_secret=self.secret, client=self.client)
        parameters = proof.get_auth_params()
        challenge = self.client.initiate_auth(ClientId=self.id, AuthFlow="USER_SRP_AUTH", AuthParameters=parameters)
        return self.client.respond_to_auth_challenge(
            ClientId=self.id, ChallengeName=challenge["ChallengeName"],
            ChallengeResponses=proof.process_challenge(challenge["ChallengeParameters"], parameters))

    def answer(self, challenge, name, session=None, **responses):
        """Answers a challenge, by default with its own session."""
        return self.client.respond_to_auth_challenge(
            ClientId=self.id, ChallengeName=challenge["ChallengeName"], Session=session or challenge["Session"],
            ChallengeResponses={"USERNAME": name} | responses | self.hashed(name))

    def refresh(self, token, name):
        return self.client.initiate_auth(
            ClientId=self.id, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": token} | self.hashed(name))["AuthenticationResult"]

    def sign_up(self, name, password, **attributes):
        return self.client.sign_up(
            ClientId=self.id, Username=name, Password=password,
            UserAttributes=[{"Name": key, "Value": value} for key, value in attributes.items()], **self.hashed(name, "SecretHash"))


@contextlib.contextmanager
def made_app(client, settings=None, software_tokens=None, **options):
    """An app of a new pool, which is deleted afterwards. `software_tokens` is the setting of the second factor."""
    pool = client.create_user_pool(PoolName="tests", **(settings or {}))["UserPool"]["Id"]
    if software_tokens:
        client.set_user_pool_mfa_config(
            UserPoolId=pool, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration=software_tokens)
    app = client.create_user_pool_client(UserPoolId=pool, ClientName="tests", **options)["UserPoolClient"]
    try:
        yield App(client, pool, app)
    finally:
        client.delete_user_pool(UserPoolId=pool)
