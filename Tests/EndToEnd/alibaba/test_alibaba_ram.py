"""RAM and IMS with Alibaba Cloud's SDKs: changes take effect for the next request."""

import base64
import json
from contextlib import contextmanager

import oss2
import pytest
from alibabacloud_ims20190815 import models as ims_models
from alibabacloud_ims20190815.client import Client as ImsClient
from alibabacloud_ram20150501 import models
from alibabacloud_ram20150501.client import Client as RamClient
from alibabacloud_tea_openapi.exceptions import ClientException
from alibabacloud_tea_openapi.models import Config

from harbour import CLERK, PHOTOS, ROOT, SERVER, UID, Keys, assume, bucket, keys_of

TRUST = {"Version": "1", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"RAM": [f"acs:ram::{UID}:root"]}}]}
READING = {"Version": "1", "Statement": [{"Effect": "Allow", "Action": "oss:GetObject", "Resource": f"acs:oss:*:*:{PHOTOS}/alice/*"}]}


def config(cloud, keys, **settings):
    return Config(
        access_key_id=keys.id, access_key_secret=keys.secret, security_token=keys.token, protocol="http",
        endpoint=cloud.url.partition("://")[2], **settings)


def ram(cloud, keys=ROOT, **settings):
    return RamClient(config(cloud, keys, **settings))


def ims(cloud, keys=ROOT):
    return ImsClient(config(cloud, keys))


@contextmanager
def refused(code, status):
    with pytest.raises(ClientException) as raised:
        yield raised
    assert (raised.value.code, raised.value.status_code) == (code, status), raised.value


def new_user(client, name, *policies, kind="Custom"):
    """A user with an access key and policies."""
    client.create_user(models.CreateUserRequest(user_name=name, display_name=name.title()))
    for policy in policies:
        client.attach_policy_to_user(models.AttachPolicyToUserRequest(user_name=name, policy_name=policy, policy_type=kind))
    key = client.create_access_key(models.CreateAccessKeyRequest(user_name=name)).body.access_key
    return Keys(key.access_key_id, key.access_key_secret)


@pytest.mark.parametrize("settings", [{}, {"signature_algorithm": "v2"}], ids=["ACS3", "RPC"])
def test_a_user_is_set_up_and_taken_down(harbour, settings):
    client = ram(harbour, **settings)
    made = client.create_user(models.CreateUserRequest(user_name="dora", display_name="Dora Deck", comments="new")).body.user
    assert made.user_name == "dora" and len(made.user_id) == 18 and made.create_date.endswith("Z")
    with refused("EntityAlreadyExists.User", 409):
        client.create_user(models.CreateUserRequest(user_name="dora"))
    client.update_user(models.UpdateUserRequest(user_name="dora", new_display_name="Dora D."))
    told = client.get_user(models.GetUserRequest(user_name="dora")).body.user
    assert (told.display_name, told.comments, told.user_id) == ("Dora D.", "new", made.user_id)
    names = [user.user_name for user in client.list_users(models.ListUsersRequest()).body.users.user]
    assert "dora" in names and names == sorted(names)
    client.delete_user(models.DeleteUserRequest(user_name="dora"))
    with refused("EntityNotExist.User", 404):
        client.get_user(models.GetUserRequest(user_name="dora"))


def test_lists_are_paged(harbour):
    client = ram(harbour)
    for number in range(5):
        client.create_user(models.CreateUserRequest(user_name=f"crew-{number}"))
    names, marker = [], None
    while True:
        page = client.list_users(models.ListUsersRequest(max_items=2, marker=marker)).body
        assert len(page.users.user) <= 2
        names += [user.user_name for user in page.users.user]
        if not page.is_truncated:
            break
        marker = page.marker
    assert len(names) == len(set(names)) and {f"crew-{number}" for number in range(5)} < set(names)


