"""Temporary credentials of Alibaba Cloud's STS in OSS: the limits of a session policy, expiry, and renewal."""

import json

import alibabacloud_oss_v2 as oss
import oss2
import pytest
from aliyunsdkcore.acs_exception.exceptions import ServerException

from harbour import (
    APP_USER, CHARTS, CLERK, LIGHTHOUSE, OIDC_PROVIDER, PHOTOS, PROVIDER, REGION, ROOT, SERVER, UID, WARDEN, WEB_CLIENT, WEB_USER, assume,
    bucket, client, denied, distributed, folder_policy, keys_of, refused, service, session)


@pytest.mark.parametrize("signature", ["v1", "v2", "v4"])
def test_a_session_reaches_the_prefix_of_its_policy_alone(harbour, signature):
    alice = bucket(harbour, PHOTOS, session(harbour, folder_policy("alice/")), signature)
    assert alice.get_object("alice/hello.txt").read() == b"Hello Alice, this is your folder.\n"
    alice.put_object("alice/boat.jpg", b"boat")
    assert [found.key for found in oss2.ObjectIterator(alice, prefix="alice/")] == ["alice/boat.jpg", "alice/hello.txt"]
    # The role allows it, but the session policy does not.
    for key in ("bob/hello.txt", "bob/missing.txt", "alice", "alicex/boat.jpg"):
        with refused("AccessDenied", 403):
            alice.get_object(key).read()
        with refused("AccessDenied", 403):
            alice.put_object(key, b"")
    with refused("AccessDenied", 403):
        alice.list_objects(prefix="bob/")
    with refused("AccessDenied", 403):
        alice.list_objects()
    # The policy does not allow it.
    with refused("AccessDenied", 403):
        alice.delete_object("alice/hello.txt")
    assert bucket(harbour, PHOTOS).object_exists("alice/hello.txt")


def test_a_session_policy_adds_nothing_to_the_role(harbour):
    everything = {"Version": "1", "Statement": [{"Effect": "Allow", "Action": "oss:*", "Resource": "*"}]}
    alice = session(harbour, everything)
    assert bucket(harbour, PHOTOS, alice).get_object("bob/hello.txt").read()
    with refused("AccessDenied", 403):
        bucket(harbour, PHOTOS, alice).put_object_acl("bob/hello.txt", oss2.OBJECT_ACL_PUBLIC_READ)
    with refused("AccessDenied", 403):
        service(harbour, alice).list_buckets()
    # The bucket belongs to another account.
    bucket(harbour, "lighthouse-logs", LIGHTHOUSE).create_bucket()
    with refused("AccessDenied", 403):
        bucket(harbour, "lighthouse-logs", alice).put_object("x", b"")


def test_the_sdk_of_version_two_works_with_the_same_session(harbour):
    alice = client(harbour, session(harbour, folder_policy("alice/")))
    alice.put_object(oss.PutObjectRequest(PHOTOS, "alice/mast.txt", body=b"mast"))
    assert alice.get_object(oss.GetObjectRequest(PHOTOS, "alice/mast.txt")).body.content == b"mast"
    found = alice.list_objects_v2(oss.ListObjectsV2Request(PHOTOS, prefix="alice/")).contents
    assert [entry.key for entry in found] == ["alice/hello.txt", "alice/mast.txt"]
    for attempt in (
            lambda: alice.get_object(oss.GetObjectRequest(PHOTOS, "bob/hello.txt")),
            lambda: alice.put_object(oss.PutObjectRequest(PHOTOS, "bob/mast.txt", body=b"")),
            lambda: alice.copy_object(oss.CopyObjectRequest(PHOTOS, "alice/copy.txt", source_key="bob/hello.txt")),
            lambda: alice.list_objects_v2(oss.ListObjectsV2Request(PHOTOS, prefix="")),
            lambda: alice.get_bucket_acl(oss.GetBucketAclRequest(PHOTOS))):
        with denied("AccessDenied", 403):
            attempt()


def test_presigned_urls_of_a_session_are_as_narrow_and_expire_with_it(harbour):
    alice = session(harbour, folder_policy("alice/"))
    for signature in ("v1", "v2", "v4"):
        signer = bucket(harbour, PHOTOS, alice, signature)
        own, other = (signer.sign_url("GET", key, 600, slash_safe=True) for key in ("alice/hello.txt", "bob/hello.txt"))
        anonymous = oss2.Bucket(oss2.AnonymousAuth(), harbour.url, PHOTOS)
        assert anonymous.get_object_with_url(own).read() == b"Hello Alice, this is your folder.\n"
        with refused("AccessDenied", 403):
            anonymous.get_object_with_url(other)
    harbour.age("PT1H1S")
    # URLs of V1 and V2 contain an absolute expiry, so aging the cloud affects only their session.
    with refused("SecurityTokenExpired", 403):
        anonymous.get_object_with_url(bucket(harbour, PHOTOS, alice, "v1").sign_url("GET", "alice/hello.txt", 600))


