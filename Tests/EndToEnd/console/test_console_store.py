"""The store of the web console: buckets and objects, as an identity that the user chooses."""

import hashlib
import json
import re
from urllib.parse import parse_qs, quote, unquote, urlencode, urljoin, urlsplit

import pytest
import requests
from botocore.config import Config
from lxml import html
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import client
from cloud import BUCKET, Cloud
from console import CONSOLE, console_browser, follow, open_link, open_page, own_violations, press, Reader, text
from console_checks import check_pages, expect_harmless, PAYLOADS
from hostile_pages import document

ALICE = "110169484474386276334/hello.txt"
ROLE = "arn:aws:iam::000000000000:role/personal-files-google"
DEVELOPER = "arn:aws:iam::000000000000:user/developer"
PHOTOS = "personal-photos"
OSS_DEVELOPER = "acs:ram::1234567890123456:user/developer"

# Keys that break naive links and forms.
ODD_KEYS = [
    "a//b", "/leading", "//two", "trailing/", "what?", "50%", "100%25", "a+b", "with space", "ümläut/日本語 🎉", "a&b=c", "#hash", "line\nbreak", "cr\rlf",
    "tab\there", "quote\"'", "back\\slash", "semi;colon", "..", ". .", "a/./b", "x" * 900, "\x01\x1f", "\u202eevil", "%2F", "%00"]


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


@pytest.fixture
def reader(cloud):
    return Reader(cloud)


@pytest.fixture
def versions(cloud, root):
    """A bucket that keeps versions."""
    root.create_bucket(Bucket="versions")
    root.put_bucket_versioning(Bucket="versions", VersioningConfiguration={"Status": "Enabled"})
    return "versions"


def place(bucket, **query):
    """The path of a page of the store."""
    return f"store/{quote(bucket, safe='')}?{urlencode(query, quote_via=quote)}"


def upload(reader, name, content, kind="text/plain", fields=None):
    """Sends the upload form of the open page, as a browser does without scripts."""
    [form] = [form for form in reader.page.forms if form["label"].strip() == "Upload"]
    data = {field: value for field, value in form["fields"].items() if field != "file"} | (fields or {})
    return reader._at(reader.session.post(form["action"], data=data, files={"file": (name, content, kind)}, headers={"Origin": reader.cloud.url}))


def journal(cloud, **parameters):
    return cloud.control("GET", "journal", params={"limit": 1000} | parameters)["entries"]


def block(page, name):
    [found] = html.fromstring(page.text).xpath(f"//pre[@id='{name}']")
    return found.text_content()


def test_buckets_of_both_clouds_are_listed_with_their_owners(cloud, reader):
    page = reader.open("store").text
    rows = [row.text_content() for row in html.fromstring(page).xpath("//tbody/tr")]
    assert any(BUCKET in row and "Amazon S3" in row and "000000000000" in row for row in rows)
    assert any(PHOTOS in row and "Alibaba Cloud OSS" in row and "1234567890123456" in row for row in rows)


@pytest.mark.parametrize("kind, name", [("Amazon S3", "made-here"), ("Alibaba Cloud OSS", "made-there")])
def test_a_bucket_is_created_filled_versioned_and_presigned(cloud, reader, kind, name):
    reader.open("store")
    reader.press("Create", name=name, cloud="s3" if kind == "Amazon S3" else "oss", versioning="on")
    assert "Created." in reader.page.text and kind in reader.page.text
    first, second = b"the first content", b"the second content"
    for content in [first, second]:
        reader.open(f"store/{name}")
        upload(reader, "note.txt", content)
        assert "✓ Uploaded" in reader.page.text, reader.page.text
    reader.link("note.txt")
    assert "the second content" in reader.page.text and "Versions" in reader.page.text
    for method, signatures in [("GET", ["v4", "v2"] if kind == "Amazon S3" else ["oss-v4", "oss-v2", "oss-v1"])]:
        for signature in signatures:
            reader.press("Presign", method=method, signature=signature, lifetime="60")
            assert requests.get(block(reader.page, "presigned-url")).content == second, signature
    reader.press("Presign", method="PUT")
    url = block(reader.page, "presigned-url")
    assert requests.put(url, data=b"the third content").status_code == 200
    reader.open(f"store/{name}?key=note.txt")
    assert "17 B" in reader.page.text
    reader.press("Restore", 1)
    assert "the first content" in reader.page.text and "Saved." in reader.page.text
    download = [url for url, label in reader.page.links if label == "Download"][0]
    answer = reader.session.get(urljoin(cloud.url, download))
    assert answer.content == first and answer.headers["Content-Disposition"].startswith("attachment")
    reader.press("Delete", 0)
    assert "Deleted." in reader.page.text
    reader.open(f"store/{name}?key=note.txt")
    assert reader.status == 404 and "delete marker" in reader.page.text
    reader.press("Remove the marker")
    assert reader.status == 200 and "the first content" in reader.page.text
    reader.open(f"store/{name}?view=versions")
    assert reader.page.text.count("note.txt</bdi></a>") == 4