def test_keys_and_policies_count_for_the_next_request(harbour):
    client = ram(harbour)
    client.create_policy(models.CreatePolicyRequest(policy_name="alices-photos", policy_document=json.dumps(READING)))
    keys = new_user(client, "dora", "alices-photos")
    photos = bucket(harbour, PHOTOS, keys)
    assert photos.get_object("alice/hello.txt").read().startswith(b"Hello Alice")
    with pytest.raises(oss2.exceptions.AccessDenied):
        photos.get_object("bob/hello.txt")
    wider = json.loads(json.dumps(READING).replace("alice/*", "*"))
    client.create_policy_version(
        models.CreatePolicyVersionRequest(policy_name="alices-photos", policy_document=json.dumps(wider), set_as_default=True))
    assert photos.get_object("bob/hello.txt").read().startswith(b"Hello Bob")
    client.set_default_policy_version(models.SetDefaultPolicyVersionRequest(policy_name="alices-photos", version_id="v1"))
    with pytest.raises(oss2.exceptions.AccessDenied):
        photos.get_object("bob/hello.txt")
    client.update_access_key(models.UpdateAccessKeyRequest(user_name="dora", user_access_key_id=keys.id, status="Inactive"))
    with pytest.raises(oss2.exceptions.ServerError) as raised:
        photos.get_object("alice/hello.txt")
    assert raised.value.status == 403
    client.update_access_key(models.UpdateAccessKeyRequest(user_name="dora", user_access_key_id=keys.id, status="Active"))
    client.detach_policy_from_user(
        models.DetachPolicyFromUserRequest(user_name="dora", policy_name="alices-photos", policy_type="Custom"))
    with pytest.raises(oss2.exceptions.AccessDenied):
        photos.get_object("alice/hello.txt")


def test_a_group_gives_its_members_what_it_has(harbour):
    client = ram(harbour)
    keys = new_user(client, "dora")
    client.create_group(models.CreateGroupRequest(group_name="readers", comments="who read"))
    client.attach_policy_to_group(
        models.AttachPolicyToGroupRequest(group_name="readers", policy_name="AliyunOSSReadOnlyAccess", policy_type="System"))
    client.add_user_to_group(models.AddUserToGroupRequest(user_name="dora", group_name="readers"))
    assert bucket(harbour, PHOTOS, keys).get_object("bob/hello.txt").read()
    members = client.list_users_for_group(models.ListUsersForGroupRequest(group_name="readers")).body.users.user
    assert [member.user_name for member in members] == ["dora"]
    entities = client.list_entities_for_policy(
        models.ListEntitiesForPolicyRequest(policy_name="AliyunOSSReadOnlyAccess", policy_type="System")).body
    assert [group.group_name for group in entities.groups.group] == ["readers"]
    client.remove_user_from_group(models.RemoveUserFromGroupRequest(user_name="dora", group_name="readers"))
    with pytest.raises(oss2.exceptions.AccessDenied):
        bucket(harbour, PHOTOS, keys).get_object("bob/hello.txt")


def test_a_role_is_made_and_taken(harbour):
    client = ram(harbour)
    role = client.create_role(
        models.CreateRoleRequest(role_name="visitor", assume_role_policy_document=json.dumps(TRUST), max_session_duration=7200)).body.role
    assert role.arn == f"acs:ram::{UID}:role/visitor" and json.loads(role.assume_role_policy_document) == TRUST
    client.attach_policy_to_role(
        models.AttachPolicyToRoleRequest(role_name="visitor", policy_name="AliyunOSSReadOnlyAccess", policy_type="System"))
    keys = keys_of(assume(harbour, SERVER, role.arn, duration=7200)["Credentials"])
    assert bucket(harbour, PHOTOS, keys).get_object("alice/hello.txt").read()
    with refused("DeleteConflict.Role.Policy", 409):
        client.delete_role(models.DeleteRoleRequest(role_name="visitor"))
    client.detach_policy_from_role(
        models.DetachPolicyFromRoleRequest(role_name="visitor", policy_name="AliyunOSSReadOnlyAccess", policy_type="System"))
    with pytest.raises(oss2.exceptions.AccessDenied):
        bucket(harbour, PHOTOS, keys).get_object("alice/hello.txt")
    client.delete_role(models.DeleteRoleRequest(role_name="visitor"))
    names = [role.role_name for role in client.list_roles(models.ListRolesRequest()).body.roles.role]
    assert "visitor" not in names and "app-user" in names


