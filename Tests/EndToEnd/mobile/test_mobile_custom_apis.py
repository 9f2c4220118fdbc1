"""Custom APIs that another process implements, which calls the platform back as its caller."""

import threading

import pytest
import requests

from cloud import TIMEOUT_SECONDS
from custom_code import CustomCode
from ridgeline import FACEBOOK_APP, Backend, refusal

DATABASE = "/mobile/platform/database/objects"
NOTIFICATIONS = "/mobile/system/notifications/notifications/"


@pytest.fixture
def care(ridgeline):
    return Backend(ridgeline, "LiftCare")


@pytest.fixture
def skiers(ridgeline):
    return Backend(ridgeline, "Skiers")


@pytest.fixture
def code(ridgeline):
    """Custom code behind the APIs `code`, which is open, `care`, which requires a login, and `ski`, which requires a social login."""
    with CustomCode(ridgeline) as code:
        for name, access in (("code", "open"), ("care", "enterprise"), ("ski", "social")):
            ridgeline.control("PUT", f"mobile/apis/{name}(1.0)", {
                "name": name, "access": access, "endpoints": [{"method": "*", "path": "/*", "forward": f"{code.url}/{name}"}]})
        ridgeline.control("PUT", "mobile/policies/Database_CreateTablesPolicy", {"value": "allow"})
        yield code


def test_custom_code_gets_the_call_and_its_answer_is_the_call_s(care, code):
    """(R8, R121) Path, query and body are forwarded unchanged, but not the caller's password."""

    @code.route("POST", "/care/lines/a%20b")
    def add(call):
        return 207, call.body, {"X-Part": "7", "Content-Type": "application/x-part"}

    headers = care.basic("dora") | {"Oracle-Mobile-DIAGNOSTIC-SESSION-ID": "4711"}
    answer = care.custom("POST", "care/lines/a%20b?q=1&q=%2F", headers, {"n": 1})
    assert (answer.status_code, answer.json()) == (207, {"n": 1})
    assert answer.headers["X-Part"] == "7" and answer.headers["Content-Type"] == "application/x-part"
    (call,) = code.calls
    assert call.target == "/care/lines/a%20b?q=1&q=%2F"
    assert call.headers["Authorization"].startswith("Bearer ") and headers["Authorization"] not in str(call.headers)
    assert call.headers["Oracle-Mobile-Backend-ID"] == care.id
    assert (call.headers["Oracle-Mobile-Backend-Name"], call.headers["Oracle-Mobile-Backend-Version"]) == ("LiftCare", "1.0")
    assert call.headers["Oracle-Mobile-DIAGNOSTIC-SESSION-ID"] == "4711"


def test_custom_code_knows_its_caller(care, code):
    """(R3, R121) `ums.getUserExtended`, which apps cannot call."""

    @code.route("GET", "/care/who")
    def who(call):
        answer = call.platform("GET", "/mobile/platform/extended/users/~")
        return answer.status_code, answer.json()

    me = care.custom("GET", "care/who", care.basic("dora")).json()
    assert (me["username"], me["station"], me["roles"]) == ("dora", "Valley", ["Dispatcher"])
    refusal(care.call("GET", "/mobile/platform/extended/users/~", care.basic("dora")), 403)
    refusal(requests.get(f"{care.cloud.url}/mobile/platform/extended/users/~"), 401)


def test_custom_code_keeps_rows(care, code):
    """(R128) The Database Access API, also from an API without login."""

    @code.route("POST", "/code/rows")
    def add(call):
        answer = call.platform("POST", f"{DATABASE}/Reports", [{"lift": "valley", "count": 3}, {"lift": "summit", "count": 1}])
        return answer.status_code, answer.json()

    @code.route("GET", "/code/rows")
    def rows(call):
        answer = call.platform("GET", f"{DATABASE}/Reports?lift=valley&fields=id,count,createdBy")
        return answer.status_code, answer.json()

    answer = care.custom("POST", "code/rows", care.anonymous)
    assert (answer.status_code, answer.json()) == (201, {"items": [{"id": 1}, {"id": 2}]})
    assert care.custom("GET", "code/rows", care.basic("dora")).json() == {"items": [{"id": 1, "count": 3, "createdBy": None}]}
    refusal(care.call("GET", f"{DATABASE}/Reports", care.basic("dora")), 403)