def test_metadata_tags_and_locks_are_shown(cloud, root, reader):
    root.create_bucket(Bucket="locked", ObjectLockEnabledForBucket=True)
    root.put_object(
        Bucket="locked", Key="kept", Body=b"x", Metadata={"purpose": "test"}, Tagging="team=blue", ContentType="application/x-kept",
        ObjectLockLegalHoldStatus="ON")
    page = reader.open("store/locked?key=kept").text
    assert "purpose" in page and "team: blue" in re.sub("<[^>]*>", "", page) and "legal hold" in page and "application/x-kept" in page
    page = reader.open("store/locked?view=details").text
    assert "application/x-kept" in page and "legal hold" in page
    reader.open("store/locked?key=kept")
    reader.press("Save the tags", tag=["team", "stage", ""], value=["red", "beta", ""])
    tags = root.get_object_tagging(Bucket="locked", Key="kept")["TagSet"]
    assert {tag["Key"]: tag["Value"] for tag in tags} == {"team": "red", "stage": "beta"}


def test_a_refusal_has_its_trace_and_works_as_root(cloud, root, reader):
    page = reader.open(place(BUCKET, prefix="", **{"as": ROLE})).text
    assert "AccessDenied" in page and "does not apply" in page and "s3:ListBucket" in page and "In the journal" in page
    reader.link("Try as root")
    assert "AccessDenied" not in reader.page.text and "110169484474386276334" in reader.page.text
    reader.open(place(BUCKET, prefix="elsewhere/", **{"as": ROLE}))
    upload(reader, "note.txt", b"refused")
    assert "AccessDenied" in reader.page.text and "s3:PutObject" in reader.page.text and "does not apply" in reader.page.text
    assert journal(cloud, operation="PutObject")[0]["status"] == 403
    root.put_object(Bucket=BUCKET, Key="elsewhere/doomed", Body=b"x")
    reader.open(place(BUCKET, key="elsewhere/doomed", **{"as": DEVELOPER}))
    assert reader.page.text.count("AccessDenied") == 0
    iam = client(cloud, "iam")
    iam.put_user_policy(UserName="developer", PolicyName="no-deletion", PolicyDocument=json.dumps({
        "Version": "2012-10-17", "Statement": [{"Sid": "Keep", "Effect": "Deny", "Action": "s3:DeleteObject", "Resource": "*"}]}))
    reader.press("Delete")
    assert "AccessDenied" in reader.page.text and "Keep" in reader.page.text
    reader.press("Try as root")
    assert "Deleted." in reader.page.text
    assert root.list_objects_v2(Bucket=BUCKET, Prefix="elsewhere/")["KeyCount"] == 0


