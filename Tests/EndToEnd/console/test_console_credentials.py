"""The page about the doors at which SDKs find credentials."""

import pytest
import requests
from lxml import html

from cloud import REPOSITORY, Cloud

PAGE = "/_virga/ui/credentials"


@pytest.fixture(scope="module")
def shop(environment_of_the_tests):
    with Cloud.ephemeral("--seed", REPOSITORY / "seed/credentials.json5") as cloud:
        yield cloud


def rows(cloud):
    page = html.fromstring(requests.get(cloud.url + PAGE).text)
    return [" ".join(row.text_content().split()) for row in page.xpath("//tbody/tr")]


def test_each_door_has_its_address_and_its_command(shop):
    shop.reset()
    shown = rows(shop)
    assert len(shown) == 5
    for row, kind, name in zip(shown, ["imds", "container", "pod-identity", "actions", "rolesanywhere"], [
            "i-0123456789abcdef0", "9781c2486b7a4e2f8f0a1c2d3e4f5a6b", "payments/processor", "github-actions/deploy", "warehouse/stock"]):
        assert row.startswith(kind) and name in row and f"virga env --credentials {kind}:{name}" in row
    assert f"{shop.url}/v2/credentials/9781c248-6b7a-4e2f-8f0a-1c2d3e4f5a6b" in shown[1]
    assert "trusts pods.eks.amazonaws.com" in shown[2]


def test_the_last_answer_and_its_reason_are_shown(shop):
    shop.reset()
    assert "no request yet" in rows(shop)[1]
    path = shop.control("POST", "credentials", {"kind": "container"})["path"]
    requests.get(shop.url + path, headers={"Authorization": "x"})
    assert "AccessDenied" in rows(shop)[1] or "authorization token" in rows(shop)[1]
    assert "no request yet" in rows(shop)[3]


def test_the_built_in_seed_has_a_job_only(process):
    assert len(rows(process)) == 1
    assert "actions" in "".join(rows(process))
