"""The preview of objects: what is shown, what is downloaded, and that hostile documents do nothing."""

import pytest
import requests
from selenium.webdriver.common.by import By

from cloud import BUCKET
from console import follow, open_page, text
from hostile_pages import document
from test_console_store import browser, journal, place, reader  # noqa: F401, a fixture

SHOWN = {"text/plain": "text/plain; charset=utf-8", "text/html": "text/plain; charset=utf-8", "application/json": "text/plain; charset=utf-8",
         "image/png": "image/png", "image/webp": "image/webp"}
DOWNLOADED = ["image/svg+xml", "application/xhtml+xml", "application/pdf", "application/x-shockwave-flash", "image/png, text/html;x", "", "video/mp4"]


@pytest.mark.parametrize("kind", [*SHOWN, *DOWNLOADED])
def test_only_images_and_texts_are_shown(cloud, root, reader, kind):
    root.put_object(Bucket=BUCKET, Key="content", Body=b"<script>window.xss=1</script>", **({"ContentType": kind} if kind else {}))
    answer = reader.open(f"store/preview?bucket={BUCKET}&key=content")
    assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Content-Type"] == SHOWN.get(kind, "image/png" if kind.startswith("image/png") else "application/octet-stream")
    shown = kind in SHOWN or kind.startswith("image/png")
    assert answer.headers["Content-Disposition"].startswith("inline" if shown else "attachment")
    frame = requests.get(answer.url, headers={"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin"})
    assert frame.status_code == 403 and b"script" not in frame.content


@pytest.mark.parametrize("kind", ["html", "svg"])
def test_a_hostile_document_does_nothing_in_the_preview(cloud, root, browser, kind):
    plan = {"cloud": cloud.url, "control": f"{cloud.url}/_virga", "login": f"{cloud.url}/idp/company/", "form": "",
            "calls": {"GET": f"{cloud.url}/", "POST": f"{cloud.url}/"}, "worker": "/worker.js"}
    body = document(kind, plan)
    for stored in ["text/html" if kind == "html" else "image/svg+xml", "text/plain"]:
        root.put_object(Bucket=BUCKET, Key=f"evil.{kind}", Body=body, ContentType=stored)
        last = cloud.control("GET", "journal", params={"limit": 1})["last"]
        open_page(browser, cloud, place(BUCKET, key=f"evil.{kind}"))
        before = browser.current_url
        shown = browser.find_elements(By.LINK_TEXT, "Open the content")
        assert bool(shown) == (stored != "image/svg+xml")
        if shown:
            follow(browser, shown[0].click)
            assert "attack" in text(browser), "the source is shown"
        else:
            browser.find_element(By.LINK_TEXT, "Download").click()
            assert browser.current_url == before
        assert browser.execute_script("return window.report") is None
        entries = journal(cloud, after=last)
        assert {entry["operation"] for entry in entries if entry["face"] == "s3"} <= {"HeadObject", "GetObject", "GetObjectTagging", "ListObjectVersions"}
        assert [entry for entry in entries if entry["face"] == "control" and entry["method"] != "GET" and entry["operation"] != "/presign"
                and entry["operation"] != "/send"] == []


# Hostile texts.
