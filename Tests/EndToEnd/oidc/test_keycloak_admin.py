"""Realm files as seeds, and Keycloak's Admin API with Keycloak's own Python client."""

import base64
import json
import subprocess

import pytest
import requests
from keycloak import KeycloakAdmin, KeycloakOpenID
from keycloak.exceptions import KeycloakAuthenticationError, KeycloakError, KeycloakGetError, KeycloakPostError

from cloud import REPOSITORY, Cloud, clean_environment, executable

REALMS = REPOSITORY / "Tests" / "EndToEnd" / "oidc" / "realms"
DORA = "c0ffee00-0000-4000-8000-000000000004"


@pytest.fixture(scope="module")
def seed(tmp_path_factory):
    """A seed with the administrator of all realms."""
    file = tmp_path_factory.mktemp("admin") / "admin.json5"
    file.write_text("{keycloakAdmin: {username: 'admin', password: 'admin'}}")
    return file


@pytest.fixture(scope="module")
def server(seed):
    with Cloud.ephemeral("--seed", REALMS / "works.json", "--seed", REALMS / "shop.json", "--seed", seed) as cloud:
        yield cloud


@pytest.fixture
def cloud(server):
    server.reset()
    return server


def administrator(cloud, realm, **login):
    login = login or {"username": "admin", "password": "admin", "user_realm_name": "master"}
    return KeycloakAdmin(server_url=f"{cloud.url}/", realm_name=realm, **login)


@pytest.fixture
def admin(cloud):
    return administrator(cloud, "works")


def portal(cloud):
    return KeycloakOpenID(
        server_url=f"{cloud.url}/", realm_name="works", client_id="portal", client_secret_key="portal-secret")


