"""A client of token vending machines, like the samples of the first AWS mobile SDKs in their `tvmclient`. It registers a device or logs
a user in, signs with HMAC-SHA-256, decrypts the response, and searches the text for the values, since it is not JSON."""

import base64
import datetime
import hashlib
import hmac
import secrets

import requests
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.padding import PKCS7


def code(key, message):
    return hmac.new(key.encode(), message.encode(), hashlib.sha256).digest()


def timestamp(offset=datetime.timedelta()):
    now = datetime.datetime.now(datetime.UTC) + offset
    return now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{now.microsecond // 1000:03}Z"


def decrypt(text, key):
    data = base64.b64decode(text)
    decryptor = Cipher(AES(bytes.fromhex(key)), CBC(data[:16])).decryptor()
    padding = PKCS7(128).unpadder()
    return (padding.update(decryptor.update(data[16:]) + decryptor.finalize()) + padding.finalize()).decode()


def extract(text, name):
    """The text between the two quotation marks after a name."""
    start = text.index('"', text.index(name)) + 1
    return text[start:text.index('"', start)]


class Refused(Exception):
    def __init__(self, response):
        super().__init__(response.status_code, response.text)
        self.status, self.text = response.status_code, response.text


class Machine:
    """A machine by its URL, and the device of this client. `host` is sent in place of the URL's own."""

    def __init__(self, url, host=None):
        self.url = url
        self.headers = {"Host": host} if host else {}
        self.uid = secrets.token_hex(16)
        self.key = None

    def get(self, path, **parameters):
        response = requests.get(f"{self.url}/{path}", params=parameters, headers=self.headers, allow_redirects=False)
        if response.status_code != 200:
            raise Refused(response)
        assert response.headers["Content-Type"] == "text/plain; charset=UTF-8" and "Expires" in response.headers
        return response

    def spell(self, signature):
        return signature.hex()

    def token(self, at=None):
        """The credentials as arguments of boto3, and their expiry in milliseconds."""
        time = at or timestamp()
        response = self.get("gettoken", uid=self.uid, timestamp=time, signature=self.spell(code(self.key, time)))
        assert response.content.endswith(b"\r\n")
        text = decrypt(response.text, self.key)
        assert text.startswith("{\taccessKey: ") and text.endswith('"}')
        return {
            "aws_access_key_id": extract(text, "accessKey"), "aws_secret_access_key": extract(text, "secretKey"),
            "aws_session_token": extract(text, "securityToken")}, int(extract(text, "expirationDate"))


class AnonymousMachine(Machine):
    def spell(self, signature):
        return base64.b64encode(signature).decode()

    def register(self):
        self.key = secrets.token_hex(16)
        assert self.get("registerdevice", uid=self.uid, key=self.key).content == b""


class IdentityMachine(Machine):
    """`endpoint` is the text of the client's configuration, which is part of the password's hash."""

    def __init__(self, url, endpoint, app, host=None):
        super().__init__(url, host)
        self.endpoint, self.app = endpoint, app

    def register(self, username, password):
        """Registers as the page in the app's browser does."""
        return requests.post(
            f"{self.url}/registeruser", data={"username": username, "password": password}, headers=self.headers)

    def login(self, username, password, at=None):
        time = at or timestamp()
        salted = code(password, username + self.app.lower() + self.endpoint.lower()).hex()
        response = self.get("login", username=username, uid=self.uid, timestamp=time, signature=self.spell(code(salted, time)))
        text = decrypt(response.text, salted[:32])
        assert text.startswith('{\tkey: "')
        self.key = extract(text, "key")
