"""The walk of every check: a login, a token, credentials of STS, an object. It needs curl, which signs requests by itself."""

import re
import subprocess
import urllib.parse
import urllib.request

from report import CheckFailed
from virga_cloud import Cloud

ROLE = "arn:aws:iam::000000000000:role/personal-files-company"
KEY = "personal-files/employee-0001-alice/check.txt"


def signed(key, secret, url, *options):
    """Sends a signed request, and returns the response's body."""
    result = subprocess.run(
        ["curl", "--silent", "--show-error", "--fail-with-body", "--noproxy", "*", "--aws-sigv4", "aws:amz:us-east-1:s3",
         "--user", f"{key}:{secret}", "--header", "x-amz-content-sha256: UNSIGNED-PAYLOAD", *options, url],
        capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        raise CheckFailed(f"curl ended with {result.returncode}: {result.stderr}{result.stdout}")
    return result.stdout


class Credentials:
    """alice's credentials, after a login at the company through its login page."""

    def __init__(self, url, control_token):
        self.url = url
        login = Cloud(url, control_token=control_token).login("alice", "company")
        if not login.id_token:
            raise CheckFailed(f"the login at {url} returned no ID token: {login.tokens}")
        form = urllib.parse.urlencode({
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": ROLE, "RoleSessionName": "alice",
            "WebIdentityToken": login.id_token})
        with urllib.request.urlopen(url + "/", data=form.encode()) as response:
            answer = response.read().decode()
        self.key, self.secret, self.session = (
            re.search(f"<{name}>([^<]+)</{name}>", answer)[1] for name in ["AccessKeyId", "SecretAccessKey", "SessionToken"])

    def store(self, text):
        self._send("--request", "PUT", "--data-binary", text)

    def read(self):
        return self._send()

    def _send(self, *options):
        return signed(self.key, self.secret, f"{self.url}/{KEY}", "--header", f"x-amz-security-token: {self.session}", *options)
