"""A mobile cloud client that behaves as the MCS JavaScript SDK for browsers, release 16.4.5.

Its requests equal that SDK's byte for byte: paths, the milliseconds that it appends to each query, headers with their names, case and
order, and the encoding of bodies. It uses a bare socket, so that no library adds or changes anything. `sent` contains each request as it
was sent. Time and identifiers are parameters, so that a test can write a request down.
"""

import base64
import dataclasses
import datetime
import json
import re
import socket
from urllib.parse import quote, urljoin, urlsplit

from login_page import Page, Person

# The literal text that the browser makes of a value that is missing in the configuration.
UNDEFINED = "undefined"


def encode_base64(text):
    """The SDK's own encoding: one byte for each character, so that é is not sent as UTF-8."""
    return base64.b64encode(text.encode("latin-1")).decode()


def encode_uri_component(text):
    return quote(text, safe="-_.!~*'()")


def credentials(username, password):
    """The form of a password grant. The SDK encodes a space as %20 and leaves brackets. In a name with @ or a password with & it encodes
    a space as a plus sign, and encodes brackets."""

    def encode(text, sign):
        encoded = encode_uri_component(text)
        if sign in text:
            return encoded.replace("%20", "+")
        return encoded.replace("%5B", "[").replace("%5D", "]")

    return f"grant_type=password&username={encode(username, '@')}&password={encode(password, '&')}"


@dataclasses.dataclass
class NetworkResponse:
    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def data(self):
        """The body as with `responseType = 'json'`: null if it is not JSON."""
        try:
            return json.loads(self.content)
        except ValueError:
            return None