def claims_of(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def virga(*arguments, given=""):
    return subprocess.run(
        [executable(), *map(str, arguments)], input=given, capture_output=True, text=True, env=clean_environment())


def test_import_prints_the_seed_and_what_is_lost(tmp_path):
    result = virga("seed", "import", "--keycloak", REALMS / "works.json")
    assert result.returncode == 0, result.stderr
    lost = result.stderr.splitlines()
    assert "left out: identity provider google" in lost
    assert any("argon2" in line for line in lost)
    [provider] = json.loads(result.stdout)["identityProviders"]
    assert [person["name"] for person in provider["people"]] == ["dora", "emil", "fritz"]
    file = tmp_path / "seed.json5"
    file.write_text(result.stdout)
    assert virga("seed", "check", file).stderr == ""


def test_import_needs_to_know_what_it_imports():
    hinted = virga("seed", "import", REALMS / "shop.json")
    assert hinted.returncode == 1
    assert "pass --keycloak" in hinted.stderr
    other = virga("seed", "import", "--keycloak", given="{}")
    assert other.returncode == 1
    assert "expected an object with the name of a realm" in other.stderr


def test_serve_lists_what_is_lost(server):
    assert "works.json: left out: authentication flow step-up" in server.logged()


@pytest.mark.parametrize("person", ["dora", "carol"])
def test_people_of_realm_files_log_in(cloud, person):
    realm, client = ("works", {"client_id": "portal", "client_secret_key": "portal-secret"})
    if person == "carol":
        realm, client = ("shop", {"client_id": "storefront"})
    realm_client = KeycloakOpenID(server_url=f"{cloud.url}/", realm_name=realm, **client)
    claims = claims_of(realm_client.token(person, f"{person}-password")["access_token"])
    assert claims["preferred_username"] == person
    with pytest.raises(KeycloakAuthenticationError):
        realm_client.token(person, "wrong")


def test_people_with_required_actions_and_without_a_password(cloud):
    with pytest.raises(KeycloakPostError, match="Account is not fully set up"):
        portal(cloud).token("emil", "emil-password")
    with pytest.raises((KeycloakAuthenticationError, KeycloakPostError)):
        portal(cloud).token("fritz", "")


def test_mappers_add_claims(cloud):
    claims = claims_of(portal(cloud).token("dora", "dora-password")["access_token"])
    assert "orders-api" in claims["aud"]
    assert claims["groups"] == ["/floor/leads"]
    assert claims["org"] == {"tenant": 7}
    assert claims["department"] == "steel"
    assert {"foreman", "welder", "employee"} <= set(claims["roles"])
    assert claims["resource_access"]["orders-api"]["roles"]


def test_users(admin, cloud):
    before = admin.users_count()
    user = admin.create_user({
        "username": "carol", "email": "carol@works.example", "enabled": True, "firstName": "Carol", "lastName": "Jones",
        "attributes": {"department": ["glass"]}, "credentials": [{"type": "password", "value": "carol-password"}]})
    assert admin.users_count() == before + 1
    assert admin.get_user_id("carol") == user
    assert admin.get_user(user)["attributes"] == {"department": ["glass"]}
    assert [found["username"] for found in admin.get_users({"search": "carol"})] == ["carol"]
    assert len(admin.get_users({})) == before + 1
    assert claims_of(portal(cloud).token("carol", "carol-password")["access_token"])["department"] == "glass"
    with pytest.raises(KeycloakPostError, match="User exists with same username"):
        admin.create_user({"username": "carol"})
    assert admin.create_user({"username": "carol"}, exist_ok=True) == user

    admin.update_user(user, {"firstName": "Caroline"})
    assert admin.get_user(user)["lastName"] == "Jones"
    admin.set_user_password(user, "other-password", temporary=False)
    assert portal(cloud).token("carol", "other-password")
    admin.disable_user(user)
    with pytest.raises(KeycloakPostError, match="Account disabled"):
        portal(cloud).token("carol", "other-password")
    admin.enable_user(user)

    assert admin.get_sessions(user) == []
    refresh = portal(cloud).token("carol", "other-password")["refresh_token"]
    admin.user_logout(user)
    with pytest.raises(KeycloakPostError, match="invalid_grant"):
        portal(cloud).refresh_token(refresh)
    admin.delete_user(user)
    with pytest.raises(KeycloakGetError) as missing:
        admin.get_user(user)
    assert missing.value.response_code == 404


def test_roles_of_users(admin, cloud):
    admin.create_realm_role({"name": "painter"})
    painter = admin.get_realm_role("painter")
    admin.assign_realm_roles(DORA, [painter])
    assert "painter" in [role["name"] for role in admin.get_realm_roles_of_user(DORA)]
    assert "painter" not in [role["name"] for role in admin.get_available_realm_roles_of_user(DORA)]
    assert "employee" in [role["name"] for role in admin.get_composite_realm_roles_of_user(DORA)]
    assert [user["username"] for user in admin.get_realm_role_members("painter")] == ["dora"]
    client = admin.get_client_id("orders-api")
    admin.create_client_role(client, {"name": "refund"})
    admin.assign_client_role(DORA, client, [admin.get_client_role(client, "refund")])
    assert {role["name"] for role in admin.get_client_roles_of_user(DORA, client)} == {"read", "refund"}
    claims = claims_of(portal(cloud).token("dora", "dora-password")["access_token"])
    assert "painter" in claims["realm_access"]["roles"]
    assert "refund" in claims["resource_access"]["orders-api"]["roles"]
    assert {"realmMappings", "clientMappings"} <= set(admin.get_all_roles_of_user(DORA))
    admin.delete_realm_roles_of_user(DORA, [painter])
    admin.delete_client_roles_of_user(DORA, client, [admin.get_client_role(client, "refund")])
    admin.add_composite_realm_roles_to_role("painter", [admin.get_realm_role("welder")])
    assert [role["name"] for role in admin.get_composite_realm_roles_of_role("painter")] == ["welder"]
    admin.delete_realm_role("painter")
    assert "painter" not in [role["name"] for role in admin.get_realm_roles()]


def test_groups(admin):
    office = admin.create_group({"name": "office"})
    accounts = admin.create_group({"name": "accounts"}, parent=office)
    assert admin.create_group({"name": "office"}, skip_exists=True) in (None, office)
    assert admin.get_group_by_path("/office/accounts")["id"] == accounts
    admin.group_user_add(DORA, accounts)
    assert [member["username"] for member in admin.get_group_members(accounts)] == ["dora"]
    assert "/office/accounts" in [group["path"] for group in admin.get_user_groups(DORA)]
    admin.assign_group_realm_roles(accounts, [admin.get_realm_role("welder")])
    assert [role["name"] for role in admin.get_group_realm_roles(accounts)] == ["welder"]
    admin.update_group(accounts, {"name": "ledgers"})
    assert admin.get_group(accounts)["path"] == "/office/ledgers"
    assert {group["name"] for group in admin.get_groups()} == {"floor", "office"}
    admin.group_user_remove(DORA, accounts)
    admin.delete_group(office)
    assert {group["name"] for group in admin.get_groups()} == {"floor"}


def test_clients(admin, cloud):
    client = admin.create_client({"clientId": "courier", "serviceAccountsEnabled": True, "redirectUris": ["http://localhost:9/cb"]})
    assert admin.get_client_id("courier") == client
    assert admin.create_client({"clientId": "courier"}, skip_exists=True) == client
    secret = admin.get_client_secrets(client)["value"]
    assert admin.get_client_service_account_user(client)["username"] == "service-account-courier"
    courier = KeycloakOpenID(
        server_url=f"{cloud.url}/", realm_name="works", client_id="courier", client_secret_key=secret)
    assert courier.token(grant_type="client_credentials")["access_token"]
    assert admin.generate_client_secrets(client)["value"] != secret
    admin.update_client(client, {"name": "The courier"})
    assert admin.get_client(client)["name"] == "The courier"
    admin.delete_client(client)
    assert admin.get_client_id("courier") is None
    assert {"portal", "robot", "account", "realm-management"} <= {client["clientId"] for client in admin.get_clients()}


def test_realms(admin, cloud):
    assert {"master", "shop", "works"} <= {realm["realm"] for realm in admin.get_realms()}
    admin.create_realm({"realm": "yard", "enabled": True, "users": [
        {"username": "zoe", "enabled": True, "credentials": [{"type": "password", "value": "z"}]}]})
    assert admin.get_realm("yard")["enabled"] is True
    assert [user["username"] for user in administrator(cloud, "yard").get_users({})] == ["zoe"]
    admin.delete_realm("yard")
    with pytest.raises(KeycloakGetError, match="Realm not found"):
        admin.get_realm("yard")


def test_what_is_missing_names_itself(admin):
    with pytest.raises(KeycloakGetError, match="Virga does not implement events") as absent:
        admin.get_events()
    assert absent.value.response_code == 501


def test_service_accounts_manage_their_own_realm(cloud):
    robot = administrator(
        cloud, "works", client_id="robot", client_secret_key="robot", user_realm_name="works", grant_type="client_credentials")
    assert len(robot.get_users({})) == 3
    with pytest.raises(KeycloakGetError) as refused:
        robot.get_realms()
    assert refused.value.response_code == 403


def test_callers_without_a_role(cloud):
    token = portal(cloud).token("dora", "dora-password")["access_token"]
    for headers, status in [({}, 401), ({"Authorization": "Bearer x"}, 401), ({"Authorization": f"Bearer {token}"}, 403)]:
        assert requests.get(f"{cloud.url}/admin/realms/works/users", headers=headers).status_code == status


def test_beyond_this_machine_the_api_needs_a_control_token(seed):
    arguments = ["--seed", REALMS / "works.json", "--seed", seed, "--host", "0.0.0.0"]
    with Cloud.ephemeral(*arguments) as cloud:
        with pytest.raises(KeycloakGetError) as closed:
            administrator(cloud, "works").get_users({})
        assert closed.value.response_code == 403
    with Cloud.ephemeral(*arguments, "--control-token", "secret") as cloud:
        assert len(administrator(cloud, "works").get_users({})) == 3


@pytest.fixture
def manager(cloud, admin):
    """Mara, who only manages users."""
    mara = admin.create_user({
        "username": "mara", "email": "mara@works.example", "enabled": True, "credentials": [{"type": "password", "value": "mara", "temporary": False}]})
    management = admin.get_client_id("realm-management")
    admin.assign_client_role(mara, management, [admin.get_client_role(management, "manage-users")])
    return mara, administrator(
        cloud, "works", username="mara", password="mara", user_realm_name="works", client_id="portal", client_secret_key="portal-secret")


def test_managers_of_users_do_not_become_more(admin, manager):
    mara, hers = manager
    management = admin.get_client_id("realm-management")
    greater = admin.get_client_role(management, "realm-admin")
    foremen = admin.create_group({"name": "managers"})
    admin.assign_group_client_roles(foremen, management, [greater])
    for attempt in [
        lambda: hers.assign_client_role(mara, management, [greater]),
        lambda: hers.group_user_add(mara, foremen),
    ]:
        with pytest.raises(KeycloakError) as refused:
            attempt()
        assert refused.value.response_code == 403
    assert [role["name"] for role in admin.get_client_roles_of_user(mara, management)] == ["manage-users"]
    hers.assign_realm_roles(DORA, [admin.get_realm_role("welder")])


def test_users_are_not_listed_with_a_role_for_groups_only(cloud, admin, manager):
    mara, hers = manager
    management = admin.get_client_id("realm-management")
    admin.delete_client_roles_of_user(mara, management, [admin.get_client_role(management, "manage-users")])
    admin.assign_client_role(mara, management, [admin.get_client_role(management, name) for name in ["query-groups", "query-clients"]])
    for attempt in [lambda: hers.get_users({}), hers.get_clients]:
        with pytest.raises(KeycloakGetError) as refused:
            attempt()
        assert refused.value.response_code == 403


@pytest.mark.parametrize("fields", [
    {"Host": "evil.example", "User-Agent": "Mozilla/5.0", "Sec-Fetch-Site": "same-origin"},
    {"Origin": "https://evil.example", "User-Agent": "Mozilla/5.0", "Sec-Fetch-Site": "cross-site"}])
def test_pages_of_other_sites_administer_nothing(cloud, admin, fields):
    token = KeycloakOpenID(server_url=f"{cloud.url}/", realm_name="master", client_id="admin-cli").token("admin", "admin")["access_token"]
    users = f"{cloud.url}/admin/realms/works/users"
    assert requests.get(users, headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert requests.get(users, headers={"Authorization": f"Bearer {token}"} | fields).status_code == 403


def test_a_long_hash_of_a_password_is_refused(tmp_path):
    file = tmp_path / "long.json5"
    file.write_text(json.dumps({"identityProviders": [{"name": "a", "issuer": "https://a.example", "people": [{
        "name": "b", "subject": "c", "passwordHash": {
            "algorithm": "pbkdf2-sha512", "iterations": 1, "salt": "AAAA", "value": base64.b64encode(bytes(65)).decode()}}]}]}))
    assert "1 to 64 bytes in Base64" in virga("seed", "check", file).stderr
