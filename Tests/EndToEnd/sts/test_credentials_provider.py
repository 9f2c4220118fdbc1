"""A credentials provider, written from the article's description, with three sources, while the clock ages."""

import concurrent.futures
import dataclasses
import time

import alibabacloud_oss_v2 as oss
import boto3
import botocore.exceptions
import oss2
import pytest
from botocore.config import Config
from botocore.session import get_session

from clients import assume
from cloud import BUCKET, REGION
from credentials_provider import Credentials, ForAlibaba, ForAlibabaVersionTwo, ForAmazon, Provider, expiration
from harbour import PHOTOS, distributed
from harbour import REGION as OSS_REGION
from harbour import client as oss_client
from vending_client import IdentityMachine

THREADS = 8


class Clock:
    """The clients' clock: real time plus the agings of the cloud."""

    def __init__(self, cloud):
        self.cloud, self.ahead = cloud, 0

    def now(self):
        return time.time() + self.ahead

    def pass_by(self, seconds):
        """Lets time pass for the client and the cloud."""
        self.ahead += seconds
        self.cloud.age(f"PT{seconds}S")


@dataclasses.dataclass
class Source:
    """A source of credentials, and a store that accepts them: `put` and `get` an object of the user's own."""

    cloud: object
    clock: Clock
    fetch: object
    # The lifetime of the credentials.
    seconds: int
    # Returns a client that uses a provider, as a pair of functions that write and read an object.
    client: object
    # Distinguishes the error for expired credentials from others.
    is_expired: object


def amazon_client(cloud, bucket, folder):
    def make(provider):
        session = get_session()
        session._credentials = ForAmazon(provider)
        s3 = boto3.Session(botocore_session=session).client(
            "s3", endpoint_url=cloud.url, region_name=REGION,
            config=Config(signature_version="s3v4", retries={"total_max_attempts": 1}, max_pool_connections=THREADS))
        return (lambda key, body: s3.put_object(Bucket=bucket, Key=f"{folder}/{key}", Body=body),
                lambda key: s3.get_object(Bucket=bucket, Key=f"{folder}/{key}")["Body"].read())
    return make


def is_expired_at_amazon(error):
    """The error codes after which the SDKs of that time renew."""
    return isinstance(error, botocore.exceptions.ClientError) and error.response["Error"]["Code"] in (
        "ExpiredToken", "InvalidToken", "TokenRefreshRequired")


def is_expired_at_alibaba(error):
    if isinstance(error, oss.exceptions.OperationError):
        error = error.unwrap()
    return getattr(error, "code", None) in ("SecurityTokenExpired", "InvalidSecurityToken")


@pytest.fixture
def web_identity(cloud):
    """AWS STS, for a user with an ID token of the company."""
    subject = cloud.issue("company", "alice")["subject"]

    def fetch():
        taken = assume(cloud, "company", cloud.token("company", "alice"))["Credentials"]
        return Credentials(taken["AccessKeyId"], taken["SecretAccessKey"], taken["SessionToken"], taken["Expiration"].timestamp() + clock.ahead)

    clock = Clock(cloud)
    return Source(cloud, clock, fetch, 3600, amazon_client(cloud, BUCKET, subject), is_expired_at_amazon)


@pytest.fixture
def app_server(harbour):
    """The app server of Alibaba's article."""

    def fetch():
        taken = distributed(harbour)
        return Credentials(
            taken["AccessKeyId"], taken["AccessKeySecret"], taken["SecurityToken"], expiration(taken["Expiration"]) + clock.ahead)

    def make(provider):
        # Two SDKs share the provider.
        first = oss2.Bucket(oss2.ProviderAuthV4(ForAlibaba(provider)), harbour.url, PHOTOS, region=OSS_REGION)
        second = oss_client(harbour, provider=ForAlibabaVersionTwo(provider))
        return (lambda key, body: first.put_object(f"alice/{key}", body),
                lambda key: second.get_object(oss.GetObjectRequest(PHOTOS, f"alice/{key}")).body.content)

    clock = Clock(harbour)
    return Source(harbour, clock, fetch, 3600, make, is_expired_at_alibaba)