def test_a_live_session_and_anonymous_callers_act(cloud, root, reader):
    token = cloud.token("google", "alice")
    keys = client(cloud, "sts").assume_role_with_web_identity(RoleArn=ROLE, RoleSessionName="from-test", WebIdentityToken=token)["Credentials"]
    reader.open("store")
    assert "personal-files-google/from-test" in reader.page.text
    page = reader.open(place(BUCKET, prefix="110169484474386276334/", **{"as": keys["AccessKeyId"]})).text
    assert "hello.txt" in page and "AccessDenied" not in page
    assert "AccessDenied" in reader.open(place(BUCKET, prefix="100001234567891/", **{"as": keys["AccessKeyId"]})).text
    assert "AccessDenied" in reader.open(place(BUCKET, key=ALICE, **{"as": "anonymous"})).text
    assert "AccessDenied" in reader.open(place(PHOTOS, **{"as": "anonymous"})).text
    assert PHOTOS in reader.open(f"store?as={quote(OSS_DEVELOPER)}").text
    assert reader.open("store?as=arn:aws:iam::000000000000:user/nobody").status_code == 400


def test_who_may_read_follows_a_bucket_policy(cloud, root, reader):
    page = html.fromstring(reader.open(place(BUCKET, key=ALICE, who="1")).text)
    readers = {row.xpath("th")[0].text_content(): row.xpath("td")[1].text_content() for row in page.xpath("//section[@aria-labelledby='readers']//tbody/tr")}
    assert "allowed" in readers["developer"] and "denied" in readers["anonymous"] and "allowed" in readers["virga"]
    root.delete_public_access_block(Bucket=BUCKET)
    reader.open(place(BUCKET, view="settings"))
    policy = {"Version": "2012-10-17", "Statement": [
        {"Sid": "Open", "Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"}]}
    reader.press("Save the bucket policy", text=json.dumps(policy))
    assert "Saved." in reader.page.text and json.loads(root.get_bucket_policy(Bucket=BUCKET)["Policy"]) == policy
    assert "✓" in reader.open(place(BUCKET, key=ALICE, who="1")).text.split("anonymous</bdi></th>")[1][:200]
    assert "Hello Alice" in reader.open(place(BUCKET, key=ALICE, **{"as": "anonymous"})).text


def test_settings_are_saved_refused_and_deleted(cloud, root, reader):
    settings = place(BUCKET, view="settings")
    reader.open(settings)
    reader.press("Save the bucket policy", text='{"Version": "2012-10-17", "Statement": [{"Effect": "Perhaps"}]}')
    assert "MalformedPolicy" in reader.page.text and "Perhaps" in reader.page.text, "the text stays"
    reader.open(settings)
    reader.press("Save the CORS rules")
    assert root.get_bucket_cors(Bucket=BUCKET)["CORSRules"][0]["AllowedOrigins"] == ["http://localhost:3000"]
    reader.press("Save the lifecycle rules")
    assert root.get_bucket_lifecycle_configuration(Bucket=BUCKET)["Rules"][0]["ID"] == "expire-temporary-files"
    reader.press("Delete the CORS rules")
    assert "Deleted." in reader.page.text
    reader.press("Turn on versioning")
    assert root.get_bucket_versioning(Bucket=BUCKET)["Status"] == "Enabled"
    reader.press("Delete the bucket")
    assert "BucketNotEmpty" in reader.page.text
    reader.open(place(PHOTOS, view="settings"))
    for document in ["bucket policy", "CORS rules", "lifecycle rules"]:
        reader.press(f"Save the {document}")
        assert "Saved." in reader.page.text, document
    reader.press("Delete the bucket")
    assert "Deleted." in reader.page.text


