"""Seeds: what a cloud is filled with."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .errors import CloudError

SeedSource = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A seed as JSON5 text (which contains a brace), as the path of a file, or as an object."""

_SOCIAL = ("facebook", "amazon", "google", "github")


def seed_text(source: SeedSource) -> str:
    """Returns the JSON5 text of a seed."""
    if isinstance(source, Mapping):
        return json.dumps(source)
    if isinstance(source, str) and "{" in source:
        return source
    return Path(source).read_text(encoding="utf-8")


@dataclass(frozen=True)
class AccessKey:
    """An access key of a root user."""

    id: str
    secret: str


@dataclass(frozen=True)
class ExportedSeed:
    """A cloud as a seed, secrets included. `left_out` names what a seed cannot hold."""

    contents: Dict[str, Any]
    left_out: Tuple[str, ...] = ()

    @property
    def root_key(self) -> Optional[AccessKey]:
        """The first access key of an AWS root user."""
        return _first_key(self._accounts)

    @property
    def alibaba_root_key(self) -> Optional[AccessKey]:
        """The first access key of a root user of Alibaba Cloud."""
        return _first_key(self.contents.get("alibaba", {}).get("accounts", []))

    @staticmethod
    def required(key: Optional[AccessKey], owner: str) -> AccessKey:
        """Returns a root key, or raises CloudError if there is none."""
        if key is None:
            raise CloudError("no_root_key", f"No {owner} of the cloud has a root key; add rootKeys to the seed.")
        return key

    @property
    def _accounts(self) -> List[Dict[str, Any]]:
        accounts: List[Dict[str, Any]] = self.contents.get("accounts", [])
        return accounts

    def role_arn(self, role: str) -> str:
        """Returns the ARN of a role that is given by its name or its ARN."""
        if ":" in role:
            return role
        name = role.rsplit("/", 1)[-1]
        for account in self._accounts:
            for candidate in account.get("roles", []):
                if candidate["name"] == name:
                    path = candidate.get("path", "/")
                    return f"arn:aws:iam::{account['id']}:role{path}{name}"
        names = [candidate["name"] for account in self._accounts for candidate in account.get("roles", [])]
        raise CloudError("unknown_role", f"There is no role '{role}'; expected one of {', '.join(names) or 'none'}.")

    def provider(self, name: str) -> Dict[str, Any]:
        """Returns an identity provider."""
        providers: List[Dict[str, Any]] = self.contents.get("identityProviders", [])
        for provider in providers:
            if provider["name"] == name:
                return provider
        names = ", ".join(provider["name"] for provider in providers)
        raise CloudError("unknown_provider", f"There is no provider '{name}'; expected one of {names or 'none'}.")

    def provider_kind(self, name: str) -> str:
        """Returns `openIDConnect`, `facebook`, `amazon`, `google` or `github`."""
        return str(self.provider(name).get("kind") or (name if name in _SOCIAL else "openIDConnect"))

    def client(self, provider: str, client: Optional[str] = None) -> Dict[str, Any]:
        """Returns a client of a provider, by default the first one."""
        clients: List[Dict[str, Any]] = self.provider(provider).get("clients", [])
        for candidate in clients:
            if client is None or candidate["id"] == client:
                return candidate
        raise CloudError("unknown_client", f"The provider '{provider}' has no client{'' if client is None else f' {client!r}'}.")


def _first_key(accounts: List[Dict[str, Any]]) -> Optional[AccessKey]:
    for account in accounts:
        for key in account.get("rootKeys", []):
            return AccessKey(key["id"], key["secret"])
    return None
