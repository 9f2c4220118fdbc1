"""Apache's SAML module as a service provider, on Lasso's stack: sign-on by each binding, and single logout from both ends."""

import json
import re
import subprocess
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
import requests

import company
from apache import Apache, Visitor, readable_folder
from cloud import TIMEOUT_SECONDS, free_port
from login_page import Page
from programs import installed

# The module's cookies contain their domain, which clients refuse for names without a dot.
HOST = "127.0.0.1"

# Two applications of one site. Each is a service provider with its own cookies.
CONFIGURATION = """
<Location /{name}>
    MellonEnable info
    MellonEndpointPath /{name}/mellon
    MellonVariable mellon-{name}
    MellonSecureCookie Off
    MellonSPentityId {entity}
    {metadata}
    MellonSPPrivateKeyFile {{folder}}/{name}.key
    MellonSPCertFile {{folder}}/{name}.cert
    MellonIdPMetadataFile {{folder}}/idp.xml
    MellonIdP IDP
    MellonSetEnv mail urn:oid:0.9.2342.19200300.100.1.3
    MellonMergeEnvVars On ";"
    {further}
</Location>
<Location /{name}/page>
    AuthType Mellon
    MellonEnable auth
    Require valid-user
</Location>
"""

POST = 'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"'
REDIRECT = 'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"'


@pytest.fixture(scope="module")
def process(environment_of_the_tests, tmp_path_factory):
    with company.company(tmp_path_factory.mktemp("company"), saml={}) as cloud:
        yield cloud


@pytest.fixture
def cloud(process):
    process.reset()
    return process


@pytest.fixture
def alice():
    return Visitor("alice", "alice-password")


class Site:
    """An Apache with its applications, each registered at the identity provider by the metadata that it publishes."""

    def __init__(self, apache, names):
        self.apache, self.names = apache, names

    def page(self, name="one"):
        return f"{self.apache.url}/{name}/page"

    def metadata(self, name="one"):
        """The metadata that the module publishes."""
        response = requests.get(f"{self.apache.url}/{name}/mellon/metadata")
        assert response.status_code == 200, response.text
        return response.text

    def logout(self, name="one"):
        leaving = urlencode({"ReturnTo": f"{self.apache.url}/bye.html"})
        return f"{self.apache.url}/{name}/mellon/logout?{leaving}"


@contextmanager
def site(cloud, *names, further="", without=None, by_script=False, **decisions):
    """`without` is a binding that is removed from the identity provider's metadata, so that the other one is used."""
    port = free_port()
    with readable_folder() as folder:
        metadata = company.identity_provider_metadata(cloud)
        if without:
            metadata = re.sub(rf"<((?:\w+:)?SingleSignOnService)\b[^>]*{without}[^>]*(/>|></\1>)", "", metadata)
            assert "SingleSignOnService" in metadata and not re.search(f"SingleSignOnService[^>]*{without}", metadata)
        (folder / "idp.xml").write_text(metadata)
        blocks = []
        for name in names:
            entity, base = f"urn:example:{name}", f"http://{HOST}:{port}/{name}/mellon"
            subprocess.run(
                [installed("mellon_create_metadata"), entity, base], cwd=folder, check=True, capture_output=True,
                timeout=TIMEOUT_SECONDS)
            for kind in ("key", "cert", "xml"):
                made = folder / f"urn_example_{name}.{kind}"
                made.chmod(0o644)
                made.rename(folder / f"{name}.{kind}")
            blocks.append(CONFIGURATION.format(
                name=name, entity=entity, further=further,
                metadata=f"MellonSPMetadataFile {{folder}}/{name}.xml" if by_script else ""))
        with Apache(folder, port, ["auth_mellon"], "\n".join(blocks), host=HOST) as apache:
            made = Site(apache, names)
            for name in names:
                document = (folder / f"{name}.xml").read_text() if by_script else made.metadata(name)
                company.register_service_provider(cloud, document, **decisions)
            yield made


def check_signed_in(cloud, environment):
    assert environment["REMOTE_USER"] == environment["MELLON_NAME_ID"]
    assert environment["MELLON_IDP"] == f"{company.issuer(cloud)}/saml/metadata"
    assert environment["MELLON_mail"] == "alice@company.example"


@pytest.mark.parametrize("by_script", [False, True], ids=["published metadata", "metadata of the script"])
def test_a_visitor_signs_in(cloud, alice, by_script):
    with site(cloud, "one", by_script=by_script) as made:
        check_signed_in(cloud, alice.environment(made.page()))
        # The session is the module's own.
        answer = alice.browser.get(made.page(), allow_redirects=False)
        assert answer.status_code == 200 and answer.json()["MELLON_mail"] == "alice@company.example"


def test_the_request_may_come_by_redirect(cloud, alice):
    with site(cloud, "one", without=POST) as made:
        answer = requests.get(made.page(), allow_redirects=True)
        assert answer.history and any("SAMLRequest=" in step.headers["Location"] for step in answer.history)
        check_signed_in(cloud, alice.environment(made.page()))


def test_the_request_may_come_by_post(cloud, alice):
    with site(cloud, "one", without=REDIRECT) as made:
        page = alice.open(made.page())
        assert isinstance(page, Page) and "SAMLRequest" in page.forms[0].fields
        check_signed_in(cloud, alice.environment(made.page()))