def test_long_term_keys_reach_what_their_user_may(harbour):
    assert bucket(harbour, PHOTOS, CLERK).get_object("bob/hello.txt").read()
    with refused("AccessDenied", 403):
        bucket(harbour, PHOTOS, CLERK).put_object("bob/hello.txt", b"")
    # It can assume roles, and has no permissions in OSS.
    with refused("AccessDenied", 403):
        bucket(harbour, PHOTOS, SERVER).get_object("bob/hello.txt")
    assert bucket(harbour, PHOTOS, ROOT).get_object("bob/hello.txt").read()
    with refused("AccessDenied", 403):
        bucket(harbour, PHOTOS, LIGHTHOUSE).get_object("bob/hello.txt")
    assert {found.name for found in oss2.BucketIterator(service(harbour, WARDEN))} >= {PHOTOS, CHARTS}
    assert not list(oss2.BucketIterator(service(harbour, LIGHTHOUSE)))


def test_an_expired_session_is_told_from_a_forged_one(harbour):
    alice = session(harbour, folder_policy("alice/"))
    other = session(harbour, folder_policy("bob/"))
    mixed = type(alice)(alice.id, alice.secret, other.token)
    with refused("AccessKeyIdAndSecurityTokenNotMatch", 403):
        bucket(harbour, PHOTOS, mixed).get_object("alice/hello.txt")
    for token in ("CAISnonsense", alice.token[:-4] + "AAAA"):
        with refused("InvalidSecurityToken", 403):
            bucket(harbour, PHOTOS, type(alice)(alice.id, alice.secret, token)).get_object("alice/hello.txt")
    with denied("SignatureDoesNotMatch", 403):
        client(harbour, type(alice)(alice.id, "another secret", alice.token)).get_object(oss.GetObjectRequest(PHOTOS, "alice/hello.txt"))
    harbour.age("PT59M")
    assert bucket(harbour, PHOTOS, alice).get_object("alice/hello.txt").read()
    harbour.age("PT1M1S")
    for signature in ("v1", "v2", "v4"):
        with refused("SecurityTokenExpired", 403):
            bucket(harbour, PHOTOS, alice, signature).get_object("alice/hello.txt")
    with denied("SecurityTokenExpired", 403):
        client(harbour, alice).get_object(oss.GetObjectRequest(PHOTOS, "alice/hello.txt"))


def test_the_app_server_renews_what_has_expired(harbour):
    class Federation(oss2.credentials.CredentialsProvider):
        """The federation provider of the mobile SDKs: it calls the app server on request."""

        def __init__(self):
            self.refresh()

        def refresh(self):
            self.keys = keys_of(distributed(harbour))

        def get_credentials(self):
            return oss2.credentials.Credentials(self.keys.id, self.keys.secret, self.keys.token)

    provider = Federation()
    photos = oss2.Bucket(oss2.ProviderAuthV4(provider), harbour.url, PHOTOS, region=REGION)
    photos.put_object("alice/first.txt", b"1")
    with refused("AccessDenied", 403):
        photos.put_object("bob/first.txt", b"1")
    harbour.age("PT1H1S")
    with refused("SecurityTokenExpired", 403):
        photos.put_object("alice/second.txt", b"2")
    before = provider.keys
    provider.refresh()
    assert provider.keys.id != before.id
    photos.put_object("alice/second.txt", b"2")
    assert photos.get_object("alice/first.txt").read() == b"1"


def test_the_answer_of_the_app_server_names_who_it_is_for(harbour):
    answer = distributed(harbour, "bob")
    assert answer["federatedUser"] == f"{UID}:bob" and answer["StatusCode"] == 200
    assert answer["AccessKeyId"].startswith("STS.") and answer["expiration"] == answer["Expiration"]
    bob = bucket(harbour, PHOTOS, keys_of(answer))
    assert bob.get_object("bob/hello.txt").read() == b"Hello Bob, this is your folder.\n"
    bob.delete_object("bob/hello.txt")
    with refused("AccessDenied", 403):
        bob.get_object("alice/hello.txt")


