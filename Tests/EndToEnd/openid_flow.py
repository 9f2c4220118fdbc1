"""An OpenID Connect authentication request in any of its forms, and the checks of every response.

The checks are those of the conformance suite's own clients: response mode, state, issuer, signature, claims, hashes.
"""

import base64
import hashlib
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

import requests
from authlib.common.security import generate_token
from joserfc import jwk, jwt

from company import issuer
from login_page import REDIRECT_URI, Page, Person, Redirect, Refusal

RESPONSE_TYPES = ["code", "id_token", "id_token token", "code id_token", "code token", "code id_token token"]
RESPONSE_MODES = ["default", "form_post"]


@dataclass
class Answer:
    """The response at the client's redirect URI, its response mode, and the pages that were shown on the way."""

    delivery: str
    parameters: dict[str, str]
    pages: list[str] = field(default_factory=list)


class Flow:
    """A client at an issuer that uses one response type in one response mode."""

    def __init__(self, cloud, response_type="code", mode="default", client=("conformance", "conformance-secret")):
        self.response_type, self.mode = response_type, mode
        self.client_id, self.client_secret = client
        self.issuer = issuer(cloud)
        # No token of this flow is older. Tokens have whole seconds.
        self.begun = int(time.time())
        self.metadata = requests.get(f"{self.issuer}/.well-known/openid-configuration").json()

    @property
    def parts(self):
        return set(self.response_type.split())

    @property
    def delivery(self):
        """The expected response mode (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1)."""
        if self.mode != "default":
            return self.mode
        return "query" if self.response_type == "code" else "fragment"

    def request(self, **parameters):
        """The parameters of a request with a new state and nonce; None omits a parameter."""
        self.state, self.nonce = generate_token(20), generate_token(20)
        standard = {
            "response_type": self.response_type, "client_id": self.client_id, "redirect_uri": REDIRECT_URI,
            "scope": "openid", "state": self.state, "nonce": self.nonce}
        if self.mode != "default":
            standard["response_mode"] = self.mode
        wanted = {name: value for name, value in (standard | parameters).items() if value is not None}
        self.state, self.nonce = wanted.get("state"), wanted.get("nonce")
        return wanted

    def url(self, **parameters):
        return f"{self.metadata['authorization_endpoint']}?{urlencode(self.request(**parameters))}"

    def ask(self, person, **parameters):
        """Follows a request to its response, which may be an error."""
        return self.follow(person, person.open(self.url(**parameters)))

    def follow(self, person, step):
        pages = []
        while isinstance(step, Page):
            posted = next((form for form in step.forms if form.action == REDIRECT_URI), None)
            if posted is not None:
                assert posted.method == "post"
                return Answer("form_post", posted.fields, pages)
            if step.is_login:
                pages.append("login")
                step = person.sign_in(step)
            else:
                assert step.is_consent, f"an unexpected page at {step.url}:\n{step.text}"
                pages.append("consent")
                step = person.press(step, ("action", "allow"))
        assert isinstance(step, Redirect), f"refused with {step.status} at {step.url}:\n{step.text}"
        assert step.url.startswith(REDIRECT_URI) and not (step.query and step.fragment), step.url
        return Answer("fragment" if step.fragment else "query", step.fragment or step.query, pages)

    def authorize(self, person, **parameters):
        """Makes a successful request, and checks the response mode, the members and every token."""
        answer = self.ask(person, **parameters)
        assert "error" not in answer.parameters, answer.parameters
        assert answer.delivery == self.delivery
        members = {"code": {"code"}, "id_token": {"id_token"}, "token": {"access_token", "token_type", "expires_in"}}
        expected = set().union(*(members[part] for part in self.parts))
        optional = {"state", "iss", "scope", "session_state", "expires_in"}
        assert expected <= set(answer.parameters) <= expected | optional, answer.parameters
        assert answer.parameters.get("state") == self.state
        assert answer.parameters.get("iss", self.issuer) == self.issuer
        if "token" in self.parts:
            assert answer.parameters["token_type"].lower() == "bearer"
        if "id_token" in self.parts:
            claims = self.verified(answer.parameters["id_token"]).claims
            # OpenID Connect Core sections 3.2.2.10 and 3.3.2.11: both hashes are required beside their values.
            for member, claim in [("access_token", "at_hash"), ("code", "c_hash")]:
                if member in answer.parameters:
                    assert claims[claim] == half_hash(answer.parameters[member]), claim
        return answer

    def verified(self, token):
        """An ID token whose signature and claims are valid by section 3.1.3.7."""
        keys = jwk.KeySet.import_key_set(requests.get(self.metadata["jwks_uri"]).json())
        decoded = jwt.decode(token, keys, algorithms=["RS256"])
        claims, now = decoded.claims, time.time()
        assert claims["iss"] == self.issuer
        assert claims["aud"] == self.client_id or claims["aud"] == [self.client_id]
        assert claims.get("azp", self.client_id) == self.client_id
        assert 0 < len(claims["sub"]) <= 255
        assert self.begun <= claims["iat"] <= now < claims["exp"]
        assert claims.get("nonce") == self.nonce
        return decoded

    def redeem(self, code, **parameters):
        """The response of the token endpoint, with the client secret in the header."""
        return requests.post(
            self.metadata["token_endpoint"], auth=(self.client_id, self.client_secret),
            data={"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI, **parameters})

    def tokens(self, answer, **parameters):
        """Returns the tokens of a response and of its code. Those of the token endpoint take precedence."""
        tokens = dict(answer.parameters)
        if "code" not in self.parts:
            return tokens
        response = self.redeem(answer.parameters["code"], **parameters)
        assert response.status_code == 200, response.text
        redeemed = response.json()
        assert redeemed["token_type"].lower() == "bearer" and redeemed["expires_in"] > 0
        claims = self.verified(redeemed["id_token"]).claims
        if "at_hash" in claims:
            assert claims["at_hash"] == half_hash(redeemed["access_token"])
        if "id_token" in self.parts:
            # Section 3.3.3.6: issuer and subject are the same in both.
            front = self.verified(tokens["id_token"]).claims
            assert (front["iss"], front["sub"]) == (claims["iss"], claims["sub"])
        return tokens | redeemed

    def identity(self, person, **parameters):
        """The claims of the ID token of a request, and the response."""
        answer = self.authorize(person, **parameters)
        return self.verified(self.tokens(answer)["id_token"]).claims, answer

    def userinfo(self, token):
        response = requests.get(self.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"})
        assert response.status_code == 200, response.text
        assert response.headers["Content-Type"].partition(";")[0] == "application/json"
        return response.json()

    def claims_by_scope(self, person, **parameters):
        """The claims about the user, in the place of section 5.4: userinfo, or the ID token if it is the only token."""
        answer = self.authorize(person, **parameters)
        tokens = self.tokens(answer)
        identity = self.verified(tokens["id_token"]).claims if "id_token" in tokens else None
        if self.parts == {"id_token"}:
            return identity
        claims = self.userinfo(tokens["access_token"])
        if identity:
            assert claims["sub"] == identity["sub"]
        return claims


def half_hash(value):
    """The left half of the value's SHA-256 (section 3.1.3.6)."""
    digest = hashlib.sha256(value.encode()).digest()
    return base64.urlsafe_b64encode(digest[:len(digest) // 2]).decode().rstrip("=")


def alice():
    """A user with a new browser session."""
    return Person("alice", "alice-password")


def is_page_for_the_person(step):
    """Whether the request ended at a page of the issuer, without a redirect to the client."""
    return isinstance(step, Refusal) and step.status == 400 and REDIRECT_URI not in step.text