@pytest.fixture
def vending_machine(tidepool):
    """The identity token vending machine, for a user who logs in with a password on a new device."""
    machine = IdentityMachine(f"{tidepool.url}/tvm/identity", endpoint=f"127.0.0.1:{tidepool.port}/tvm/identity", app="tidepool")
    machine.login("alice", "alice-password")

    def fetch():
        taken, milliseconds = machine.token()
        return Credentials(
            taken["aws_access_key_id"], taken["aws_secret_access_key"], taken["aws_session_token"], milliseconds / 1000 + clock.ahead)

    clock = Clock(tidepool)
    return Source(tidepool, clock, fetch, 86_400, amazon_client(tidepool, "tidepool", "alice"), is_expired_at_amazon)


@pytest.fixture(params=["web_identity", "vending_machine", "app_server"])
def source(request):
    return request.getfixturevalue(request.param)


def test_credentials_are_fetched_once_and_kept(source):
    provider = Provider(source.fetch, now=source.clock.now)
    put, get = source.client(provider)
    assert provider.fetched == 0
    for number in range(5):
        put(f"{number}", b"text")
        assert get(f"{number}") == b"text"
    assert provider.fetched == 1


def test_they_are_renewed_before_they_expire(source):
    provider = Provider(source.fetch, margin=300, now=source.clock.now)
    put, get = source.client(provider)
    put("x", b"text")
    first = provider.credentials()
    source.clock.pass_by(source.seconds - 310)
    assert get("x") == b"text" and provider.credentials() is first
    # Still valid, but not for long.
    source.clock.pass_by(20)
    assert get("x") == b"text" and provider.fetched == 2
    assert provider.credentials().id != first.id
    # Renews many times.
    for _ in range(3):
        source.clock.pass_by(source.seconds)
        assert get("x") == b"text"
    assert provider.fetched == 5


def test_a_refusal_as_expired_makes_the_client_renew(source):
    """The client's clock does not advance, or the lifetime was shorter than declared."""
    provider = Provider(source.fetch)
    put, get = source.client(provider)
    put("x", b"text")
    source.cloud.age(f"PT{source.seconds + 1}S")
    with pytest.raises(Exception) as raised:
        get("x")
    assert source.is_expired(raised.value), raised.value
    assert provider.retrying(lambda: get("x"), source.is_expired) == b"text"
    assert provider.fetched == 2
    # A request that is refused for another reason is not repeated.
    with pytest.raises(Exception) as raised:
        provider.retrying(lambda: get("missing"), source.is_expired)
    assert not source.is_expired(raised.value) and provider.fetched == 2


def test_a_forced_renewal_gives_others(source):
    provider = Provider(source.fetch, now=source.clock.now)
    put, get = source.client(provider)
    put("x", b"text")
    first = provider.credentials()
    provider.refresh()
    assert provider.fetched == 2 and provider.credentials().id != first.id
    assert get("x") == b"text"
    # These credentials were not refused.
    provider.refresh(refused=first)
    assert provider.fetched == 2


def test_clients_and_threads_share_a_provider(source):
    provider = Provider(source.fetch, now=source.clock.now)
    clients = [source.client(provider) for _ in range(3)]
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        for round in range(3):
            def work(number):
                put, get = clients[number % len(clients)]
                put(f"{round}-{number}", b"text")
                return get(f"{round}-{number}")

            assert set(pool.map(work, range(3 * THREADS))) == {b"text"}
            # One thread fetched, the others waited.
            assert provider.fetched == round + 1
            source.clock.pass_by(source.seconds)


def test_many_refusals_at_once_renew_once(source):
    provider = Provider(source.fetch)
    put, get = source.client(provider)
    put("x", b"text")
    source.cloud.age(f"PT{source.seconds + 1}S")
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        read = lambda _: provider.retrying(lambda: get("x"), source.is_expired)
        assert set(pool.map(read, range(2 * THREADS))) == {b"text"}
    assert provider.fetched == 2
