"""The token debugger of the web console: what a pasted text is, whether this cloud accepts it, and why not."""

import base64
import gzip
import json
from urllib.parse import quote, urlsplit

import boto3
import oss2
import pytest
import requests
from botocore.config import Config
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import assume
from cloud import BUCKET
from console import Reader, axe_violations, console_browser, follow, open_page, own_violations, press, requested, text
from console_checks import PAYLOADS, check_pages, expect_harmless
from sandboxes import Sandbox

# The faults of `POST /_virga/tokens`: who is logged in, what is made, and the check that must fail. STS takes the last of two claims.
FAULTS = {
    "revoked": ("facebook/alice", "", "issued"), "expired": ("company/alice", "", "times"),
    "notYetValid": ("company/alice", "", "times"), "issuedInTheFuture": ("company/alice", "", "times"),
    "wrongAudience": ("company/alice", "", "audience"), "wrongIssuer": ("company/alice", "", "issuer"),
    "wrongNonce": ("company/alice", "", "nonce"), "wrongAccessTokenHash": ("company/alice", "", "access token"),
    "unknownKeyID": ("company/alice", "", "signature"), "missingKeyID": ("company/alice", "", "signature"),
    "algNone": ("company/alice", "", "format"), "hs256WithPublicKey": ("company/alice", "", "format"),
    "flippedSignatureBit": ("company/alice", "", "signature"), "emptySignature": ("company/alice", "", "signature"),
    "otherKey": ("company/alice", "", "signature"), "embeddedKey": ("company/alice", "", "signature"),
    "keySetURL": ("company/alice", "", "signature"), "embeddedCertificate": ("company/alice", "", "signature"),
    "certificateURL": ("company/alice", "", "signature"), "criticalExtension": ("company/alice", "", "format"),
    "duplicateClaims": ("company/alice", "", None), "nestedToken": ("company/alice", "", "format"),
    "hugeClaims": ("company/alice", "", "size")}


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


def typed(browser, pasted):
    """The parts of the preview of a text, without pressing a button."""
    browser.execute_script(
        """const area = document.getElementById('text')
        area.value = arguments[0]
        area.dispatchEvent(new Event('input', {bubbles: true}))""", pasted)
    view = browser.find_element(By.ID, "preview")
    return view.text if view.is_displayed() else None


def test_a_token_is_decoded_while_it_is_typed_and_nothing_is_sent(cloud, browser):
    token = cloud.control("POST", "tokens", {"provider": "company", "user": "alice"})["token"]
    open_page(browser, cloud, "tokens")
    requested(browser)
    assert typed(browser, "") is None and typed(browser, "one.two.three") is None and typed(browser, "{}") is None
    shown = typed(browser, f" {token}\n")
    assert '"iss"' in shown and '"alg"' in shown and "exp" in shown and "not verified here" in shown
    assert [part.text for part in browser.find_elements(By.CSS_SELECTOR, "#preview .jwt span")] == token.split(".")
    colors = {part.value_of_css_property("color") for part in browser.find_elements(By.CSS_SELECTOR, "#preview .jwt span")}
    assert len(colors) == 3
    assert axe_violations(browser) == []
    assert "not JSON in base64url" in typed(browser, token.split(".")[0] + ".x.y")
    assert "The signature is empty." in typed(browser, token.rsplit(".", 1)[0] + ".")
    assert typed(browser, token[:10]) is None
    assert [url for url in requested(browser) if "/assets/" not in url] == [] and own_violations(browser) == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_claims_stay_text_while_they_are_typed(cloud, browser, payload):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    open_page(browser, cloud, "tokens")
    claims = {payload: payload, "exp": 1e300, "iat": payload, "__proto__": {"x": 1}, "nbf": -5}
    assert '"exp"' in typed(browser, f"{part({'alg': payload})}.{part(claims)}.x")
    expect_harmless(browser, payload)


@pytest.fixture
def reader(cloud):
    return Reader(cloud)


def paste(reader, pasted, **expected):
    reader.open("tokens")
    reader.press("Inspect", text=pasted, **expected)
    return html.fromstring(reader.page.text)


def wrong(document):
    """The names of the checks that failed."""
    return {row.xpath("string(th)") for row in document.xpath("//table[contains(@class,'checks')]//tr[td]") if "wrong" in row.xpath("string(td)")}


def heading(document):
    return document.xpath("string(//h1)")


