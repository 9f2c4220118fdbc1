"""Logins without a browser: the login page is one form without script."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import urllib.parse
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .connection import Browser, Connection, Reply
from .errors import CloudError

_PATHS = {
    "facebook": ("/dialog/oauth", "/oauth/access_token", "public_profile"),
    "amazon": ("/ap/oa", "/auth/o2/token", "profile"),
    "google": ("/o/oauth2/v2/auth", "/token", "openid profile email"),
    "github": ("/login/oauth/authorize", "/login/oauth/access_token", "read:user user:email")}


@dataclass(frozen=True)
class Login:
    """The end of a login: the redirect to the application, and what the token endpoint returned for its code."""

    redirect_url: str
    parameters: Dict[str, str]
    code_verifier: str
    tokens: Dict[str, Any] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The authorization code."""
        return self.parameters["code"]

    @property
    def id_token(self) -> Optional[str]:
        """The ID token; None at Facebook, Amazon and GitHub."""
        return self.tokens.get("id_token")

    @property
    def access_token(self) -> Optional[str]:
        """The access token."""
        return self.tokens.get("access_token")

    @property
    def refresh_token(self) -> Optional[str]:
        """The refresh token, if there is one."""
        return self.tokens.get("refresh_token")


def authorize(connection: Connection, url: str, person: str, *, consent: bool = True) -> str:
    """Opens the authorization URL of an application, logs a person in, answers the consent page, and returns the URL of the redirect."""
    browser = Browser(cafile=connection.cafile, timeout=connection.timeout, keeps_cookies=True)
    origin = _origin(url)
    reply = browser.send("GET", url, headers=connection.host_headers)
    # A login page, a consent page, what a provider that asks another one shows, and the redirects between them.
    for _ in range(30):
        if reply.status in (301, 302, 303, 307, 308):
            target = urllib.parse.urljoin(url, str(reply.headers["Location"]))
            if _origin(target) != origin:
                return target
            url = target
            reply = browser.send("GET", url, headers=connection.host_headers)
            continue
        page = _Page(reply.text)
        form = page.form
        if reply.status != 200 or form is None:
            raise CloudError("login_failed", f"{url} shows no login page: {page.words()}", reply.status)
        if "username" in form.fields:
            if ("person", person) not in form.buttons:
                names = ", ".join(value for name, value in form.buttons if name == "person")
                raise CloudError("unknown_user", f"The login page at {url} has no person '{person}'; expected one of {names or 'none'}.")
            button = ("person", person)
        else:
            button = ("action", "allow" if consent else "deny")
            if button not in form.buttons:
                raise CloudError("login_failed", f"{url} shows a page without the button {button[1]}: {page.words()}", reply.status)
        url = urllib.parse.urljoin(url, form.action)
        body = urllib.parse.urlencode([*form.fields.items(), button]).encode()
        reply = browser.send(
            "POST", url, body, {**connection.host_headers, "Content-Type": "application/x-www-form-urlencoded"})
    raise CloudError("login_failed", f"The login at {url} does not end.")


