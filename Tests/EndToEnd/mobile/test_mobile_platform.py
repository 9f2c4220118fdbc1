"""The mobile cloud's platform APIs over a socket, and their objects through S3: storage, devices, analytics, locations, and
administration."""

import base64
import hashlib
import http.client
import json

import pytest
import requests

from clients import client
from cloud import Cloud
from ridgeline import SEED, Backend, bearer, refusal

STORAGE = "/mobile/platform/storage/collections"


@pytest.fixture
def care(ridgeline):
    """The employees' app, whose users log in with passwords in these tests."""
    for name in ("tessa", "marc"):
        user = ridgeline.control("GET", f"mobile/realms/Default(1.0)/users/{name}")
        ridgeline.control("PUT", f"mobile/realms/Default(1.0)/users/{name}", user | {"password": f"{name}-password"})
    return Backend(ridgeline, "LiftCare")


def put(care, target, body, user, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return requests.put(care.cloud.url + STORAGE + target, data=body, headers=care.basic(user) | headers)


def get(care, target, user, method="GET", **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return requests.request(method, care.cloud.url + STORAGE + target, headers=care.basic(user) | headers)


def test_an_object_is_the_same_by_storage_and_by_s3(ridgeline, care):
    s3 = client(ridgeline, "s3")
    body = bytes(range(256)) * 5000
    made = put(care, "/manuals/objects/cable%20car", body, "marc", Content_Type="application/pdf", Oracle_Mobile_Name="Cable%20Car%20%C3%BC.pdf")
    assert made.status_code == 201, made.text
    assert made.headers["Location"] == ridgeline.url + STORAGE + "/manuals/objects/cable%20car"
    assert made.json()["name"] == "Cable Car ü.pdf" and made.json()["contentLength"] == len(body)

    seen = s3.get_object(Bucket="ridgeline-manuals", Key="cable car")
    assert seen["Body"].read() == body and seen["ContentType"] == "application/pdf"
    assert seen["ETag"] == made.json()["eTag"] == f'"{hashlib.md5(body).hexdigest()}"'
    assert seen["Metadata"]["oracle-mobile-created-by"] == "marc"
    assert seen["Metadata"]["oracle-mobile-name"] == "Cable%20Car%20%C3%BC.pdf"

    s3.put_object(Bucket="ridgeline-manuals", Key="chair", Body=b"by S3", ContentType="text/plain")
    got = get(care, "/manuals/objects/chair", "tessa")
    assert (got.status_code, got.content, got.headers["Content-Type"]) == (200, b"by S3", "text/plain")
    items = get(care, "/manuals/objects?totalResults=true", "tessa").json()
    assert [item["id"] for item in items["items"]] == ["cable car", "chair"] and items["totalResults"] == 2

    assert get(care, "/manuals/objects/chair", "marc", "DELETE", If_Match="*").status_code == 204
    assert [entry["Key"] for entry in s3.list_objects_v2(Bucket="ridgeline-manuals")["Contents"]] == ["cable car"]


def test_objects_are_read_in_parts_and_under_conditions(care):
    body = bytes(range(256)) * 8192
    tag = put(care, "/manuals/objects/big", body, "marc").json()["eTag"]
    part = get(care, "/manuals/objects/big", "tessa", Range="bytes=300000-1300000")
    assert (part.status_code, part.content) == (206, body[300000:1300001])
    assert part.headers["Content-Range"] == f"bytes 300000-1300000/{len(body)}"
    assert get(care, "/manuals/objects/big", "tessa", If_None_Match=tag).status_code == 304
    head = get(care, "/manuals/objects/big", "tessa", "HEAD")
    assert (head.status_code, head.headers["Content-Length"], head.content) == (200, str(len(body)), b"")
    assert head.headers["Oracle-Mobile-Created-By"] == "marc" and head.headers["ETag"] == tag
    refusal(put(care, "/manuals/objects/big", b"x", "marc", If_Match='"other"'), 412)
    refusal(get(care, "/manuals/objects/big", "tessa", Accept="application/json"), 406)
    refusal(get(care, "/manuals/objects/none", "tessa"), 404)


def test_a_body_may_come_in_chunks_and_must_have_a_length(care):
    chunked = requests.put(
        care.cloud.url + STORAGE + "/manuals/objects/chunks", data=iter([b"a" * 70000, b"b"]), headers=care.basic("marc"))
    assert chunked.status_code == 201 and chunked.json()["contentLength"] == 70001
    # Other clients send Content-Length: 0 themselves.
    connection = http.client.HTTPConnection(care.cloud.url.removeprefix("http://"))
    connection.putrequest("PUT", STORAGE + "/manuals/objects/none")
    for name, value in care.basic("marc").items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 411 and json.loads(answer.read())["o:errorCode"].startswith("MOBILE-")
    connection.close()


def test_collections_ask_for_roles(care):
    """(R1, R3)"""
    refusal(put(care, "/manuals/objects/a", b"x", "tessa"), 403, "READ_WRITE")
    refusal(get(care, "/manuals/objects", "dora"), 403)
    refusal(care.call("GET", STORAGE + "/manuals/objects", care.anonymous), 401)
    for path in ("", "/manuals"):
        refusal(care.call("GET", STORAGE + path, care.anonymous), 401)
    assert get(care, "", "dora").json()["count"] == 2
    detail = put(care, "/manuals/objects/a", b"x", "tessa").json()["detail"]
    assert "tessa asks for mobile:WriteObjects on collections/manuals" in detail and 'request has "Technician"' in detail
    refusal(Backend(care.cloud, "Skiers").call("GET", STORAGE + "/manuals/objects", Backend(care.cloud, "Skiers").anonymous), 401)


def test_each_user_has_objects_of_their_own(ridgeline, care):
    for user in ("tessa", "marc"):
        assert put(care, "/photos/objects/1.jpg", user.encode(), user).status_code == 201
    assert get(care, "/photos/objects/1.jpg", "tessa").content == b"tessa"
    tessa = get(care, "/photos/objects", "tessa").json()["items"][0]["user"]
    refusal(get(care, "/photos/objects", "marc"), 400, "user")
    assert get(care, f"/photos/objects/1.jpg?user={tessa}", "marc").content == b"tessa"
    assert {item["user"] for item in get(care, "/photos/objects?user=*", "marc").json()["items"]} >= {tessa}
    marc = get(care, "/photos/objects?user=*", "marc").json()["items"]
    other = next(item["user"] for item in marc if item["user"] != tessa)
    refusal(get(care, f"/photos/objects/1.jpg?user={other}", "tessa"), 403)
    keys = [entry["Key"] for entry in client(ridgeline, "s3").list_objects_v2(Bucket="ridgeline-photos")["Contents"]]
    assert sorted(keys) == sorted([f"{tessa}/1.jpg", f"{other}/1.jpg"])


def test_apps_register_devices_and_send_events_without_a_user(ridgeline, care):
    """(R127)"""
    phone = {"notificationToken": "t", "mobileClient": {"id": "com.ridgeline.care", "version": "1.0", "platform": "ANDROID"}}
    made = care.call("POST", "/mobile/platform/devices/register", care.anonymous, phone)
    assert made.status_code == 201, made.text
    assert care.call("POST", "/mobile/platform/devices/register", care.basic("dora"), phone).json()["user"] == "dora"
    [device] = ridgeline.control("GET", "mobile/devices?backend=LiftCare(1.0)")["devices"]
    assert (device["id"], device["user"], device["backend"]) == (made.json()["id"], "dora", "LiftCare(1.0)")
    assert care.call("POST", "/mobile/platform/devices/deregister", care.anonymous, phone).status_code == 200

    events = [{"name": "Repaired", "timestamp": "2016-03-01T12:00:00Z", "properties": {"lift": "valley"}}]
    sent = care.call("POST", "/mobile/platform/analytics/events", care.anonymous, events)
    assert (sent.status_code, sent.json()) == (202, {"message": "1 events accepted for processing."})
    refusal(care.call("POST", "/mobile/platform/analytics/events", care.anonymous, events + [{}]), 400, r"events\[1\]")
    [kept] = ridgeline.control("GET", "mobile/events")["events"]
    assert kept["event"] == events[0]


def test_places_are_found(care):
    """(R127)"""
    near = {"inGeoFence": {"gpsCircle": {"latitude": 46.0207, "longitude": 7.7491, "radius": 100}}}
    answer = care.call("POST", "/mobile/platform/location/places/query", care.anonymous, near)
    assert [place["name"] for place in answer.json()["items"]] == ["Summit"]
    assert care.call("GET", "/mobile/platform/location/places?name=Valley", care.anonymous).json()["id"] == 2


def test_new_keys_close_the_door_to_the_old_ones(ridgeline, care):
    """(R5, R7)"""
    token = care.token(grant_type="client_credentials")
    assert care.call("GET", "/mobile/platform/appconfig/client", bearer(token)).status_code == 200
    ridgeline.control("POST", "mobile/backends/LiftCare(1.0)/regenerate", {})
    assert care.call("GET", "/mobile/platform/appconfig/client", care.anonymous).status_code == 401
    fresh = Backend(ridgeline, "LiftCare")
    assert fresh.call("GET", "/mobile/platform/appconfig/client", fresh.anonymous).status_code == 200
    assert requests.post(f"{ridgeline.url}/oam/oauth2/tokens", data={"grant_type": "client_credentials"}, auth=care.client).status_code == 401
    assert base64.b64encode(f"{fresh.anonymousUser}:{fresh.anonymousPassword}".encode()).decode() == fresh.anonymousKey


def test_policies_are_exported_and_imported(ridgeline):
    """(R38, R149)"""
    url = f"{ridgeline.url}/_virga/mobile/policies"
    text = requests.get(url).text
    assert "*.*.Security_TokenExchangeTimeoutSecs=21600\n" in text and r'"issuerName"\:"https\://login.ridgeline.example"' in text
    changed = text.replace("=21600", "=60") + "# more\n*.*.Mine = a,\\\n    b\n"
    assert requests.put(url, data=changed.encode()).status_code == 200
    assert ridgeline.control("GET", "mobile/policies/Mine")["value"] == "a,b"
    assert ridgeline.control("GET", "mobile/policies/Security_TokenExchangeTimeoutSecs")["value"] == "60"


def test_what_is_administered_survives(tmp_path):
    with Cloud.over(tmp_path, "--seed", SEED) as cloud:
        made = cloud.control("PUT", "mobile/backends/New(1.0)", {"name": "New"})
        backend = Backend(cloud, "New")
        phone = {"notificationToken": "t", "mobileClient": {"id": "c", "platform": "WEB"}}
        assert backend.call("POST", "/mobile/platform/devices/register", backend.anonymous, phone).status_code == 201
        assert cloud.stop() == 0
    with Cloud.over(tmp_path, "--seed", SEED) as cloud:
        # The process has another port now; otherwise nothing has changed.
        again = cloud.control("GET", "mobile/backends/New(1.0)")
        assert again | {"environmentURLs": None} == made | {"environmentURLs": None}
        assert len(cloud.control("GET", "mobile/devices")["devices"]) == 1