def test_the_faults_are_those_of_the_control_api(cloud):
    schema = json.dumps(requests.get(f"{cloud.url}/_virga/openapi.json").json())
    assert len(FAULTS) == 23 and all(f'"{fault}"' in schema for fault in FAULTS)


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_token_is_named(cloud, reader, fault):
    who, kind, check = FAULTS[fault]
    reader.open("tokens")
    reader.press("Make it", who=who, kind=kind, fault=f"token:{fault}")
    assert reader.status == 200, reader.page.text
    document = html.fromstring(reader.page.text)
    assert ("Not valid: " in document.xpath("string(//p[@id='verdict'])")) == (check is not None)
    assert f"Made wrong on purpose: {fault}." in document.xpath("string(//div[@id='fault'])")
    if check is None:
        assert wrong(document) == set() and "a claim is there twice" in document.text_content()
        return
    assert check in wrong(document), document.text_content()
    # The same token says the same when it is pasted, except for what only the application can compare.
    if check not in ("nonce", "access token"):
        token = document.xpath("string(//pre[@id='raw'])")
        if "more characters" not in token:
            assert check in wrong(paste(reader, token))


def test_a_token_is_pasted_broken_and_exchanged(cloud, browser):
    open_page(browser, cloud, "tokens")
    token = cloud.token("google", "alice")
    browser.find_element(By.ID, "text").send_keys(token)
    press(browser, "Inspect")
    page = text(browser)
    assert "A JSON Web Token: an ID token" in page and "A valid token of google for 110169484474386276334." in page
    assert "1 role accepts it" in page and "personal-files-google" in page
    assert token not in browser.current_url and "None in the decoded parts" in page
    press(browser, "Exchange it")
    assert "Credentials with the access key ASIA" in text(browser)
    browser.find_element(By.CSS_SELECTOR, "#break option[value=flippedSignatureBit]").click()
    press(browser, "Break it")
    page = text(browser)
    assert "the signature does not verify with key" in page and "Made wrong on purpose: flippedSignatureBit." in page and "No role accepts it" in page
    press(browser, "Exchange it")
    assert "InvalidIdentityToken" in text(browser)
    assert own_violations(browser) == []


def test_a_pasted_text_is_in_no_url_and_not_in_the_journal(cloud, reader):
    token = cloud.token("company", "alice")
    cloud.control("PUT", "journal/capture", {"body": 65536, "for": "PT30M"})
    document = paste(reader, token)
    assert heading(document) == "A JSON Web Token: an ID token" and token not in reader.page.url
    journal = requests.get(f"{cloud.url}/_virga/journal", params={"limit": 1000}).text
    assert token not in journal and token.split(".")[1] not in journal
    cloud.control("DELETE", "journal/capture")
    assert token not in cloud.logged()
    reader.press("Forget this text")
    assert urlsplit(reader.page.url).path.endswith("/tokens")


def test_a_reset_forgets_what_was_pasted(process_cloud):
    reader = Reader(process_cloud)
    paste(reader, "something")
    url = reader.page.url
    process_cloud.reset()
    assert requests.get(url).status_code == 404


@pytest.fixture
def process_cloud(cloud):
    yield cloud
    cloud.reset()


def test_times_are_those_of_the_sandbox(process_cloud, reader):
    reader = Reader(process_cloud)
    token = process_cloud.token("company", "alice")
    assert wrong(paste(reader, token)) == set()
    process_cloud.age("PT2H")
    assert wrong(paste(reader, token)) == {"times"}


def test_expected_values_are_compared(cloud, reader):
    token = cloud.token("company", "alice", nonce="n-1")
    assert wrong(paste(reader, token, nonce="n-1")) == set()
    assert wrong(paste(reader, token, nonce="n-2", audience="other")) == {"nonce", "audience"}
    reader.press("Check again", nonce="n-1", audience="")
    assert wrong(html.fromstring(reader.page.text)) == set()


def saml_response(cloud):
    return cloud.control("POST", "tokens", {"provider": "company", "user": "alice", "serviceProvider": "urn:amazon:webservices"})["SAMLResponse"]


def test_a_saml_response_is_read_in_every_encoding_and_encoded_for_the_mobile_cloud(cloud, reader):
    response = saml_response(cloud)
    xml = base64.b64decode(response)
    for pasted in [response, xml.decode(), f"SAMLResponse={quote(response, safe='')}&RelayState=x", base64.b64encode(gzip.compress(xml)).decode()]:
        document = paste(reader, pasted)
        assert heading(document) == "A SAML response" and wrong(document) == set(), document.text_content()
    encoded = document.xpath("string(//pre[@id='mobile-assertion'])")
    assertion = gzip.decompress(base64.b64decode(encoded)).decode()
    assert assertion in xml.decode() and assertion.startswith("<") and assertion.endswith("Assertion>")
    again = paste(reader, encoded)
    assert heading(again) == "A SAML assertion" and wrong(again) == set()
    changed = paste(reader, xml.decode().replace("alice@", "malice@"))
    assert "signature" in wrong(changed)