def log_in(
        connection: Connection, person: str, provider: str, kind: str, client: Mapping[str, Any], *, scope: Optional[str] = None,
        redirect_uri: Optional[str] = None, consent: bool = True, redeems: bool = True,
        parameters: Optional[Mapping[str, str]] = None) -> Login:
    """Logs a person in at a provider with the authorization code flow and PKCE (RFC 6749 section 4.1, RFC 7636)."""
    authorization, token, usual_scope = _endpoints(connection, provider, kind)
    redirect_uri = redirect_uri or next(iter(client.get("redirectURIs", [])), None)
    if redirect_uri is None:
        raise CloudError("missing_redirect_uri", f"The client '{client['id']}' has no redirect URI; pass redirect_uri.")
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = {
        "response_type": "code", "client_id": client["id"], "redirect_uri": redirect_uri, "scope": scope or usual_scope,
        "state": secrets.token_urlsafe(8), "code_challenge": challenge, "code_challenge_method": "S256", **(parameters or {})}
    target = authorize(connection, f"{authorization}?{urllib.parse.urlencode(query)}", person, consent=consent)
    answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(target).query))
    if "code" not in answer:
        raise CloudError(answer.get("error", "login_failed"), answer.get("error_description", f"The provider redirected to {target}."))
    if not redeems:
        return Login(target, answer, verifier)
    form = {
        "grant_type": "authorization_code", "code": answer["code"], "redirect_uri": redirect_uri, "client_id": client["id"],
        "code_verifier": verifier}
    if client.get("secret"):
        form["client_secret"] = client["secret"]
    reply = Browser(cafile=connection.cafile, timeout=connection.timeout).send(
        "POST", token, urllib.parse.urlencode(form).encode(),
        {**connection.host_headers, "Content-Type": "application/x-www-form-urlencoded"})
    return Login(target, answer, verifier, _tokens(reply))


def _endpoints(connection: Connection, provider: str, kind: str) -> Tuple[str, str, str]:
    base = f"{connection.url}/idp/{urllib.parse.quote(provider, safe='')}"
    if kind in _PATHS:
        authorization, token, scope = _PATHS[kind]
        return base + authorization, base + token, scope
    reply = Browser(cafile=connection.cafile, timeout=connection.timeout).send(
        "GET", f"{base}/.well-known/openid-configuration", headers=connection.host_headers)
    metadata = reply.json()
    if reply.status != 200 or not isinstance(metadata, dict):
        raise CloudError("login_failed", f"The provider '{provider}' has no metadata: {reply.text[:300]}", reply.status)
    # The issuer's endpoints may have other hosts, which belong to the same server.
    paths = [urllib.parse.urlsplit(metadata[name]).path for name in ("authorization_endpoint", "token_endpoint")]
    return connection.url + paths[0], connection.url + paths[1], "openid profile email"


def _tokens(reply: Reply) -> Dict[str, Any]:
    try:
        answer = json.loads(reply.text)
    except ValueError:
        answer = dict(urllib.parse.parse_qsl(reply.text))
    # GitHub's errors have the status 200.
    if reply.status == 200 and isinstance(answer, dict) and "error" not in answer:
        return answer
    error = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(error, dict):
        raise CloudError(str(error.get("type", "login_failed")), str(error.get("message", reply.text)), reply.status)
    description = answer.get("error_description") if isinstance(answer, dict) else None
    raise CloudError(error or "login_failed", description or reply.text[:500], reply.status)


def _origin(url: str) -> Tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc


@dataclass
class _Form:
    action: str
    fields: Dict[str, str] = field(default_factory=dict)
    buttons: List[Tuple[str, str]] = field(default_factory=list)


class _Page(HTMLParser):
    """The first posted form of a page: the fields that a browser sends, and the buttons."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._forms: List[Tuple[str, _Form]] = []
        self._words: List[str] = []
        self._hidden = 0
        self.feed(text)

    @property
    def form(self) -> Optional[_Form]:
        return next((form for method, form in self._forms if method == "post"), None)

    def words(self) -> str:
        """The text of the page, for messages."""
        return " ".join(" ".join(self._words).split())[:300]

    def handle_starttag(self, tag: str, attributes: List[Tuple[str, Optional[str]]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if tag in ("style", "script", "title"):
            self._hidden += 1
        elif tag == "form":
            self._forms.append((values.get("method", "get").lower(), _Form(values.get("action", ""))))
        elif tag in ("input", "button") and self._forms and values.get("name"):
            form = self._forms[-1][1]
            kind = values.get("type", "submit" if tag == "button" else "text")
            if kind == "submit":
                form.buttons.append((values["name"], values.get("value", "")))
            elif kind not in ("checkbox", "radio") or "checked" in values:
                form.fields[values["name"]] = values.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script", "title"):
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._words.append(data)
