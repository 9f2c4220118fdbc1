"""oss2 clients of a cloud. They ignore the proxies of the machine."""

from __future__ import annotations

from typing import Any, Optional

from .seeds import AccessKey

REGION = "cn-hangzhou"


def oss(url: str, key: AccessKey, bucket: Optional[str] = None, *, cafile: Optional[str] = None) -> Any:
    """Returns an `oss2.Bucket`, or an `oss2.Service` without a bucket."""
    try:
        import oss2
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Clients of OSS need oss2: pip install 'virga-cloud[alibaba]'", name=error.name) from error
    session = oss2.Session()
    session.session.trust_env = False
    if cafile is not None:
        session.session.verify = cafile
    signer = oss2.make_auth(key.id, key.secret, oss2.AUTH_VERSION_4)
    if bucket is None:
        return oss2.Service(signer, url, session=session, region=REGION)
    return oss2.Bucket(signer, url, bucket, session=session, region=REGION)
