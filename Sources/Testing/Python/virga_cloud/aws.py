"""boto3 clients of a cloud. They ignore the configuration of the machine, and never retry, so that a test sees each error."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Type

from .seeds import AccessKey

if TYPE_CHECKING:
    import boto3

REGION = "us-east-1"
_PROVIDER_IDS = {"facebook": "graph.facebook.com", "amazon": "www.amazon.com"}


def session(url: str, key: AccessKey, *, token: Optional[str] = None, cafile: Optional[str] = None) -> boto3.Session:
    """Returns a session whose clients and resources use the cloud."""
    made: boto3.Session = _session_class()(url, key, token, cafile)
    return made


def assume_role_with_web_identity(
        url: str, kind: str, parameters: Dict[str, Any], *, cafile: Optional[str] = None) -> Dict[str, Any]:
    """Calls STS without credentials, and returns the credentials of the response."""
    from botocore import UNSIGNED
    from botocore.config import Config

    if kind in _PROVIDER_IDS:
        parameters.setdefault("ProviderId", _PROVIDER_IDS[kind])
    sts = session(url, AccessKey("none", "none"), cafile=cafile).client("sts", config=Config(signature_version=UNSIGNED))
    credentials: Dict[str, Any] = sts.assume_role_with_web_identity(**parameters)["Credentials"]
    return credentials


@functools.lru_cache(maxsize=None)
def _session_class() -> Type[Any]:
    try:
        import boto3
        import botocore.session
        from botocore.config import Config
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Clients of AWS need boto3: pip install 'virga-cloud[aws]'", name=error.name) from error

    class CloudSession(boto3.Session):  # type: ignore[misc, unused-ignore]
        def __init__(self, url: str, key: AccessKey, token: Optional[str], cafile: Optional[str]) -> None:
            # No profile and no files: (configuration name, variable, default, conversion).
            core = botocore.session.Session(session_vars={
                "profile": (None, None, None, None), "config_file": (None, None, os.devnull, None),
                "credentials_file": (None, None, os.devnull, None)})
            super().__init__(
                aws_access_key_id=key.id, aws_secret_access_key=key.secret, aws_session_token=token, region_name=REGION,
                botocore_session=core)
            self._url = url
            self._cafile = cafile

        def _options(self, service: str, options: Dict[str, Any]) -> Dict[str, Any]:
            signature = {"signature_version": "s3v4"} if service == "s3" else {}
            config = Config(
                retries={"total_max_attempts": 1}, proxies={}, use_fips_endpoint=False, use_dualstack_endpoint=False, **signature)
            given = options.get("config")
            options["config"] = config if given is None else config.merge(given)
            options.setdefault("endpoint_url", self._url)
            if self._cafile is not None:
                options.setdefault("verify", self._cafile)
            return options

        def client(self, service_name: str, *arguments: Any, **options: Any) -> Any:
            return super().client(service_name, *arguments, **self._options(service_name, options))

        def resource(self, service_name: str, *arguments: Any, **options: Any) -> Any:
            return super().resource(service_name, *arguments, **self._options(service_name, options))

    return CloudSession