def test_a_signed_request_may_be_required(cloud, alice):
    with site(cloud, "one", requiresSignedRequests=True) as made:
        check_signed_in(cloud, alice.environment(made.page()))


@pytest.mark.parametrize("parts", [["assertion"], ["response"], ["assertion", "response"]], ids="+".join)
def test_either_part_of_the_answer_may_be_signed(cloud, alice, parts):
    with site(cloud, "one", signs=parts) as made:
        check_signed_in(cloud, alice.environment(made.page()))


@pytest.mark.parametrize("encrypts", [True, False], ids=["encrypted", "in the clear"])
def test_the_assertion_may_be_encrypted(cloud, alice, encrypts):
    with site(cloud, "one", encrypts=encrypts) as made:
        step = alice.visit(made.page(), until="SAMLResponse")
        response = company.decoded(alice.carried(step).fields["SAMLResponse"])
        assert ("EncryptedAssertion" in response) == encrypts and ("alice@company.example" in response) != encrypts
        step = alice.go_on(step)
        assert isinstance(step, Page) and "alice@company.example" in step.text


def test_one_login_opens_both_applications(cloud, alice):
    with site(cloud, "one", "two") as made:
        first = alice.environment(made.page("one"))
        step = alice.visit(made.page("two"), until="password")
        second = json.loads(step.text)
        check_signed_in(cloud, first)
        check_signed_in(cloud, second)


def test_a_visitor_who_is_not_signed_in_is_not_asked_when_passive(cloud, alice):
    """The response to `IsPassive` has the status NoPassive, which the module treats as a refusal."""
    with site(cloud, "one") as made:
        quietly = urlencode({"ReturnTo": made.page(), "IsPassive": "true"})
        step = alice.visit(f"{made.apache.url}/one/mellon/login?{quietly}")
        assert not (isinstance(step, Page) and step.is_login)
        assert "MELLON_NAME_ID" not in step.text
        assert "NoPassive" in made.apache.logged()


def has_session(visitor, made, name="one"):
    answer = visitor.browser.get(made.page(name), allow_redirects=False)
    return answer.status_code == 200 and answer.text.startswith("{")


def test_a_logout_at_the_application_ends_every_session(cloud, alice):
    """Single logout that a service provider starts: the identity provider notifies the other one."""
    with site(cloud, "one", "two") as made:
        alice.environment(made.page("one"))
        alice.environment(made.page("two"))
        step = alice.visit(made.logout("one"))
        assert step.url.startswith(f"{made.apache.url}/bye.html"), f"{step.url}\n{step.text}\n{made.apache.logged()}"
        assert not has_session(alice, made, "one") and not has_session(alice, made, "two")
        # The identity provider's own session has ended as well.
        assert alice.visit(made.page("one"), until="password").is_login


def test_a_logout_at_the_identity_provider_reaches_the_application(cloud, alice):
    """Single logout that the identity provider starts, at its own logout page."""
    with site(cloud, "one", "two") as made:
        alice.environment(made.page("one"))
        alice.environment(made.page("two"))
        step = alice.open(f"{company.issuer(cloud)}/saml/logout")
        while isinstance(step, Page) and step.forms:
            carried = alice.carried(step)
            step = alice.send(step, carried) if carried else alice.press(step, ("action", "logout"))
        assert isinstance(step, Page), f"{step.status} {step.text}"
        assert not has_session(alice, made, "one") and not has_session(alice, made, "two")


def test_somebody_elses_session_stays(cloud, alice):
    with site(cloud, "one") as made:
        bob = Visitor("bob", "bob-password")
        alice.environment(made.page())
        bob.environment(made.page())
        alice.visit(made.logout())
        assert not has_session(alice, made) and has_session(bob, made)


def test_an_answer_works_once(cloud, alice):
    """The module remembers the IDs of responses, so IDs must never be reused."""
    with site(cloud, "one") as made:
        step = alice.visit(made.page(), until="SAMLResponse")
        form = alice.carried(step)
        assert isinstance(alice.go_on(alice.send(step, form)), Page)
        again = requests.post(form.action, data=form.fields, allow_redirects=False)
        assert again.status_code == 400


def test_an_answer_that_has_grown_old_is_refused(cloud, alice):
    """The module checks `NotOnOrAfter` against its own clock, so the identity provider's is set back."""
    with site(cloud, "one") as made:
        cloud.control("POST", "clock", {"set": f"{datetime.now(UTC) - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"})
        step = alice.visit(made.page(), until="SAMLResponse")
        refused = alice.go_on(step)
        assert "MELLON_NAME_ID" not in refused.text
        cloud.control("POST", "clock", {"resume": True})


def test_the_new_certificate_is_taken_after_a_rollover(cloud, alice):
    """Both certificates are in the metadata while the keys overlap, and the module accepts either."""
    before = company.identity_provider_metadata(cloud)
    cloud.control("POST", "keys/rotate", {"provider": "company", "overlap": "PT1H"})
    after = company.identity_provider_metadata(cloud)
    certificates = [set(re.findall(r"X509Certificate>\s*([^<]+?)\s*<", text)) for text in (before, after)]
    assert len(certificates[0]) == 1 and len(certificates[1]) == 2 and certificates[0] < certificates[1]
    with site(cloud, "one") as made:
        check_signed_in(cloud, alice.environment(made.page()))