@pytest.mark.parametrize("bucket", [BUCKET, PHOTOS])
def test_odd_keys_work_in_links_and_forms(cloud, root, reader, bucket):
    is_s3 = bucket == BUCKET
    keys = ODD_KEYS if is_s3 else [key for key in ODD_KEYS if key[0] not in "/\\" and not any(character < " " for character in key) and key != ".."]
    for key in keys:
        put = cloud.control("POST", "send", {
            "as": "arn:aws:iam::000000000000:root" if is_s3 else "acs:ram::1234567890123456:root",
            "method": "PUT", "target": f"/{bucket}/{quote(key, safe='/')}", "body": f"content of {key!r}"})
        assert put["response"]["status"] == 200, (key, put["response"])
        # The way to the object by the links of the listings.
        reader.open(f"store/{bucket}")
        prefix = ""
        while True:
            links = [(url, parse_qs(urlsplit(url).query, keep_blank_values=True)) for url, _ in reader.page.links]
            [found] = {url for url, query in links if query.get("key") == [key]} or {None}
            if found:
                break
            prefix = key[:key.index("/", len(prefix)) + 1]
            [folder] = {url for url, query in links if query.get("prefix") == [prefix] and "view" not in query}
            reader.page = type(reader.page)(reader.session.get(urljoin(cloud.url, folder)))
        reader.page = type(reader.page)(reader.session.get(urljoin(cloud.url, found)))
        content = f"content of {key!r}"
        download = [url for url, label in reader.page.links if label == "Download"][0]
        assert reader.session.get(urljoin(cloud.url, download)).text == content, key
        reader.press("Presign")
        # Clients remove dot segments from URLs.
        if not {".", ".."} & set(key.split("/")):
            assert requests.get(block(reader.page, "presigned-url")).text == content, key
        reader.press("Save the tags", tag=["seen"], value=["yes"])
        assert "Saved." in reader.page.text, key
        reader.press("Delete")
        assert "Deleted." in reader.page.text, key
        assert requests.get(f"{cloud.url}{CONSOLE}{place(bucket, key=key)}").status_code == 404, key


def test_odd_names_are_uploaded(cloud, root, reader):
    for key in ["a b", "50% & more?", "ü/日本", "+plus+", "#x"]:
        reader.open(place(BUCKET, prefix="up//load %41/"))
        upload(reader, "file.bin", key.encode(), fields={"name": key})
        assert root.get_object(Bucket=BUCKET, Key=f"up//load %41/{key}")["Body"].read() == key.encode()