def test_a_saml_response_is_exchanged(cloud, reader):
    paste(reader, saml_response(cloud))
    if "Exchange it" in reader.page.text:
        reader.press("Exchange it")
        assert "AssumeRoleWithSAML" in reader.page.text


@pytest.mark.parametrize("style", ["path", "virtual"])
@pytest.mark.parametrize("signature", ["s3v4", "s3"])
def test_a_presigned_url_is_recognized(cloud, reader, signature, style):
    s3 = boto3.client(
        "s3", endpoint_url=f"http://localhost:{cloud.port}", region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test",
        config=Config(signature_version=signature, s3={"addressing_style": style}))
    for operation, method in [("get_object", "GET"), ("put_object", "PUT")]:
        url = s3.generate_presigned_url(operation, Params={"Bucket": BUCKET, "Key": "a folder/ä.txt"}, ExpiresIn=600)
        assert (f"//{BUCKET}.localhost" in url) == (style == "virtual"), url
        document = paste(reader, url)
        assert heading(document) == "A presigned URL" and wrong(document) == set(), document.text_content()
        assert f"the signature is for {method}" in document.text_content()
    assert "signature" in wrong(paste(reader, url.replace("folder", "f0lder")))


@pytest.mark.parametrize("version", ["v1", "v4"])
@pytest.mark.parametrize("host", ["http://{bucket}.oss-cn-hangzhou.aliyuncs.com", "http://localhost:4566"])
def test_a_presigned_url_of_oss_is_recognized(cloud, reader, version, host):
    bucket = "photos"
    endpoint = host.replace("{bucket}.", "")
    keys = oss2.ProviderAuth(oss2.credentials.StaticCredentialsProvider("LTAITEST", "test-secret")) if version == "v1" else oss2.ProviderAuthV4(
        oss2.credentials.StaticCredentialsProvider("LTAITEST", "test-secret"))
    with Sandbox.seeded(cloud, json.dumps({"alibaba": {"accounts": [{
            "id": "1000000000000000", "rootKeys": [{"id": "LTAITEST", "secret": "test-secret"}],
            "buckets": [{"name": bucket, "region": "cn-hangzhou"}]}]}})) as sandbox:
        reader = Reader(sandbox)
        url = oss2.Bucket(keys, endpoint, bucket, region="cn-hangzhou", is_path_style="{" not in host).sign_url("GET", "a/ä.txt", 600, slash_safe=True)
        document = paste(reader, url)
        assert heading(document) == "A presigned URL" and wrong(document) == set(), document.text_content()
        assert "the signature is for GET" in document.text_content() and f"OSS, Version {version[1]}" in document.text_content()
        assert "signature" in wrong(paste(reader, url.replace("a/", "b/")))


def test_other_texts_are_recognized(cloud, reader):
    session = assume(cloud, "google", cloud.token("google", "alice"))["Credentials"]["SessionToken"]
    assert heading(paste(reader, session)) == "A session token of temporary credentials"
    assert heading(paste(reader, cloud.token("facebook", "alice"))) == "An access token"
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    assert heading(paste(reader, json.dumps(policy))) == "A policy document"
    form = base64.b64encode(json.dumps({"expiration": "2999-01-01T00:00:00Z", "conditions": []}).encode()).decode()
    assert heading(paste(reader, form)) == "The policy of an upload form"


@pytest.mark.parametrize("pasted, where", [
    ('{\n  "Version": "2012-10-17",\n  "Statement": [,]\n}', "line 3, column 17: this character is not allowed here"),
    ("eyJhbGciOiJSUzI1NiJ9.e30", "has 2 parts instead of 3"),
    ("eyJhbGciOiJSUzI1NiJ9.e3!0.AAAA", "the payload of the token is not base64url: character 3 is not allowed"),
    ("eyJhbGciOiJSUzI1NiJ9.e30x.AAAA", "the payload of the token is not JSON"),
    ("<Response>\n<a></b></Response>", "line 2"), ("https://example.com/", "the URL has no complete signature"),
    ("nothing that is known", "This is not a token, SAML response, presigned URL or policy")])
def test_what_does_not_parse_says_where_and_why(cloud, reader, pasted, where):
    document = paste(reader, pasted)
    assert where in document.text_content(), document.text_content()
    assert reader.status == 200 and wrong(document) == {"format"}
    [area] = document.xpath("//textarea[@id='text']")
    assert area.text_content().strip() == pasted
    reader.press("Inspect", text=reader.cloud.token("company", "alice"))
    assert "A valid token of company" in reader.page.text