def test_policies_are_those_of_the_account_and_of_alibaba_cloud(harbour):
    client = ram(harbour)
    system = client.get_policy(models.GetPolicyRequest(policy_name="AliyunOSSFullAccess", policy_type="System")).body
    assert json.loads(system.default_policy_version.policy_document)["Statement"][0]["Action"] == "oss:*"
    assert system.policy.policy_type == "System" and system.policy.attachment_count == 1
    listed = client.list_policies(models.ListPoliciesRequest(policy_type="Custom")).body.policies.policy
    assert sorted(policy.policy_name for policy in listed) == ["photos-read", "photos-write"]
    with refused("MalformedPolicyDocument", 400):
        client.create_policy(models.CreatePolicyRequest(policy_name="x", policy_document='{"Version":"2012-10-17","Statement":[]}'))
    with refused("DeleteConflict.Policy.Group", 409):
        client.delete_policy(models.DeletePolicyRequest(policy_name="photos-read"))


def test_permission_is_needed(harbour):
    with refused("NoPermission", 403):
        ram(harbour, CLERK).list_users(models.ListUsersRequest())
    root = ram(harbour)
    keys = new_user(root, "steward", "AliyunRAMReadOnlyAccess", kind="System")
    steward = ram(harbour, keys)
    assert steward.get_user(models.GetUserRequest(user_name="clerk")).body.user.display_name == "Clara Clark"
    with refused("NoPermission", 403):
        steward.create_user(models.CreateUserRequest(user_name="x"))
    with refused("InvalidAccessKeyId.NotFound", 404):
        ram(harbour, Keys("LTAI5tNobody", "x")).list_users(models.ListUsersRequest())


def test_the_account_has_settings(harbour):
    client = ram(harbour)
    client.set_account_alias(models.SetAccountAliasRequest(account_alias="harbour"))
    assert client.get_account_alias().body.account_alias == "harbour"
    client.set_password_policy(models.SetPasswordPolicyRequest(minimum_password_length=12, require_numbers=True))
    assert client.get_password_policy().body.password_policy.minimum_password_length == 12
    with refused("InvalidParameter.Password.TooWeak", 400):
        client.create_login_profile(models.CreateLoginProfileRequest(user_name="clerk", password="too-short-1"))
    client.create_login_profile(models.CreateLoginProfileRequest(user_name="clerk", password="long-enough-for-12", mfabind_required=True))
    assert client.get_login_profile(models.GetLoginProfileRequest(user_name="clerk")).body.login_profile.mfabind_required is True
    assert client.get_security_preference().body.security_preference.login_profile_preference.allow_user_to_change_password is True
    client.set_security_preference(models.SetSecurityPreferenceRequest(allow_user_to_manage_access_keys=True))
    own = ram(harbour, CLERK).create_access_key(models.CreateAccessKeyRequest()).body.access_key
    assert own.access_key_id.startswith("LTAI5t")


def test_identity_management_knows_the_same_users(harbour):
    client = ims(harbour)
    domain = client.get_default_domain().body.default_domain_name
    assert domain == f"{UID}.onaliyun.com"
    made = client.create_user(
        ims_models.CreateUserRequest(user_principal_name=f"dora@{domain}", display_name="Dora")).body.user
    assert ram(harbour).get_user(models.GetUserRequest(user_name="dora")).body.user.user_id == made.user_id
    key = client.create_access_key(ims_models.CreateAccessKeyRequest(user_principal_name=f"dora@{domain}")).body.access_key
    found = client.get_user(ims_models.GetUserRequest(user_access_key_id=key.access_key_id)).body.user
    assert found.user_principal_name == f"dora@{domain}"
    client.delete_access_key(
        ims_models.DeleteAccessKeyRequest(user_principal_name=f"dora@{domain}", user_access_key_id=key.access_key_id))
    client.delete_user(ims_models.DeleteUserRequest(user_principal_name=f"dora@{domain}"))
    principals = [user.user_principal_name for user in client.list_users(ims_models.ListUsersRequest()).body.users.user]
    assert f"dora@{domain}" not in principals and f"clerk@{domain}" in principals


