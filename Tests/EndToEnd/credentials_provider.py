"""A credentials provider, written from the description in Amazon's article "Credential Management for Mobile Applications".

A client calls `credentials()` for every request, so the provider caches its credentials and renews them before they expire. `refresh()`
renews at once; a client calls it when its credentials were rejected as expired. Several clients and their threads share a provider.
"""

import dataclasses
import datetime
import threading
import time

import alibabacloud_oss_v2 as oss
import botocore.credentials
import oss2


@dataclasses.dataclass(frozen=True)
class Credentials:
    id: str
    secret: str
    token: str
    # Seconds since 1970, or None if the source does not return it.
    expiration: float | None


class Provider:
    """`fetch` gets new credentials. `margin` is how long before their expiry they are renewed, in seconds."""

    def __init__(self, fetch, margin=300, now=time.time):
        self.fetch, self.margin, self.now = fetch, margin, now
        self.lock, self.held, self.fetched = threading.Lock(), None, 0

    def credentials(self):
        """The credentials for the next request."""
        held = self.held
        if held is None or self.is_due(held):
            with self.lock:
                # A waiting thread finds the credentials that the first one fetched.
                if self.held is held:
                    self.renew()
                held = self.held
        return held

    def refresh(self, refused=None):
        """Renews at once. With `refused`, the rejected credentials, it renews only if no other thread has done so."""
        with self.lock:
            if refused is None or self.held is refused:
                self.renew()

    def is_due(self, held):
        return held.expiration is not None and self.now() >= held.expiration - self.margin

    def renew(self):
        self.held = self.fetch()
        self.fetched += 1

    def retrying(self, call, is_expired):
        """Makes a call. If the credentials were rejected as expired, renews them and calls once more."""
        held = self.credentials()
        try:
            return call()
        except Exception as error:
            if not is_expired(error):
                raise
        self.refresh(held)
        return call()


def expiration(text):
    """Seconds since 1970 of an ISO 8601 time in UTC, as STS and the app server write it."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


# Adapters of the same provider for the SDKs.

class ForAmazon(botocore.credentials.Credentials):
    """Credentials for botocore, which reads them when it signs."""

    def __init__(self, provider):
        self.provider, self.method, self.account_id = provider, "article", None

    def get_frozen_credentials(self):
        held = self.provider.credentials()
        return botocore.credentials.ReadOnlyCredentials(held.id, held.secret, held.token)


class ForAlibaba(oss2.credentials.CredentialsProvider):
    """A credentials provider for oss2, which calls it when it signs."""

    def __init__(self, provider):
        self.provider = provider

    def get_credentials(self):
        held = self.provider.credentials()
        return oss2.credentials.Credentials(held.id, held.secret, held.token)


class ForAlibabaVersionTwo(oss.credentials.CredentialsProvider):
    """A credentials provider for version 2 of the SDK."""

    def __init__(self, provider):
        self.provider = provider

    def get_credentials(self):
        held = self.provider.credentials()
        return oss.credentials.Credentials(held.id, held.secret, held.token)
