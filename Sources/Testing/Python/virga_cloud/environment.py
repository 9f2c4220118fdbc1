"""The environment variables that point SDKs and command lines at a cloud: those of `virga env`."""

from __future__ import annotations

import os
import re
import urllib.parse
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Tuple

from .seeds import AccessKey

_OVERRIDING = (
    "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN", "AWS_CREDENTIAL_EXPIRATION", "AWS_ACCESS_KEY",
    "AWS_SECRET_KEY", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AWS_EC2_METADATA_SERVICE_ENDPOINT", "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "AWS_EC2_METADATA_V1_DISABLED",
    "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
    "AWS_LOGIN_CACHE_DIRECTORY", "AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT", "AWS_CA_BUNDLE", "AWS_ENDPOINT_URL_IAM", "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL_STS", "ALIBABA_CLOUD_SECURITY_TOKEN", "ALIBABA_CLOUD_PROFILE", "ALIBABA_CLOUD_CREDENTIALS_FILE",
    "ALIBABA_CLOUD_CREDENTIALS_URI", "ALIBABA_CLOUD_ECS_METADATA", "OSS_SESSION_TOKEN", "OSS_SECURITY_TOKEN",
    "AWS_AUTH_SCHEME_PREFERENCE", "AWS_SIGV4A_SIGNING_REGION_SET", "ALIBABA_CLOUD_CONFIG_FILE", "OSSUTIL_CONFIG_FILE", "OSS_ROLE_ARN")
_WEB_IDENTITY = (
    "AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_SESSION_NAME", "ALIBABA_CLOUD_ROLE_ARN", "ALIBABA_CLOUD_OIDC_TOKEN_FILE",
    "ALIBABA_CLOUD_OIDC_PROVIDER_ARN", "ALIBABA_CLOUD_ROLE_SESSION_NAME")
_KEYS = (
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET",
    "OSS_ACCESS_KEY_ID", "OSS_ACCESS_KEY_SECRET")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@dataclass(frozen=True)
class ClientVariables:
    """The variables to set, and those to remove because they would win against them."""

    set: Dict[str, str]
    unset: Tuple[str, ...]

    def hiding_files(self) -> ClientVariables:
        """Returns the variables with further ones that make the SDKs ignore configuration files and proxies."""
        files = {
            "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "ALIBABA_CLOUD_CREDENTIALS_FILE": os.devnull,
            "ALIBABA_CLOUD_CLI_PROFILE_DISABLED": "true"}
        return ClientVariables({**self.set, **files}, (*self.unset, *PROXIES))

    def applied(self, environment: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
        """Returns an environment with these variables, for a child process; by default that of this process."""
        base = os.environ if environment is None else environment
        return {**{name: value for name, value in base.items() if name not in self.unset}, **self.set}


@dataclass(frozen=True)
class WebIdentity:
    """A person with a provider's token in a file, for a role of AWS (`arn:…`) or Alibaba Cloud (`acs:…`)."""

    user: str
    provider: str
    role: str
    token_file: str


def client_variables(
        endpoint: str, *, aws: Optional[AccessKey] = None, alibaba: Optional[AccessKey] = None,
        web_identity: Optional[WebIdentity] = None, environment: Optional[Mapping[str, str]] = None) -> ClientVariables:
    """Returns the variables for an endpoint, with root keys or with a web identity."""
    environment = os.environ if environment is None else environment
    variables = {
        "VIRGA_ENDPOINT": endpoint, "AWS_ENDPOINT_URL": endpoint, "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true", "OSS_ENDPOINT": endpoint, "OSS_REGION": "cn-hangzhou",
        "ALIBABA_CLOUD_REGION_ID": "cn-hangzhou"}
    unset: List[str] = [*_OVERRIDING, *sorted(
        name for name in environment if re.fullmatch(r"(AWS_ENDPOINT_URL|ALICLOUD|ALIYUN)_\w*", name, re.ASCII) and name not in _OVERRIDING)]
    if web_identity is None:
        unset += _WEB_IDENTITY
        if aws is None:
            unset += _KEYS[:2]
        else:
            variables.update(AWS_ACCESS_KEY_ID=aws.id, AWS_SECRET_ACCESS_KEY=aws.secret)
        if alibaba is None:
            unset += _KEYS[2:]
        else:
            variables.update(
                ALIBABA_CLOUD_ACCESS_KEY_ID=alibaba.id, OSS_ACCESS_KEY_ID=alibaba.id, ALIBABA_CLOUD_ACCESS_KEY_SECRET=alibaba.secret,
                OSS_ACCESS_KEY_SECRET=alibaba.secret)
    else:
        unset += _KEYS
        if web_identity.role.startswith("acs:"):
            unset += [name for name in _WEB_IDENTITY if name.startswith("AWS_")]
            account = (web_identity.role.split(":") + [""] * 4)[3]
            variables.update(
                ALIBABA_CLOUD_ROLE_ARN=web_identity.role, ALIBABA_CLOUD_OIDC_TOKEN_FILE=web_identity.token_file,
                ALIBABA_CLOUD_OIDC_PROVIDER_ARN=f"acs:ram::{account}:oidc-provider/{web_identity.provider}",
                ALIBABA_CLOUD_ROLE_SESSION_NAME=web_identity.user)
        else:
            unset += [name for name in _WEB_IDENTITY if not name.startswith("AWS_")]
            variables.update(
                AWS_ROLE_ARN=web_identity.role, AWS_WEB_IDENTITY_TOKEN_FILE=web_identity.token_file,
                AWS_ROLE_SESSION_NAME=web_identity.user)
    hosts = _without_proxy(environment.get("NO_PROXY", environment.get("no_proxy", "")), endpoint)
    variables.update(NO_PROXY=hosts, no_proxy=hosts)
    return ClientVariables(variables, tuple(unset))


def _without_proxy(known: str, endpoint: str) -> str:
    """Returns the list of hosts without proxy, extended by the local ones and by that of the endpoint."""
    hosts = [host.strip() for host in known.split(",") if host.strip()]
    if "*" in hosts:
        return "*"
    authority = urllib.parse.urlsplit(endpoint).netloc
    host = authority if authority.endswith("]") else authority.rpartition(":")[0] or authority
    for name in ["127.0.0.1", "localhost", host]:
        if name not in hosts:
            hosts.append(name)
    return ",".join(hosts)
