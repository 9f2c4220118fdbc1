"""A credentials provider as Amazon's article "Credential Management for Mobile Applications" describes them, written from it.

A client asks `credentials()` for every call, so the provider keeps what it has, and renews it before it expires. `refresh()` renews at once,
which is what a client does whose credentials were refused as expired. Several clients, and their threads, share one provider.
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
    # Seconds since 1970, or nothing where the source does not say.
    expiration: float | None


class Provider:
    """`fetch` gets credentials where they come from. `margin` is how long before their end they are renewed, in seconds."""

    def __init__(self, fetch, margin=300, now=time.time):
        self.fetch, self.margin, self.now = fetch, margin, now
        self.lock, self.held, self.fetched = threading.Lock(), None, 0

    def credentials(self):
        """What the next call is signed with."""
        held = self.held
        if held is None or self.is_due(held):
            with self.lock:
                # Whoever waited finds what the first of them fetched.
                if self.held is held:
                    self.renew()
                held = self.held
        return held

    def refresh(self, refused=None):
        """Renews at once. With the credentials that were refused only if nobody has renewed them meanwhile."""
        with self.lock:
            if refused is None or self.held is refused:
                self.renew()

    def is_due(self, held):
        return held.expiration is not None and self.now() >= held.expiration - self.margin

    def renew(self):
        self.held = self.fetch()
        self.fetched += 1

    def retrying(self, call, is_expired):
        """Calls; where the credentials were refused as expired, renews them and calls again, once."""
        held = self.credentials()
        try:
            return call()
        except Exception as error:
            if not is_expired(error):
                raise
        self.refresh(held)
        return call()


def expiration(text):
    """Of an ISO 8601 time in UTC, as STS and the app server write it."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


# The same provider as the SDKs want it.

class ForAmazon(botocore.credentials.Credentials):
    """What botocore takes for credentials: it asks for them when it signs."""

    def __init__(self, provider):
        self.provider, self.method, self.account_id = provider, "article", None

    def get_frozen_credentials(self):
        held = self.provider.credentials()
        return botocore.credentials.ReadOnlyCredentials(held.id, held.secret, held.token)


class ForAlibaba(oss2.credentials.CredentialsProvider):
    """What oss2 asks when it signs."""

    def __init__(self, provider):
        self.provider = provider

    def get_credentials(self):
        held = self.provider.credentials()
        return oss2.credentials.Credentials(held.id, held.secret, held.token)


class ForAlibabaVersionTwo(oss.credentials.CredentialsProvider):
    """And version 2 of its SDK."""

    def __init__(self, provider):
        self.provider = provider

    def get_credentials(self):
        held = self.provider.credentials()
        return oss.credentials.Credentials(held.id, held.secret, held.token)