def test_roles_are_for_those_whom_they_trust_and_who_may(harbour):
    with pytest.raises(ServerException) as root:
        assume(harbour, ROOT)
    assert (root.value.error_code, root.value.http_status) == ("NoPermission", 403)
    assert "Roles may not be assumed by root accounts" in root.value.message
    with pytest.raises(ServerException) as clerk:
        assume(harbour, CLERK)
    assert (clerk.value.error_code, clerk.value.http_status) == ("NoPermission", 403)
    with pytest.raises(ServerException) as untrusting:
        assume(harbour, SERVER, WEB_USER)
    assert (untrusting.value.error_code, untrusting.value.http_status) == ("NoPermission", 403)
    with pytest.raises(ServerException) as missing:
        assume(harbour, SERVER, APP_USER + "x")
    assert (missing.value.error_code, missing.value.http_status) == ("EntityNotExist.Role", 404)
    answer = assume(harbour, SERVER, name="alice-001")
    assert answer["AssumedRoleUser"]["Arn"] == f"{APP_USER}/alice-001"
    assert answer["AssumedRoleUser"]["AssumedRoleId"].endswith(":alice-001")


def test_opendal_comes_with_an_id_token(harbour, opendal_client, monkeypatch, tmp_path):
    import opendal
    from opendal.exceptions import PermissionDenied

    token = tmp_path / "token"
    token.write_text(harbour.token(PROVIDER, "alice", client=WEB_CLIENT))
    for name, value in {
            "ALIBABA_CLOUD_ROLE_ARN": WEB_USER, "ALIBABA_CLOUD_OIDC_PROVIDER_ARN": OIDC_PROVIDER,
            "ALIBABA_CLOUD_OIDC_TOKEN_FILE": token, "ALIBABA_CLOUD_STS_ENDPOINT": harbour.url}.items():
        monkeypatch.setenv(name, str(value))
    operator = opendal.Operator("oss", bucket=PHOTOS, endpoint=harbour.url, region=REGION, addressing_style="path")
    assert bytes(operator.read("alice/hello.txt")) == b"Hello Alice, this is your folder.\n"
    with pytest.raises(PermissionDenied):
        operator.write("alice/new.txt", b"")


def test_the_credentials_package_comes_with_an_id_token_over_https(tmp_path, monkeypatch):
    """Its provider supports only HTTPS."""
    from alibabacloud_credentials.provider import OIDCRoleArnCredentialsProvider

    from harbour import serving

    authority, token = tmp_path / "ca.pem", tmp_path / "token"
    with serving("--tls-port", "0", "--ca-file", authority, listeners=2) as cloud:
        token.write_text(cloud.token(PROVIDER, "bob", client=WEB_CLIENT))
        # The package trusts the authorities of requests, whatever the environment says.
        monkeypatch.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", str(authority))
        secure = next(url for url in cloud.urls if url.startswith("https:")).partition("://")[2]
        provider = OIDCRoleArnCredentialsProvider(
            role_arn=WEB_USER, oidc_provider_arn=OIDC_PROVIDER, oidc_token_file_path=str(token), role_session_name="bob",
            sts_endpoint=secure.replace("127.0.0.1", "localhost"), duration_seconds=900)
        taken = provider.get_credentials()
        from harbour import Keys
        keys = Keys(taken.get_access_key_id(), taken.get_access_key_secret(), taken.get_security_token())
        assert keys.id.startswith("STS.")
        assert bucket(cloud, PHOTOS, keys).get_object("bob/hello.txt").read() == b"Hello Bob, this is your folder.\n"
        with refused("AccessDenied", 403):
            bucket(cloud, PHOTOS, keys).put_object("bob/x", b"")
        # A token for another client is refused.
        token.write_text(cloud.token(PROVIDER, "bob", client="regatta-web"))
        other = OIDCRoleArnCredentialsProvider(
            role_arn=WEB_USER, oidc_provider_arn=OIDC_PROVIDER, oidc_token_file_path=str(token), role_session_name="bob",
            sts_endpoint=secure.replace("127.0.0.1", "localhost"))
        with pytest.raises(Exception, match="AuthenticationFail.OIDCToken.AudienceNotMatch"):
            other.get_credentials()


def test_policies_of_the_session_are_checked_before_anything_is_given(harbour):
    for policy, code in (
            ({"Version": "2012-10-17", "Statement": []}, "InvalidParameter.PolicyGrammar"),
            ({"Version": "1", "Statement": [{"Effect": "Maybe", "Action": "oss:*", "Resource": "*"}]}, "InvalidParameter.PolicyGrammar"),
            ({"Version": "1", "Statement": [{"Effect": "Allow", "Action": "oss:*", "Resource": "*" + "x" * 2048}]}, "InvalidParameter.PolicySize")):
        with pytest.raises(ServerException) as refusal:
            assume(harbour, policy=policy)
        assert (refusal.value.error_code, refusal.value.http_status) == (code, 400), json.dumps(policy)[:80]
