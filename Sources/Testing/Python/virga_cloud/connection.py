"""HTTP requests to the control API."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from email.message import Message
from typing import Any, Dict, Mapping, Optional, Union

from .errors import CloudError

JSON = "application/json"


@dataclass(frozen=True)
class Reply:
    """A response of the server."""

    status: int
    headers: Message
    text: str

    def json(self) -> Any:
        """Returns the value of the body, or None if it is not JSON."""
        try:
            return json.loads(self.text)
        except ValueError:
            return None


class Browser:
    """Sends requests directly, without a proxy, and does not follow redirects. With `keeps_cookies` it returns the cookies that it got."""

    def __init__(self, *, cafile: Optional[str] = None, timeout: float = 60, keeps_cookies: bool = False) -> None:
        self.timeout = timeout
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({}), _KeepRedirects()]
        if cafile is not None:
            handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=cafile)))
        if keeps_cookies:
            handlers.append(urllib.request.HTTPCookieProcessor())
        self._opener = urllib.request.build_opener(*handlers)

    def send(self, method: str, url: str, body: Optional[bytes] = None, headers: Optional[Mapping[str, str]] = None) -> Reply:
        """Sends a request and returns the response, whatever its status is."""
        request = urllib.request.Request(url, data=body, headers=dict(headers or {}), method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                return Reply(response.status, response.headers, response.read().decode("utf-8", "replace"))
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, error.headers, error.read().decode("utf-8", "replace"))
        except (urllib.error.URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise CloudError("unreachable", f"{url} does not answer ({reason}). Check that the server runs there.") from error


class _KeepRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any, **options: Any) -> None:
        return None


class Connection:
    """The control API of a server, for one sandbox.

    `host` is the name in the `Host` header if it differs from that of `url`, for a sandbox whose name does not resolve.
    """

    def __init__(
            self, url: str, *, token: Optional[str] = None, sandbox: Optional[str] = None, host: Optional[str] = None,
            cafile: Optional[str] = None, timeout: float = 60) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.sandbox = sandbox
        self.host = host
        self.cafile = cafile
        self.timeout = timeout
        self._browser = Browser(cafile=cafile, timeout=timeout)

    @property
    def host_headers(self) -> Dict[str, str]:
        """The `Host` header, if it differs from the URL's host."""
        return {} if self.host is None else {"Host": self.host}

    def request(
            self, method: str, path: str, *, body: Union[str, Mapping[str, Any], None] = None, content_type: str = JSON,
            query: Optional[Mapping[str, object]] = None) -> Reply:
        """Calls a path below `/_virga`. Raises CloudError if the server returns an error."""
        headers = {"Accept": JSON, **self.host_headers}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.sandbox is not None:
            headers["X-Virga-Sandbox"] = self.sandbox
        data = None
        if body is not None:
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            headers["Content-Type"] = content_type
        url = f"{self.url}/_virga{path}"
        if query:
            url += "?" + urllib.parse.urlencode(query)
        reply = self._browser.send(method, url, data, headers)
        if reply.status >= 300:
            raise _error(method, path, reply)
        return reply

    def call(self, method: str, path: str, **options: Any) -> Any:
        """Calls a path below `/_virga` and returns the JSON value of the response."""
        return self.request(method, path, **options).json()


def _error(method: str, path: str, reply: Reply) -> CloudError:
    members = reply.json()
    if not isinstance(members, dict) or not isinstance(members.get("error"), str):
        return CloudError("unexpected_response", f"{method} /_virga{path} returned status {reply.status}: {reply.text[:500]}", reply.status)
    code, message = members.pop("error"), members.pop("message", "")
    return CloudError(code, message, reply.status, members)


def segment(name: str) -> str:
    """Returns a name as one segment of a path."""
    return urllib.parse.quote(name, safe="")