def test_custom_code_answers_ten_mebibytes_at_most(care, code):
    limit = 10 << 20

    @code.route("GET", "/code/much")
    def much(call):
        return 200, "x" * (limit - 2)

    @code.route("GET", "/code/more")
    def more(call):
        return 200, "x" * limit

    answer = care.custom("GET", "code/much", care.anonymous)
    assert answer.status_code == 200 and len(answer.content) == limit
    refusal(care.custom("GET", "code/more", care.anonymous), 502)


def test_custom_code_sends_notifications(care, code):
    """(R121, R128) Sends to the devices that a user has registered."""
    device = {
        "notificationToken": "token-1", "notificationProvider": "FCM",
        "mobileClient": {"id": "com.ridgeline.care", "version": "1.0", "platform": "ANDROID"}}
    assert care.call("POST", "/mobile/platform/devices/register", care.basic("dora"), device).status_code == 201

    @code.route("POST", "/care/alarm")
    def alarm(call):
        answer = call.platform("POST", NOTIFICATIONS, {"message": "Wind", "users": ["dora"]})
        return answer.status_code, answer.json()

    answer = care.custom("POST", "care/alarm", care.basic("emil"))
    assert (answer.status_code, answer.json()["status"], answer.json()["deviceCount"]) == (201, "Sent", 1)
    refusal(care.call("POST", NOTIFICATIONS, care.basic("dora"), {"message": "Wind"}), 403)


def test_custom_code_of_social_users_is_refused_what_goes_by_roles(ridgeline, skiers, code):
    """(R121, R126, R128) It can identify its caller and store rows. Storage requires a role, which a Facebook user does not have."""
    token = ridgeline.token("facebook", "frida", client=FACEBOOK_APP)

    @code.route("GET", "/ski/all")
    def everything(call):
        user = call.platform("GET", "/mobile/platform/extended/users/~").json()
        row = call.platform("POST", f"{DATABASE}/Skiers", {"who": user["id"]})
        storage = call.platform("GET", "/mobile/platform/storage/collections/manuals/objects")
        return 200, {"user": user, "row": row.status_code, "storage": storage.status_code}

    answer = skiers.custom("GET", "ski/all", skiers.facebook(token))
    assert answer.status_code == 200, answer.text
    document = answer.json()
    assert document["user"]["identityProvider"] == "facebook" and document["user"]["accessToken"] == token
    assert (document["row"], document["storage"]) == (201, 403)
    refusal(skiers.custom("GET", "ski/all", skiers.anonymous), 401)


def test_custom_code_calls_other_custom_apis_in_its_callers_name(care, code):
    @code.route("GET", "/care/plan")
    def plan(call):
        answer = call.platform("GET", "/mobile/custom/profile/me")
        return answer.status_code, answer.json()

    me = care.custom("GET", "care/plan", care.basic("dora")).json()
    assert (me["username"], me["customCode"]) == ("dora", "care(1.0)")

    @code.route("GET", "/care/again")
    def again(call):
        answer = call.platform("GET", "/mobile/custom/care/again")
        return answer.status_code, answer.json()

    code.calls.clear()
    refusal(care.custom("GET", "care/again", care.basic("dora")), 502, "call one another")
    assert len(code.calls) == 8


def test_custom_code_that_is_not_there(ridgeline, care):
    with CustomCode(ridgeline) as code:
        ridgeline.control("PUT", "mobile/apis/gone(1.0)", {
            "name": "gone", "access": "open", "endpoints": [{"method": "*", "path": "/*", "forward": code.url}]})
    refusal(care.custom("GET", "gone/x", care.anonymous), 502)


def test_custom_code_that_takes_too_long(ridgeline, care, code):
    """The environment's policy sets the timeout. The code waits for the error, and no longer."""
    refused = threading.Event()

    @code.route("GET", "/code/slow")
    def slow(call):
        refused.wait(TIMEOUT_SECONDS)
        return 200, {}

    ridgeline.control("PUT", "mobile/policies/Network_HttpReadTimeout", {"value": "300"})
    try:
        refusal(care.custom("GET", "code/slow", care.anonymous), 504)
    finally:
        refused.set()


def test_the_credential_of_custom_code_ends(ridgeline, care, code):
    @code.route("GET", "/care/who")
    def who(call):
        return 200, {}

    care.custom("GET", "care/who", care.basic("dora"))
    (call,) = code.calls
    assert call.platform("GET", "/mobile/platform/users/~").json()["username"] == "dora"
    ridgeline.age("PT5M")
    refusal(call.platform("GET", "/mobile/platform/users/~"), 401)
