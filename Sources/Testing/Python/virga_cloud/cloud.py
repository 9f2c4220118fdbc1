"""A client of a cloud: the control API, logins, and clients of its services."""

from __future__ import annotations

import os
import re
import urllib.parse
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Type, TypeVar, Union

from . import alibaba, aws, login
from .clock import Clock
from .connection import Connection, segment
from .control_token import control_token as token_of
from .environment import ClientVariables, WebIdentity, client_variables
from .errors import CloudError
from .explanations import Explanation
from .faults import Faults
from .journal import Journal
from .sandboxes import Sandboxes, Snapshots, order
from .seeds import AccessKey, ExportedSeed, SeedSource, seed_text
from .times import Duration
from .tokens import Token

if TYPE_CHECKING:
    import boto3

DEFAULT = "default"
Found = TypeVar("Found")
_SEEDED = "seed"


class Cloud:
    """A sandbox of a running server.

    Without `url` it is that of `VIRGA_ENDPOINT`, else port `VIRGA_PORT` or 4566 of this machine. `control_token` is the server's control
    token, by default `VIRGA_CONTROL_TOKEN` or the text of the file `VIRGA_CONTROL_TOKEN_FILE`. `sandbox` names a sandbox other than that of the URL. `cafile` has the CA certificate for
    HTTPS. As a context manager it removes the sandbox at the end.
    """

    def __init__(
            self, url: Optional[str] = None, *, control_token: Optional[str] = None, sandbox: Optional[str] = None,
            cafile: Optional[str] = None, timeout: float = 60) -> None:
        if url is None:
            url = os.environ.get("VIRGA_ENDPOINT") or f"http://127.0.0.1:{os.environ.get('VIRGA_PORT') or 4566}"
        if control_token is None:
            control_token = token_of(os.environ)
        connection = Connection(url, token=control_token, sandbox=sandbox, cafile=cafile, timeout=timeout)
        self._use(connection, connection, sandbox or _sandbox_of_host(url) or DEFAULT, connection.url)

    def _use(self, connection: Connection, process: Connection, name: str, url: str) -> None:
        self._connection = connection
        self._process = process
        self.name = name
        self.url = url
        self.clock = Clock(connection)
        self.faults = Faults(connection)
        self.journal = Journal(connection)
        self.sandboxes = Sandboxes(process, self._sandbox)
        self.snapshots = Snapshots(process)
        # What is put before the names of this client's own snapshots, because a server has one list for all sandboxes.
        self.snapshot_prefix = ""
        self.forks: List[Cloud] = []
        self.seed_changes = 0
        self._own_snapshots: Set[str] = set()
        self._first_root_key: Optional[AccessKey] = None
        # The latest export in each state: that of the beginning (None), that of the seeds, and those of the snapshots. Root keys, roles,
        # providers and clients are looked up there, since they seldom change.
        self._state: Optional[str] = None
        self._exports: Dict[Optional[str], ExportedSeed] = {}

    def __repr__(self) -> str:
        return f"Cloud({self.url!r}, name={self.name!r})"

    # Sandboxes.

    def _sandbox(self, answer: Mapping[str, Any]) -> Cloud:
        """Returns a client of a sandbox that was just created."""
        port_url, process = answer.get("portURL"), self._process
        made = Cloud.__new__(Cloud)
        # Without a port the name may not resolve, so the control API is called at the process's address.
        host = None if port_url else urllib.parse.urlsplit(answer["url"]).netloc
        connection = Connection(
            port_url or process.url, token=answer.get("token") or process.token, host=host, cafile=process.cafile,
            timeout=process.timeout)
        made._use(connection, process, answer["name"], (port_url or answer["url"]).rstrip("/"))
        if "accessKeyId" in answer:
            made._first_root_key = AccessKey(answer["accessKeyId"], answer["secretAccessKey"])
        return made

    @property
    def _path(self) -> str:
        return f"/sandboxes/{segment(self.name)}"

    def fork(
            self, name: Optional[str] = None, *, port: bool = True, expires: Optional[Duration] = None,
            prefix: Optional[str] = None, with_faults: bool = False) -> Cloud:
        """Creates a sandbox from the present state of this one, `with_faults` with its rules for errors on demand."""
        body = order(name, None, None, port, expires, prefix, False)
        if with_faults:
            body["with"] = ["faults"]
        fork = self._sandbox(self._process.call("POST", f"{self._path}/fork", body=body))
        self.forks.append(fork)
        return fork

    def snapshot(self, name: str, *, replace: bool = True) -> None:
        """Takes a snapshot of this sandbox."""
        self._process.call("POST", f"{self._path}/snapshots", body={"name": self.snapshot_prefix + name, "replace": replace})
        self._own_snapshots.add(name)
        self._exports.pop(_state_of_snapshot(name), None)

    def restore(self, name: str, *, with_faults: bool = False) -> None:
        """Puts the state of a snapshot in place of the state of this sandbox. `with_faults` keeps its rules for errors on demand."""
        prefix = self.snapshot_prefix if name in self._own_snapshots else ""
        body: Dict[str, Any] = {"snapshot": prefix + name}
        if with_faults:
            body["with"] = ["faults"]
        self._process.call("POST", f"{self._path}/restore", body=body)
        self._state = _state_of_snapshot(name)

    def delete(self) -> None:
        """Removes this sandbox."""
        self.sandboxes.delete(self.name)

    def __enter__(self) -> Cloud:
        return self

    def __exit__(
            self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.delete()

    # Contents.

    def reset(self) -> None:
        """Empties the cloud and applies its seeds again."""
        self._connection.call("POST", "/reset")
        self._state = _SEEDED

    def seed(self, source: SeedSource) -> List[str]:
        """Empties the cloud and fills it from a seed, which later resets apply as well.

        Returns the keys of the seed that take effect at the next start of the server.
        """
        answer = self._connection.call("PUT", "/seed", body=seed_text(source), content_type="application/json5")
        self.seed_changes += 1
        self._state = _SEEDED
        self._exports.pop(_SEEDED, None)
        return list(answer.get("needsRestart", []))

    def export(self) -> ExportedSeed:
        """Returns the cloud as a seed, secrets included."""
        reply = self._connection.request("GET", "/seed")
        exported = ExportedSeed(reply.json(), tuple(reply.headers.get_all("x-virga-left-out") or ()))
        self._exports[self._state] = exported
        return exported

    def _find(self, question: Callable[[ExportedSeed], Found]) -> Found:
        """Asks the latest export, and a new one if that does not know the answer."""
        latest = self._exports.get(self._state)
        if latest is not None:
            try:
                return question(latest)
            except CloudError:
                pass
        return question(self.export())

    @property
    def root_key(self) -> AccessKey:
        """The access key of the root user."""
        if self._state is None and self._first_root_key is not None:
            return self._first_root_key
        return self._find(lambda directory: directory.required(directory.root_key, "account"))

    # Tokens and logins.

    def token(
            self, provider: str, *, user: str, client: Optional[str] = None, fault: Optional[str] = None,
            claims: Optional[Mapping[str, Any]] = None, missing_claims: Optional[Sequence[str]] = None, type: Optional[str] = None,
            scope: Optional[str] = None, nonce: Optional[str] = None, lifetime: Optional[int] = None, algorithm: Optional[str] = None,
            header: Optional[Mapping[str, Any]] = None, **options: Any) -> Token:
        """Issues the token that an application holds after a login, or one with a `fault`. `options` are further members of the call."""
        members = {
            "provider": provider, "user": user, "client": client, "fault": fault, "claims": claims, "missingClaims": missing_claims,
            "type": type, "scope": scope, "nonce": nonce, "lifetime": lifetime, "algorithm": algorithm, "header": header, **options}
        return Token.of(self._connection.call(
            "POST", "/tokens", body={name: value for name, value in members.items() if value is not None}))

    def login(
            self, person: str, provider: str, *, client: Optional[str] = None, client_secret: Optional[str] = None,
            redirect_uri: Optional[str] = None, scope: Optional[str] = None, consent: bool = True, redeem: bool = True,
            parameters: Optional[Mapping[str, str]] = None) -> login.Login:
        """Logs a person in at a provider through the login and consent pages, and redeems the code.

        The client is the provider's first one, with its secret and first redirect URI, unless arguments say otherwise. With
        `redeem=False` the code is left to the application.
        """
        kind = self._find(lambda directory: directory.provider_kind(provider))
        chosen = dict(self._find(lambda directory: directory.client(provider, client)))
        if client_secret is not None:
            chosen["secret"] = client_secret
        return login.log_in(
            self._connection, person, provider, kind, chosen, scope=scope, redirect_uri=redirect_uri, consent=consent, redeems=redeem,
            parameters=parameters)

    def authorize(self, url: str, person: str, *, consent: bool = True) -> str:
        """Opens an authorization URL that an application made, logs a person in, and returns the URL of the redirect."""
        return login.authorize(self._connection, url, person, consent=consent)

    # Decisions.

    def explain(
            self, request_id: Optional[str] = None, *, as_: Optional[str] = None, action: Optional[str] = None, resource: str = "*",
            context: Optional[Mapping[str, Any]] = None) -> Explanation:
        """Explains a request by its ID, or says who may do what: `as_` is an ARN, an access key or `anonymous`."""
        if request_id is not None:
            body: Dict[str, Any] = {"request_id": request_id}
        elif as_ is None or action is None:
            raise ValueError("pass a request ID, or as_ and action")
        else:
            body = {"as": as_, "action": action, "resource": resource}
            if context:
                body["context"] = dict(context)
        return Explanation.of(self._connection.call("POST", "/explain", body=body))

    # Clients.

    def environment(
            self, *, as_: Optional[str] = None, role: Optional[str] = None,
            token_file: Union[str, os.PathLike[str], None] = None) -> ClientVariables:
        """Returns the variables of `virga env`: with root keys, or with `as_` (`USER@PROVIDER`), `role` and a file for the token."""
        if as_ is None:
            keys = self._find(lambda directory: (directory.root_key, directory.alibaba_root_key))
            return client_variables(self.url, aws=keys[0], alibaba=keys[1])
        if role is None or token_file is None:
            raise ValueError("as_ needs role and token_file")
        user, provider = person_and_provider(as_)
        token = self.token(provider, user=user)
        with open(token_file, "w", opener=lambda path, flags: os.open(path, flags, 0o600), encoding="utf-8") as file:
            file.write(token)
        identity = WebIdentity(user, provider, self._find(lambda directory: directory.role_arn(role)), os.path.abspath(token_file))
        return client_variables(self.url, web_identity=identity)

    def session(self) -> boto3.Session:
        """Returns a boto3 session of the root user."""
        return aws.session(self.url, self.root_key, cafile=self._connection.cafile)

    def client(self, service: str, **options: Any) -> Any:
        """Returns a boto3 client of the root user, which never retries."""
        return self.session().client(service, **options)

    def role_session(
            self, role: str, as_: str, *, client: Optional[str] = None, session_name: Optional[str] = None,
            token: Optional[str] = None, **parameters: Any) -> boto3.Session:
        """Returns a boto3 session of a person (`USER@PROVIDER`) who assumed a role, which is given by its name or its ARN.

        `parameters` are further ones of AssumeRoleWithWebIdentity. The credentials are not renewed when they expire.
        """
        user, provider = person_and_provider(as_)
        kind = self._find(lambda directory: directory.provider_kind(provider))
        request = {
            "RoleArn": self._find(lambda directory: directory.role_arn(role)), "RoleSessionName": session_name or user,
            "WebIdentityToken": str(token or self.token(provider, user=user, client=client)), **parameters}
        cafile = self._connection.cafile
        credentials = aws.assume_role_with_web_identity(self.url, kind, request, cafile=cafile)
        key = AccessKey(credentials["AccessKeyId"], credentials["SecretAccessKey"])
        return aws.session(self.url, key, token=credentials["SessionToken"], cafile=cafile)

    def oss(self, bucket: Optional[str] = None) -> Any:
        """Returns an `oss2.Bucket` of the root user of Alibaba Cloud, or an `oss2.Service` without a bucket."""
        key = self._find(lambda directory: directory.required(directory.alibaba_root_key, "account of Alibaba Cloud"))
        return alibaba.oss(self.url, key, bucket, cafile=self._connection.cafile)


def _state_of_snapshot(name: str) -> str:
    return f"snapshot {name}"


def person_and_provider(text: str) -> List[str]:
    """Returns the parts of `USER@PROVIDER`."""
    user, mark, provider = text.rpartition("@")
    if not user or not provider:
        raise ValueError(f"{text!r} is not USER@PROVIDER, such as alice@company")
    return [user, provider]


def _sandbox_of_host(url: str) -> Optional[str]:
    """The sandbox in a host `NAME.sandbox.<base>`."""
    found = re.match(r"([^.]+)\.sandbox\.", urllib.parse.urlsplit(url).hostname or "")
    return found[1] if found else None