@pytest.mark.parametrize("wrapping", ["Bearer {}", "Authorization: Bearer {}", '"{}"', "'{}'"])
def test_a_token_is_recognized_as_it_stands_in_a_request(cloud, reader, wrapping):
    document = paste(reader, wrapping.format(cloud.token("company", "alice")))
    assert wrong(document) == set() and "A valid token of company" in document.text_content()


def test_a_token_that_is_cut_off_says_so(cloud, reader):
    document = paste(reader, cloud.token("google", "alice")[:-1])
    assert wrong(document) == {"format"}
    said = document.text_content()
    assert "a part of the token is not valid base64url: the token may be cut off." in said and "The signature is different." in said


def test_the_holder_of_a_session_of_the_root_user_is_that_user(cloud, reader):
    reader.open("tokens")
    form = [form for form in reader.page.forms if form["action"].endswith("/tokens/sample")][0]
    response = reader.session.post(form["action"], data=form["fields"] | {"sample": "presigned"}, headers={"Origin": cloud.url})
    assert "<dt><bdi>ARN</bdi></dt><dd><bdi>arn:aws:iam::000000000000:root</bdi></dd>" in response.text


def test_each_sample_is_inspected(cloud, reader):
    reader.open("tokens")
    samples = html.fromstring(reader.page.text).xpath("//button[@name='sample']")
    assert len(samples) == 9
    for button in samples:
        reader.open("tokens")
        form = [form for form in reader.page.forms if form["action"].endswith("/tokens/sample")][0]
        response = reader.session.post(form["action"], data=form["fields"] | {"sample": button.get("value")}, headers={"Origin": cloud.url})
        assert response.status_code == 200 and "Not recognized" not in response.text, button.text
        document = html.fromstring(response.text)
        assert bool(wrong(document)) == (button.get("value") in ("expired", "forged")), (button.text, wrong(document))


def test_a_form_with_a_mistake_is_shown_again(cloud, reader):
    reader.open("tokens")
    reader.press("Make it", who="company/alice", claims='{"a":\n}', kind="id_token")
    assert reader.status == 400 and "line 2, column 1" in reader.page.text and "{&quot;a&quot;:" in reader.page.text
    reader.press("Make it", who="company/alice", claims="", kind="id_token", fault="saml:sha1")
    assert reader.status == 400 and "for SAML responses only" in reader.page.text
    reader.open("tokens")
    reader.press("Inspect", text="  \n")
    assert reader.status == 400 and "Paste a token" in reader.page.text


def test_the_keyboard_is_enough(cloud, browser):
    open_page(browser, cloud, "tokens")
    area = browser.find_element(By.ID, "text")
    area.send_keys(cloud.token("company", "alice"))
    area.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Inspect"
    follow(browser, lambda: browser.switch_to.active_element.send_keys(Keys.ENTER))
    assert "A valid token of company" in text(browser)


def prepared(cloud, browser):
    open_page(browser, cloud, "tokens")
    yield "tokens"
    press(browser, "An ID token")
    yield "token-good"
    browser.find_element(By.CSS_SELECTOR, "#break option[value=embeddedKey]").click()
    press(browser, "Break it")
    press(browser, "Exchange it")
    yield "token-bad"
    open_page(browser, cloud, "tokens")
    press(browser, "A SAML response")
    yield "token-saml"
    open_page(browser, cloud, "tokens")
    press(browser, "A presigned URL")
    yield "token-url"
    open_page(browser, cloud, "tokens")
    browser.find_element(By.ID, "text").send_keys('{"Statement": [,]}')
    press(browser, "Inspect")
    yield "token-unknown"
    browser.get(browser.current_url + "x")
    yield "token-gone"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(cloud, scheme):
    check_pages(cloud, prepared, scheme)


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_hostile_texts_stay_text(cloud, browser, reader):
    for number, payload in enumerate(PAYLOADS):
        hostile = {"iss": payload, "sub": payload, "aud": payload, "exp": 1, payload: payload, "nonce": payload}
        token = f"{encoded({'alg': payload, 'kid': payload, 'jku': payload})}.{encoded(hostile)}.{encoded(payload)}"
        xml = payload.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        assertion = f'<a:Assertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="{xml}"><a:Issuer>{xml}</a:Issuer></a:Assertion>'
        url = f"{cloud.url}/{quote(payload)}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={quote(payload)}&X-Amz-Signature={quote(payload)}"
        policy = json.dumps({"Statement": [{"Sid": payload, "Effect": payload}]})
        for pasted in [payload, token, assertion, url, policy]:
            paste(reader, pasted, audience=payload, nonce=payload)
            assert reader.status == 200 and "<script>window" not in reader.page.text and "<img" not in reader.page.text, payload
            if number % 7 == 0:
                browser.get(reader.page.url)
                expect_harmless(browser, payload)
