"""A process with a class: its teacher, its students, and the links that sign them in."""

import contextlib

import pytest
import requests

from cloud import Cloud, free_port
from console import Reader
from test_console_access import TOKEN

BEARER = {"Authorization": f"Bearer {TOKEN}"}


class School(Cloud):
    """A process with a control token, and a class."""

    def control(self, method, path, body=None, **options):
        return super().control(method, path, body, headers=BEARER, **options)

    def refused(self, method, path, body=None):
        answer = requests.request(method, f"{self.url}/_virga/{path}", json=body, headers=BEARER)
        assert not answer.ok, answer.text
        return answer.status_code, answer.json()["error"]


@pytest.fixture
def school():
    with School.ephemeral("--control-token", TOKEN) as cloud:
        cloud.control("PUT", "class", {})
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@contextlib.contextmanager
def classroom(**order):
    """A process as in a classroom: other machines reach it, and the console has a port of its own."""
    port = free_port()
    with School.ephemeral("--control-token", TOKEN, "--console-port", port, "--host", "0.0.0.0") as cloud:
        cloud.console = Cloud.__new__(Cloud)
        cloud.console.url = f"http://127.0.0.1:{port}"
        cloud.control("PUT", "class", order)
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def add(school, *names):
    return school.control("POST", "class/students", {"names": list(names)})["students"]


def state(school, name):
    [found] = [student for student in school.control("GET", "class")["students"] if student["name"] == name]
    return found


def joined(school, code, button="Enter", **fields):
    """A browser without scripts that opened a link and pressed its button."""
    reader = Reader(school)
    reader.open(f"join?code={code}")
    if reader.status == 200:
        reader.press(button, **fields)
    return reader


def enter(reader):
    reader.link("Open your console")
    return reader


def sandbox_shown(reader):
    return reader.page.text.split("<dt>Sandbox</dt><dd><bdi>")[1].split("<")[0]
