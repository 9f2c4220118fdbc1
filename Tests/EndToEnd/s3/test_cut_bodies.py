"""A truncated body is a client error in every face, and causes no error in the server's log."""

import socket
import sys

import pytest

from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud
from test_connections import answer

sys.path.append(str(REPOSITORY / "Tests" / "Hardening" / "requests"))

import corpus  # noqa: E402

SEEDS = ["personal-file-store", "alibaba", "keycloak", "mobile-cloud", "vending-machine"]


@pytest.fixture(scope="module")
def every_face(environment_of_the_tests):
    with Cloud.ephemeral(*[part for name in SEEDS for part in ("--seed", REPOSITORY / "seed" / f"{name}.json5")]) as cloud:
        yield cloud


def send_all_but_the_last_byte(cloud, request):
    return send(cloud, request.bytes(f"127.0.0.1:{cloud.port}")[:-1])


def send(cloud, message):
    with socket.create_connection(("127.0.0.1", cloud.port), timeout=TIMEOUT_SECONDS) as connection:
        connection.sendall(message)
        connection.shutdown(socket.SHUT_WR)
        line, _, body = answer(connection.makefile("rb"))
    return int(line.split()[1]), body


def test_no_face_takes_it_for_its_own_failure(every_face):
    statuses = {}
    for request in corpus.everything({}):
        if request.content() and request.method != "GET":
            statuses.setdefault(request.name, []).append(send_all_but_the_last_byte(every_face, request)[0])
    assert len(statuses) > 100
    assert {name: found for name, found in statuses.items() if any(status in (500, 502, 503) for status in found)} == {}
    assert " error: " not in every_face.logged()
    assert every_face.control("GET", "journal", params={"status": 500})["entries"] == []


@pytest.mark.parametrize("name, code", [
    ("PutObject", b"<Code>IncompleteBody</Code>"), ("GetCallerIdentity", b"<Code>MalformedInput</Code>"),
    ("CreateUser", b"<Code>MalformedInput</Code>"), ("oss PutObject", b"<Code>IncompleteBody</Code>"),
    ("token authorization_code", b'"invalid_request"'), ("register", b'"invalid_request"'), ("Google token", b'"invalid_request"'),
    ("Amazon token", b'"invalid_request"'), ("control POST tokens", b'"malformed_body"')])
def test_it_has_an_error_in_the_words_of_its_face(every_face, name, code):
    request = next(request for request in corpus.everything({}) if request.name == name)
    send(every_face, next(corpus.s3()).bytes(f"127.0.0.1:{every_face.port}"))
    status, body = send_all_but_the_last_byte(every_face, request)
    assert status == 400 and code in body, body
