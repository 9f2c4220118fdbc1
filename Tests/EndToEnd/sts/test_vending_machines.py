"""The token vending machines with a client of theirs, and their credentials with boto3."""

import datetime
import json

import pytest
import requests
from clients import client, refused
from sandboxes import Sandbox
from vending_client import AnonymousMachine, IdentityMachine, Refused, timestamp

APP = "RidgelineNotes"
SEED = {
    "accounts": [{
        "id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}], "buckets": [{"name": "notes"}, {"name": "tvm"}],
    }],
    "vendingMachines": {
        "account": "000000000000",
        "policy": {"Statement": [
            {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::notes",
             "Condition": {"StringLike": {"s3:prefix": "__USERNAME__/*"}}},
            {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject"], "Resource": "arn:aws:s3:::notes/__USERNAME__/*"}]},
        "anonymous": {"hosts": ["vending.ridgeline.example"]},
        "identity": {"app": APP, "people": [{"name": "alice", "password": "secret1"}]},
    },
}


@pytest.fixture(scope="module")
def machines_process(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.fixture
def vending(machines_process):
    machines_process.reset()
    return machines_process


def identity(cloud, endpoint=None, **options):
    host = cloud.url.removeprefix("http://")
    return IdentityMachine(f"{cloud.url}/tvm/identity", endpoint or f"{host}/tvm/identity", APP, **options)


def anonymous(cloud):
    return AnonymousMachine(f"{cloud.url}/tvm/anonymous")


def test_a_device_registers_itself_and_gets_credentials_for_its_own_folder(vending):
    device = anonymous(vending)
    with pytest.raises(Refused) as refusal:
        device.key = "0" * 32
        device.token()
    assert (refusal.value.status, refusal.value.text) == (401, "Error matching signature\r\n")
    device.register()
    moment = vending.freeze()
    credentials, ends = device.token()
    assert ends == (moment + 86_400) * 1000
    s3 = client(vending, "s3", **credentials)
    s3.put_object(Bucket="notes", Key=f"{device.uid}/a.txt", Body=b"hello")
    assert [item["Key"] for item in s3.list_objects(Bucket="notes", Prefix=f"{device.uid}/")["Contents"]] == [f"{device.uid}/a.txt"]
    with refused("AccessDenied", 403):
        s3.put_object(Bucket="notes", Key="other/a.txt", Body=b"x")
    sts = client(vending, "sts", **credentials)
    assert sts.get_caller_identity()["Arn"] == f"arn:aws:sts::000000000000:federated-user/{device.uid}"
    # Another device cannot register the same name.
    with pytest.raises(Refused) as refusal:
        device.register()
    assert (refusal.value.status, refusal.value.text) == (409, "null\r\n")


def test_somebody_registers_logs_in_and_reaches_what_is_theirs(vending):
    machine = identity(vending)
    page = machine.register("bob.m@ridgeline", "secret2")
    assert page.status_code == 200 and page.headers["Content-Type"].startswith("text/html")
    assert machine.register("bob.m@ridgeline", "secret3").status_code == 406
    assert machine.register("bob m", "secret3").status_code == 400
    machine.login("bob.m@ridgeline", "secret2")
    bob, _ = machine.token()
    client(vending, "s3", **bob).put_object(Bucket="notes", Key="bob.m@ridgeline/a.txt", Body=b"hello")
    other = identity(vending)
    other.login("alice", "secret1")
    alice, _ = other.token()
    with refused("AccessDenied", 403):
        client(vending, "s3", **alice).get_object(Bucket="notes", Key="bob.m@ridgeline/a.txt")
    with refused("AccessDenied", 403):
        client(vending, "s3", **alice).list_objects(Bucket="notes", Prefix="bob.m@ridgeline/")
    # A device has one owner.
    machine.uid = other.uid
    with pytest.raises(Refused) as refusal:
        machine.login("bob.m@ridgeline", "secret2")
    assert refusal.value.status == 401
    with pytest.raises(Refused) as refusal:
        other.login("alice", "secret2")
    assert (refusal.value.status, refusal.value.text) == (401, "Error matching signature\r\n")


@pytest.mark.parametrize("spelling", ["{name}", "{name}:{port}", "{name}:{port}/tvm/identity"])
def test_the_endpoint_may_be_spelled_as_the_server_does_or_as_the_client(vending, spelling):
    endpoint = spelling.format(name="127.0.0.1", port=vending.port)
    machine = identity(vending, endpoint)
    machine.register("carl", "secret4")
    machine.login("carl", "secret4")
    machine.token()
    seeded = identity(vending, endpoint)
    seeded.login("alice", "secret1")
    seeded.token()


def test_the_machines_have_hosts_of_their_own(vending):
    machine = IdentityMachine(vending.url, "identity.tvm.localhost", APP, host=f"identity.tvm.localhost:{vending.port}")
    machine.register("dora", "secret5")
    machine.login("dora", "secret5")
    machine.token()
    for host in ["anonymous.tvm.localhost", "vending.ridgeline.example"]:
        device = AnonymousMachine(vending.url, host=host)
        device.register()
        device.token()


@pytest.mark.parametrize("minutes", [-16, 16])
def test_clocks_may_differ_by_a_quarter_of_an_hour(vending, minutes):
    device = anonymous(vending)
    device.register()
    device.token(at=timestamp(datetime.timedelta(minutes=minutes * 14 / 16)))
    with pytest.raises(Refused) as refusal:
        device.token(at=timestamp(datetime.timedelta(minutes=minutes)))
    assert (refusal.value.status, refusal.value.text) == (408, "Timestamp not valid\r\n")


def test_vended_credentials_end_after_a_day_and_stay_known_as_expired(vending):
    device = anonymous(vending)
    device.register()
    credentials, _ = device.token()
    vending.age("PT23H")
    client(vending, "s3", **credentials).put_object(Bucket="notes", Key=f"{device.uid}/a", Body=b"x")
    vending.age("PT1H1M")
    with refused("ExpiredToken", 400):
        client(vending, "s3", **credentials).put_object(Bucket="notes", Key=f"{device.uid}/a", Body=b"x")
    fresh, _ = device.token()
    client(vending, "s3", **fresh).put_object(Bucket="notes", Key=f"{device.uid}/a", Body=b"x")
    # A new key with an old token is refused.
    with refused("InvalidToken", 400):
        client(vending, "s3", **fresh | {"aws_session_token": credentials["aws_session_token"]}).put_object(
            Bucket="notes", Key=f"{device.uid}/a", Body=b"x")


def test_a_machine_fails_on_demand_and_the_journal_shows_its_calls_without_secrets(vending):
    device = anonymous(vending)
    device.register()
    vending.control("POST", "faults", {"service": "tvm", "action": "GetToken", "error": "ServiceUnavailable", "times": 1})
    with pytest.raises(Refused) as refusal:
        device.token()
    assert (refusal.value.status, refusal.value.text) == (503, "null\r\n")
    device.token()
    entries = [entry for entry in vending.control("GET", "journal")["entries"] if entry["face"] == "tvm"]
    assert {entry["operation"] for entry in entries} == {"RegisterDevice", "GetToken"}
    assert device.key not in json.dumps(entries)


def test_the_pages_lead_from_the_machine_to_its_form(vending):
    home = requests.get(f"{vending.url}/tvm/identity")
    assert home.history[0].status_code == 302 and home.url.endswith("/tvm/identity/") and "Identity" in home.text
    form = requests.get(f"{vending.url}/tvm/identity/register.jsp")
    assert form.status_code == 200 and 'action="registeruser"' in form.text


def test_paths_of_machines_are_still_keys_for_whoever_signs(vending, root):
    client(vending, "s3").put_object(Bucket="tvm", Key="identity/login", Body=b"mine")
    assert client(vending, "s3").get_object(Bucket="tvm", Key="identity/login")["Body"].read() == b"mine"
    # Without machines in the seed, their paths are ordinary.
    root.create_bucket(Bucket="tvm")
    response = requests.get(root.meta.endpoint_url + "/tvm/identity/login")
    assert response.status_code == 403 and "<Code>AccessDenied</Code>" in response.text
