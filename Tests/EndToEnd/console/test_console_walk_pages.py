"""The pages of every walk of the Playground: accessible, light, and never leaving their origin."""

from urllib.parse import quote

import pytest

from console import CONSOLE, console_browser, open_page
from console_checks import check_html, check_pages, expect_harmless
from walking import Walker, serving


@pytest.fixture(scope="module")
def everything():
    with serving("personal-file-store", "alibaba", "mobile-cloud", "vending-machine") as cloud:
        yield cloud


def prepared(cloud, browser):
    """Opens the choices of each path, and each walk with its last step and a broken one."""
    def opened(walker, *experiments):
        for name in experiments:
            walker.send(walker.form("break", experiment=name))
        browser.get(walker.page.url)

    for path in ["alibaba", "mobile", "vending"]:
        open_page(browser, cloud, f"playground?path={path}")
        yield f"playground-{path}"
    walker = Walker(cloud)
    walker.start("saml", provider="company", person="alice")
    walker.act("assume")
    walker.act("read")
    opened(walker, "forged", "other-prefix")
    yield "walk-saml"
    for method in ["app-server", "assume-role", "self-signed"]:
        walker.start("alibaba", account="1987654321098765", method=method, person="alice")
        if method == "assume-role":
            walker.act("assume")
        walker.send(walker.form("read", key="alice/hello.txt"))
        opened(walker, walker.experiments()[0])
        yield f"walk-alibaba-{method}"
    for method, backend in [("jwt", "LiftCare(1.0)"), ("sso", "LiftCare(1.0)"), ("oauth", "Screens(1.0)")]:
        # The list has no button for methods that are off, but a shared link opens them.
        walker.open(f"playground?path=mobile&backend={backend}&method={method}")
        walker.send(walker.form("start", backend=backend, method=method))
        if method == "jwt":
            walker.act("login")
            walker.act("profile")
            walker.act("call")
        opened(walker, *walker.experiments()[:2])
        yield f"walk-mobile-{method}"
    walker.start("vending", machine="identity")
    walker.act("login")
    walker.act("assume")
    walker.act("read")
    opened(walker, "password", "other-prefix")
    yield "walk-vending"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_walks_are_sound(everything, scheme):
    check_pages(everything, prepared, scheme)


@pytest.mark.parametrize("path", ["saml", "alibaba", "mobile", "vending", "nothing", "%3Cscript%3E"])
def test_the_choices_are_strict_html(everything, path):
    check_html(f"{everything.url}{CONSOLE}playground?path={path}")


@pytest.mark.parametrize("payload", ["<script>window.xss=1</script>", '"><img src=x onerror=window.xss=1>', "</textarea><svg onload=window.xss=1>"])
def test_the_settings_of_a_shared_link_stay_text(everything, payload):
    with console_browser() as browser:
        fields = "&".join(f"{name}={quote(payload)}" for name in ["provider", "person", "role", "session", "policy", "backend", "user"])
        open_page(browser, everything, f"playground?path=web-identity&{fields}")
        expect_harmless(browser, payload)


def test_most_experiments_are_folded_until_one_of_them_ran(everything):
    walker = Walker(everything)
    walker.start("saml", provider="company", person="alice")
    walker.act("assume")
    walker.act("read")
    names = walker.experiments()
    assert len(names) > 5 and f'<details class="fold"><summary>{len(names) - 5} more experiments</summary>' in walker.page.text
    walker.send(walker.form("break", experiment=names[0]))
    assert f'<details class="fold"><summary>{len(names) - 5} more experiments</summary>' in walker.page.text
    walker.send(walker.form("break", experiment=names[-1]))
    assert f'<details class="fold" open><summary>{len(names) - 5} more experiments</summary>' in walker.page.text