class Browser:
    """`XMLHttpRequest`: one connection for each request, as Chromium writes it."""

    def __init__(self, now=1_447_089_992_345, origin=None):
        self.now, self.origin = now, origin
        self.sent = []

    @property
    def request_time(self):
        moment = datetime.datetime.fromtimestamp(self.now // 1000, datetime.timezone.utc)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{self.now % 1000:03}Z"

    def invoke(self, method, url, headers, data=None):
        url += ("&" if "?" in url else "?") + f"_={self.now}"
        parts = urlsplit(url)
        body = (data or "").encode()
        lines = [f"{method} {parts.path}?{parts.query} HTTP/1.1", f"Host: {parts.netloc}", "Connection: keep-alive"]
        if method in ("POST", "PUT"):
            lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines.append("Accept: */*")
        if self.origin:
            lines.append(f"Origin: {self.origin}")
        request = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
        self.sent.append(request)
        with socket.create_connection((parts.hostname, parts.port or 80)) as connection:
            connection.sendall(request)
            return self._read(connection.makefile("rb"), method)

    @staticmethod
    def _read(stream, method):
        version, status, _ = stream.readline().decode().split(" ", 2)
        assert version == "HTTP/1.1", version
        headers = {}
        while line := stream.readline().decode("latin-1").rstrip("\r\n"):
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        content = b""
        if method != "HEAD" and status != "204":
            if headers.get("transfer-encoding") == "chunked":
                while size := int(stream.readline(), 16):
                    content += stream.read(size)
                    stream.readline()
            else:
                content = stream.read(int(headers["content-length"]))
        return NetworkResponse(int(status), headers, content)


class MobileBackend:
    """A backend of the configuration, with the authorization of the type that was selected last."""

    def __init__(self, config, browser=None, session="11111111-2222-4333-8444-555555555555", device="66666666-7777-4888-9999-000000000000"):
        self.config, self.browser = config, browser or Browser()
        self.session, self.device = session, device
        self.authorization = None
        self.type = None

    @property
    def sent(self):
        return self.browser.sent

    def set_authentication_type(self, name):
        types = {"basicAuth": Basic, "oAuth": OAuth, "facebookAuth": Facebook, "ssoAuth": SingleSignOn, "tokenAuth": Token}
        self.type, self.authorization = name, types[name](self, self.config["authorization"][name])
        return self.authorization

    def platform_url(self, path):
        base = self.config["baseUrl"]
        # With single sign-on, the SDK takes a base URL that ends in 1 for a development server, whose port it replaces.
        if self.type == "ssoAuth" and base.endswith("1"):
            base = base[:-4] + "7777"
        return f"{base}/mobile/platform/{path}"

    def headers(self):
        """The headers of every call except logins: diagnostics first, then those of the authorization."""
        headers = {
            "Oracle-Mobile-DIAGNOSTIC-SESSION-ID": self.session, "Oracle-Mobile-DEVICE-ID": self.device,
            "Oracle-Mobile-CLIENT-REQUEST-TIME": self.browser.request_time}
        if self.authorization:
            self.authorization.add_headers(headers)
        return headers

    def custom_code(self, path, method="GET", data=None):
        """`invokeCustomCodeJSONRequest`."""
        url = f"{self.config['baseUrl']}/mobile/custom/{path.removesuffix('/')}"
        headers = self.headers() | {"Content-Type": "application/json"}
        return self.browser.invoke(method, url, headers, json.dumps(data, separators=(",", ":")) if data else None)

    def current_user(self):
        return self.browser.invoke("GET", self.platform_url("users/~"), self.headers())

    def load_app_config(self):
        headers = self.headers() | {"Content-Type": "application/json"}
        return self.browser.invoke("GET", self.platform_url("appconfig/client"), headers)

    def flush_analytics(self, events):
        headers = self.headers() | {"Content-Type": "application/json"}
        return self.browser.invoke("POST", self.platform_url("analytics/events"), headers, json.dumps(events, separators=(",", ":")))

    def register_device(self, token, app, version, platform):
        body = {"notificationToken": token, "mobileClient": {"id": app, "version": version, "platform": platform}}
        headers = self.headers() | {"Content-Type": "application/json"}
        return self.browser.invoke("POST", self.platform_url("devices/register"), headers, json.dumps(body, separators=(",", ":")))


class Authorization:
    """What all authorization types share: the application key, and the token of later calls."""

    def __init__(self, backend, config):
        self.backend, self.config = backend, config
        self.access_token = None

    @property
    def application_key(self):
        return self.backend.config.get("applicationKey", UNDEFINED)

    def _keep(self, response, token):
        """Stores the token of a successful login."""
        self.access_token = token(response) if 200 <= response.status <= 299 else None
        return response


class Basic(Authorization):
    def authenticate(self, username, password):
        token = "Basic " + encode_base64(f"{username}:{password}")
        headers = {
            "Authorization": token, "Oracle-Mobile-Backend-Id": self.config["backendId"],
            "Oracle-Mobile-Application-Key": self.application_key}
        return self._login(headers, token)

    def authenticate_anonymous(self):
        token = "Basic " + self.config["anonymousToken"]
        headers = {
            "Oracle-Mobile-Backend-Id": self.config["backendId"], "Authorization": token,
            "Oracle-Mobile-Application-Key": self.application_key}
        return self._login(headers, token)

    def _login(self, headers, token):
        return self._keep(self.backend.browser.invoke("GET", self.backend.platform_url("users/login"), headers), lambda _: token)

    def add_headers(self, headers):
        if self.access_token:
            headers["Authorization"] = self.access_token
        headers["Oracle-Mobile-Backend-Id"] = self.config["backendId"]
        headers["Oracle-Mobile-Application-Key"] = self.application_key


class Bearer(Authorization):
    """Authorization types whose later calls have a token and no backend."""

    def add_headers(self, headers):
        if self.access_token:
            headers["Authorization"] = f"Bearer {self.access_token}"
        headers["Oracle-Mobile-Application-Key"] = self.application_key

    @property
    def token_url(self):
        url = self.config["tokenEndpoint"]
        return url if url.endswith("/") else url + "/"

    @property
    def client(self):
        return "Basic " + encode_base64(f"{self.config['clientId']}:{self.config['clientSecret']}")

    @property
    def tenant(self):
        name = self.config.get("userIdentityDomainName")
        return {"X-USER-IDENTITY-DOMAIN-NAME": name} if name else {}

    def authenticate_anonymous(self):
        headers = {
            "Content-Type": "application/x-www-form-urlencoded; charset=utf-8", **self.tenant, "Authorization": self.client,
            "Oracle-Mobile-Application-Key": self.application_key}
        return self._ask(headers, "grant_type=client_credentials")

    def _ask(self, headers, form):
        response = self.backend.browser.invoke("POST", self.token_url, headers, form)
        return self._keep(response, lambda response: response.data["access_token"])


class OAuth(Bearer):
    def authenticate(self, username, password):
        headers = {
            "Content-Type": "application/x-www-form-urlencoded; charset=utf-8", "Authorization": self.client,
            "Oracle-Mobile-Application-Key": self.application_key, **self.tenant}
        return self._ask(headers, credentials(username, password))


class SingleSignOn(Bearer):
    def authenticate(self, person):
        """Opens a window for the user and reads the token from the page that is returned under the first URL."""
        url = self.backend.platform_url("sso/token") + f"?clientID={self.config['clientId']}&format=json"
        page = person.log_in(url)
        # The SDK watches the URL of the window, and reads the body between the outermost braces.
        assert page.url.startswith(url), page.url
        answer = json.loads(page.text[page.text.index("{"):page.text.rindex("}") + 1])
        self.access_token = answer.get("access_token")
        return answer


class Token(Bearer):
    def authenticate(self, token):
        """Exchanges a token of an external issuer. The SDK looks up the application key in the wrong place, so it is undefined."""
        headers = self.backend.headers() | {
            "Authorization": f"Bearer {token}", "Oracle-Mobile-Backend-Id": self.config["backendId"],
            "Oracle-Mobile-Application-Key": UNDEFINED}
        url = self.backend.platform_url("sso/exchange-token?format=json")
        return self._keep(self.backend.browser.invoke("GET", url, headers), lambda response: response.data["access_token"])

    @property
    def claims(self):
        """The claims as the SDK reads them, with `atob`, which does not support the base64url alphabet."""
        payload = self.access_token.split(".")[1]
        assert re.fullmatch("[A-Za-z0-9+/]*", payload), f"atob throws at {payload}"
        return json.loads(base64.b64decode(payload + "=" * (-len(payload) % 4)))


class Facebook(Authorization):
    REDIRECT_URI = "http://localhost/callback"

    def authenticate(self, person, facebook):
        """Opens Facebook's dialog in a window; `facebook` is Facebook's URL."""
        url = (f"{facebook}/dialog/oauth?client_id={self.config['facebookAppId']}&redirect_uri={self.REDIRECT_URI}"
               "&response_type=token&scope=public_profile")
        fragment = urlsplit(person.log_in(url, self.REDIRECT_URI).url).fragment
        answer = dict(pair.split("=", 1) for pair in fragment.split("&"))
        self.access_token = answer["access_token"]
        return answer

    def add_headers(self, headers):
        if self.access_token:
            headers["Authorization"] = "Basic " + self.config["anonymousToken"]
            headers["Oracle-Mobile-Social-Access-Token"] = self.access_token
            headers["Oracle-Mobile-Social-Identity-Provider"] = "facebook"
        headers["Oracle-Mobile-Backend-Id"] = self.config["backendId"]
        headers["Oracle-Mobile-Application-Key"] = self.application_key


class InAppBrowser(Person):
    """A window that an app watches. It follows redirects and forms that submit themselves."""

    def log_in(self, url, landing=None):
        """Opens a URL and fills in the pages, up to the app's own URL or a page without a form."""
        step = self._walk(self.browser.get(url, allow_redirects=False), landing)
        while not isinstance(step, Landing) and step.forms:
            form = step.form
            if step.is_login:
                form.fields |= {"username": self.name, "password": self.password or f"{self.name}-password", "action": "login"}
            elif step.is_consent:
                form.fields["action"] = "allow"
            else:
                assert "document.forms[0].submit()" in step.text, f"a form that nobody sends:\n{step.text}"
            response = self.browser.post(urljoin(step.url, form.action), data=form.fields, allow_redirects=False)
            step = self._walk(response, landing)
        return step

    def _walk(self, response, landing):
        while response.is_redirect:
            location = urljoin(response.url, response.headers["Location"])
            if landing and location.startswith(landing):
                return Landing(location)
            response = self.browser.get(location, allow_redirects=False)
        return Page(response)


@dataclasses.dataclass
class Landing:
    """The URL at which the app closed the window."""

    url: str