def test_long_objects_stream_in_both_directions(cloud, root, reader):
    def peak():
        return int(re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{cloud.process.pid}/status").read())[1])

    piece = bytes(range(256)) * 4096
    size = 96
    reader.open(f"store/{BUCKET}")
    upload(reader, "warm", piece)
    before = peak()
    reader.open(f"store/{BUCKET}")
    upload(reader, "long", piece * size, "application/octet-stream")
    assert "✓ Uploaded" in reader.page.text, reader.page.text
    assert root.head_object(Bucket=BUCKET, Key="long")["ContentLength"] == size << 20
    reader.open(place(BUCKET, key="long"))
    digest = hashlib.sha256()
    download = [url for url, label in reader.page.links if label == "Download"][0]
    for part in reader.session.get(urljoin(cloud.url, download), stream=True).iter_content(1 << 20):
        digest.update(part)
    assert digest.digest() == hashlib.sha256(piece * size).digest()
    assert peak() - before < 64 << 10, "one part is in memory, not the object"
    reader.open(f"store/{PHOTOS}")
    upload(reader, "long", piece * 20)
    assert "✓ Uploaded" in reader.page.text, reader.page.text


def test_a_refused_long_upload_leaves_nothing(cloud, root, reader):
    reader.open(place(BUCKET, prefix="mine/", **{"as": ROLE}))
    upload(reader, "long", bytes(20 << 20))
    assert "AccessDenied" in reader.page.text
    assert "Uploads" not in root.list_multipart_uploads(Bucket=BUCKET)


def test_uploads_need_the_token_of_a_page(cloud, root):
    url = f"{cloud.url}{CONSOLE}store/{BUCKET}/upload"
    for data in [{}, {"form": "guess"}]:
        answer = requests.post(url, data=data, files={"file": ("evil", b"x")})
        assert answer.status_code == 403 and "form_refused" in answer.text
    for body in [b"", b"--x\r\n", b"no form"]:
        answer = requests.post(url, data=body, headers={"Content-Type": "multipart/form-data; boundary=x"})
        assert answer.status_code == 400
    answer = requests.post(f"{cloud.url}{CONSOLE}reset", data={}, files={"file": ("evil", b"x")})
    assert answer.status_code == 403
    assert "evil" not in str(root.list_objects_v2(Bucket=BUCKET))


# The content of an object in a tab of its own.

@pytest.fixture(scope="module")
def hostile():
    """A cloud with the payloads in keys, prefixes, content types, metadata, tags and policies."""
    with Cloud.ephemeral() as cloud:
        s3 = client(cloud, "s3", config=Config(s3={"addressing_style": "path"}))
        s3.create_bucket(Bucket="box")
        s3.put_bucket_versioning(Bucket="box", VersioningConfiguration={"Status": "Enabled"})
        for payload in [payload for payload in PAYLOADS if len(payload) < 500]:
            ascii_only = payload.encode("ascii", "replace").decode()
            s3.put_object(Bucket="box", Key=payload, Body=payload.encode(), ContentType=ascii_only, Metadata={"hostile": ascii_only})
            s3.put_object(Bucket="box", Key=f"folder/{payload}/inner", Body=payload.encode(), ContentType="text/plain")
            cloud.control("POST", "send", {
                "as": "arn:aws:iam::000000000000:root", "method": "PUT", "target": f"/box/{quote(payload)}?tagging",
                "body": f"<Tagging><TagSet><Tag><Key>{escaped(payload[:100])}</Key><Value>{escaped(payload[:200])}</Value></Tag></TagSet></Tagging>"})
        client(cloud, "iam").put_user_policy(UserName="developer", PolicyName="hostile", PolicyDocument=json.dumps({
            "Version": "2012-10-17", "Statement": [{
                "Effect": "Deny", "Action": "s3:ListBucket", "Resource": "*", "Condition": {"StringLike": {"s3:prefix": PAYLOADS[:12]}}}]}))
        s3.put_bucket_policy(Bucket="box", Policy=json.dumps({"Version": "2012-10-17", "Statement": [
            {"Sid": payload, "Effect": "Deny", "Principal": "*", "Action": "s3:PutBucketCORS", "Resource": "arn:aws:s3:::box",
             "Condition": {"StringEquals": {"aws:PrincipalTag/x": payload}}} for payload in PAYLOADS[:8]]}))
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def escaped(payload):
    return payload.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def test_hostile_texts_stay_text(hostile, browser):
    pages = ["store/box", "store/box?view=versions", "store/box?view=details", "store/box?view=settings", "store/box?prefix=folder/",
             f"store/box?as={quote(DEVELOPER)}"]
    for payload in [payload for payload in PAYLOADS if len(payload) < 500]:
        pages += [place("box", key=payload), place("box", prefix=f"folder/{payload}/"), place("box", prefix=payload, **{"as": DEVELOPER})]
    for path in pages:
        open_page(browser, hostile, path)
        expect_harmless(browser, path)
    for payload in PAYLOADS:
        for path in [place(payload), place("box", key=payload, version=payload), f"store?{urlencode({'as': payload})}", f"store?{urlencode({'from': payload})}",
                     place("box", view=payload, token=payload), place("box", view="versions", token=payload)]:
            answer = requests.get(f"{hostile.url}{CONSOLE}{path}", allow_redirects=False)
            assert answer.status_code in (200, 303, 400, 404, 501), (path, answer.status_code, answer.text[-2000:])
            assert "<script>window" not in answer.text and "<img" not in answer.text and "<svg onload" not in answer.text


def test_the_control_api_is_no_bucket(cloud, reader):
    before = cloud.control("GET", "info")["generation"]
    for key in ["seed", "info", "metrics"]:
        answer = reader.open(f"store/preview?bucket=_virga&key={key}&as=anonymous")
        assert answer.status_code in (400, 403, 404) and "virga_" not in answer.text and '"accounts"' not in answer.text
    assert cloud.control("GET", "info")["generation"] == before


@pytest.mark.parametrize("path", ["//evil.example", "http://evil.example/", "javascript:alert(1)", "/_virga/ui/store\\@evil", "/_virga/ui/../x", "%0d%0aA:b"])
def test_the_choice_of_an_identity_leads_nowhere_else(cloud, path):
    answer = requests.get(f"{cloud.url}{CONSOLE}store", params={"from": path, "as": "x"}, allow_redirects=False)
    assert answer.status_code == 404 and "Location" not in answer.headers or answer.headers["Location"].startswith("/_virga/ui/store")


# The pages.

def prepared(cloud, browser):
    s3 = client(cloud, "s3")
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    for content in [b"one", b"two"]:
        s3.put_object(Bucket=BUCKET, Key="notes/a.txt", Body=content, ContentType="text/plain", Metadata={"purpose": "test"}, Tagging="team=blue&stage=beta")
    s3.delete_object(Bucket=BUCKET, Key="notes/gone.txt")
    open_page(browser, cloud, "store")
    yield "store"
    open_page(browser, cloud, place(BUCKET))
    yield "store-bucket"
    open_page(browser, cloud, place(BUCKET, prefix="notes/", view="details"))
    yield "store-details"
    open_page(browser, cloud, place(BUCKET, prefix="notes/", view="versions"))
    yield "store-versions"
    open_page(browser, cloud, place(BUCKET, key="notes/a.txt", who="1"))
    press(browser, "Presign")
    yield "store-object"
    open_page(browser, cloud, place(BUCKET, **{"as": ROLE}))
    yield "store-refused"
    open_page(browser, cloud, place(BUCKET, view="settings"))
    yield "store-settings"
    open_page(browser, cloud, place(PHOTOS))
    yield "store-empty"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(cloud, scheme):
    check_pages(cloud, prepared, scheme)


def test_the_choice_of_an_identity_applies_at_once(cloud, browser):
    open_page(browser, cloud, place(BUCKET, prefix="110169484474386276334/"))
    follow(browser, browser.find_element(By.CSS_SELECTOR, f"#as option[value='{DEVELOPER}']").click)
    assert "as=" in browser.current_url and "prefix=110169484474386276334" in browser.current_url
    assert "hello.txt" in text(browser)
    open_link(browser, "hello.txt")
    assert "Hello Alice" in text(browser) and journal(cloud, operation="HeadObject")[0]["caller"] == DEVELOPER
    assert own_violations(browser) == []


def test_the_keyboard_uploads_an_object(cloud, root, browser, tmp_path):
    file = tmp_path / "typed.txt"
    file.write_text("from the keyboard")
    open_page(browser, cloud, place(BUCKET, prefix="typed/"))
    browser.find_element(By.NAME, "file").send_keys(str(file))
    browser.find_element(By.ID, "upload-name").send_keys("by-keyboard.txt")
    seen = []
    for _ in range(6):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        seen.append(browser.switch_to.active_element.text)
        if seen[-1] == "Upload":
            break
    assert seen[-1] == "Upload", seen
    follow(browser, lambda: browser.switch_to.active_element.send_keys(Keys.ENTER))
    assert "✓ Uploaded" in text(browser) and "by-keyboard.txt" in text(browser)
    assert root.get_object(Bucket=BUCKET, Key="typed/by-keyboard.txt")["Body"].read() == b"from the keyboard"
    assert own_violations(browser) == []


def test_reading_the_store_changes_nothing(cloud):
    before = cloud.control("GET", "seed")
    for path in ["store", place(BUCKET), place(BUCKET, key=ALICE, who="1"), place(BUCKET, view="settings"), f"store/preview?bucket={BUCKET}&key={quote(ALICE)}"]:
        assert requests.get(f"{cloud.url}{CONSOLE}{path}").status_code == 200
    assert cloud.control("GET", "seed") == before


def test_the_store_is_served_at_the_port_of_the_console():
    with Cloud("--port", 0, "--ephemeral", "--console-port", 0) as cloud:
        [line] = [line for line in cloud.logged().splitlines() if "console" in line and "http" in line][:1]
        url = re.search(r"http://\S+", line)[0].split("/_virga")[0]
        answer = requests.get(f"{url}{CONSOLE}store/{BUCKET}?key={quote(ALICE)}")
        assert answer.status_code == 200 and f"{cloud.url}/{BUCKET}" in answer.text
        assert unquote(requests.get(f"{url}{CONSOLE}store/preview?bucket={BUCKET}&key={quote(ALICE)}").text) == "Hello Alice, you came with Google.\n"