def test_providers_of_openid_connect(harbour):
    client = ims(harbour)
    made = client.create_oidcprovider(ims_models.CreateOIDCProviderRequest(
        oidcprovider_name="dockyard", issuer_url="https://dockyard.example", client_ids="web,cli", fingerprints="ab12cd34",
        issuance_limit_time=6)).body.oidcprovider
    assert made.arn == f"acs:ram::{UID}:oidc-provider/dockyard"
    client.add_client_id_to_oidcprovider(
        ims_models.AddClientIdToOIDCProviderRequest(oidcprovider_name="dockyard", client_id="app"))
    client.remove_client_id_from_oidcprovider(
        ims_models.RemoveClientIdFromOIDCProviderRequest(oidcprovider_name="dockyard", client_id="web"))
    told = client.get_oidcprovider(ims_models.GetOIDCProviderRequest(oidcprovider_name="dockyard")).body.oidcprovider
    assert (told.client_ids, told.fingerprints, told.issuance_limit_time) == ("cli,app", "ab12cd34", 6)
    listed = client.list_oidcproviders(ims_models.ListOIDCProvidersRequest()).body.oidcproviders.oidcprovider
    assert sorted(provider.oidcprovider_name for provider in listed) == ["dockyard", "harbour"]
    client.delete_oidcprovider(ims_models.DeleteOIDCProviderRequest(oidcprovider_name="dockyard"))
    with refused("EntityNotExist.OIDCProvider", 404):
        client.get_oidcprovider(ims_models.GetOIDCProviderRequest(oidcprovider_name="dockyard"))


def test_providers_of_saml(harbour):
    client = ims(harbour)
    told = client.get_samlprovider(ims_models.GetSAMLProviderRequest(samlprovider_name="harbour")).body.samlprovider
    metadata = base64.b64decode(told.encoded_samlmetadata_document).decode()
    assert 'entityID="https://login.harbour.example/saml"' in metadata
    made = client.create_samlprovider(ims_models.CreateSAMLProviderRequest(
        samlprovider_name="copy", encoded_samlmetadata_document=told.encoded_samlmetadata_document, description="d")).body.samlprovider
    assert made.arn == f"acs:ram::{UID}:saml-provider/copy" and made.description == "d"
    listed = client.list_samlproviders(ims_models.ListSAMLProvidersRequest()).body.samlproviders.samlprovider
    assert sorted(provider.samlprovider_name for provider in listed) == ["copy", "harbour"]
    client.delete_samlprovider(ims_models.DeleteSAMLProviderRequest(samlprovider_name="copy"))


def test_the_seed_that_is_built_in_opens_this_door_as_well(cloud):
    developer = Keys("LTAI5tVirgaDeveloper0001", "VirgaDeveloperSecret0123456789")
    photos = bucket(cloud, "personal-photos", developer)
    photos.put_object("a.txt", b"hello")
    keys = keys_of(assume(cloud, developer, "acs:ram::1234567890123456:role/app-user")["Credentials"])
    assert bucket(cloud, "personal-photos", keys).get_object("a.txt").read() == b"hello"
    root = Keys("LTAI5tVirgaRoot000000001", "VirgaRootSecret0123456789abcdef")
    users = ram(cloud, root).list_users(models.ListUsersRequest()).body.users.user
    assert [user.user_name for user in users] == ["developer"]


def test_tags(harbour):
    client = ram(harbour)
    client.tag_resources(models.TagResourcesRequest(
        resource_type="role", resource_names=["machines", "app-user"], tag=[models.TagResourcesRequestTag(key="stage", value="test")]))
    listed = client.list_tag_resources(models.ListTagResourcesRequest(resource_type="role", resource_names=["machines"])).body
    assert [(tag.resource_name, tag.tag_key, tag.tag_value) for tag in listed.tag_resources] == [("machines", "stage", "test")]
    wanted = [models.ListRolesRequestTag(key="stage", value="test")]
    roles = client.list_roles(models.ListRolesRequest(tag=wanted)).body.roles.role
    assert [role.role_name for role in roles] == ["app-user", "machines"] and roles[0].tags.tag[0].tag_key == "stage"
    client.untag_resources(models.UntagResourcesRequest(resource_type="role", resource_names=["machines"], tag_keys=["stage"]))
    assert [role.role_name for role in client.list_roles(models.ListRolesRequest(tag=wanted)).body.roles.role] == ["app-user"]
