"""README and the pages: every block runs, prints the expected output, and every link leads somewhere."""

import json
import re
import socket
import xml.etree.ElementTree as ElementTree

import pytest
import yaml

import chain_picture
from cloud import REPOSITORY, Cloud, free_port, wait_until
from documentation import PAGES, FaultyPage, Session, blocks, broken_links, listed_pages, matches, part_of, printed


def run_page(text, folder):
    """Runs the blocks of a page. Returns the faults of the page."""
    page = blocks(text)
    runnable = [block for block in page if block.runs]
    starts_server = bool(runnable) and "virga serve" in runnable[0].text
    faults = []
    port = str(free_port())
    server = None if starts_server or not runnable else Cloud("--ephemeral", "--port", port)
    session = Session(folder, port)
    try:
        for block in page:
            if "file" in block.directives:
                (folder / block.directives["file"]).write_text(block.text)
            elif block.runs:
                status, output = session.run(block)
                if starts_server and block is runnable[0]:
                    wait_for(port)
                if not block.ends_well_with(status):
                    faults.append(f"line {block.line} ended with {status}:\n{output.read_text()}")
                    break
                if block.expected is not None:
                    expected, text = printed(block, output, port)
                    if not matches(expected, text):
                        faults.append(f"line {block.line} prints:\n{text}\nand should print:\n{expected}")
            elif "not run" not in block.directives:
                faults += parsed(block, folder)
    finally:
        session.close()
        if server:
            server.kill()
    return faults


def wait_for(port):
    """Waits until the server that a page started accepts connections."""

    def listens():
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", int(port))) == 0

    wait_until(listens)


def parsed(block, folder):
    """Returns the faults of a block of data."""
    if block.language == "json":
        json.loads(block.text)
    elif block.language == "yaml":
        yaml.safe_load(block.text)
    elif block.language == "swift":
        if "from" not in block.directives or not part_of(block, REPOSITORY / block.directives["from"]):
            return [f"line {block.line}: the block is not part of a test"]
    elif block.language == "json5":
        seed = folder / f"seed-of-line-{block.line}.json5"
        seed.write_text(block.text)
        try:
            with Cloud.ephemeral("--seed", seed):
                pass
        except AssertionError as error:
            return [f"line {block.line}: {error}"]
    return []


@pytest.mark.parametrize("page", listed_pages(), ids=lambda page: page.stem)
def test_a_page_does_what_it_says(page, tmp_path):
    assert run_page(page.read_text(), tmp_path) == []


@pytest.mark.parametrize("page", listed_pages(), ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    assert broken_links(page) == []


def test_the_readme_is_short():
    assert len((REPOSITORY / "README.md").read_text().splitlines()) <= 170


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_of_the_chain_is_drawn_like_that_of_the_console(scheme):
    file, drawn = chain_picture.file(scheme), chain_picture.picture(scheme)
    assert file.read_text() == drawn, "draw it again: Tests/EndToEnd/chain_picture.py"
    root = ElementTree.fromstring(drawn)
    assert root.get("role") == "img" and len(root.findall("{*}rect")) == len(chain_picture.STATIONS)
    assert root.findtext("{*}title") == chain_picture.TITLE and "refused" in root.findtext("{*}desc")


def test_every_picture_is_there_and_has_a_text_for_those_who_do_not_see_it():
    for page in listed_pages():
        pictures = re.findall(r'<picture><source media="\(prefers-color-scheme: dark\)" srcset="(.+?)~dark(\.\w+)">'
                              r'<img src="(.+?)" alt="([^"]{20,})"></picture>', page.read_text())
        assert len(pictures) == page.read_text().count("<picture>"), page.name
        for dark, ending, light, _ in pictures:
            assert dark + ending == light, page.name
            assert (page.parent / light).is_file() and (page.parent / f"{dark}~dark{ending}").is_file(), page.name


def test_every_page_is_linked_from_another():
    linked = {(page.parent / target).resolve() for page in listed_pages()
              for target in re.findall(r"\]\(([^)\s#]+\.md)[^)]*\)", page.read_text()) if not target.startswith("http")}
    assert [page.name for page in PAGES.glob("*.md") if page.resolve() not in linked] == []


# Tests of these tests' own rules.


@pytest.mark.parametrize("expected, output", [
    ("a\n", "a\n"), ("a…c\n", "abc\n"), ("…\nb\n", "x\ny\nb\n"), ("…\n", ""), ("a\n…\n", "a\n"), ("…b\n…\n", "ab\nc\n")])
def test_an_output_that_is_claimed(expected, output):
    assert matches(expected, output)


@pytest.mark.parametrize("expected, output", [("a\n", "b\n"), ("a\n", "a\nb\n"), ("a…c\n", "ab\nc\n"), ("…\nb\n", "b\nc\n"), ("a\n", "")])
def test_an_output_that_is_not_claimed(expected, output):
    assert not matches(expected, output)


def page(*parts):
    return "# Title\n\n" + "\n".join(parts) + "\n"


def test_blocks_share_a_shell(tmp_path):
    text = page("```sh", "x=1; cd /", "```", "", "```sh", "echo $x $PWD", "```", "```text", "1 /", "```")
    assert run_page(text, tmp_path) == []


def test_a_wrong_claim_and_a_failure_are_found(tmp_path, monkeypatch):
    (tmp_path / "1").mkdir(), (tmp_path / "2").mkdir()
    monkeypatch.setattr("documentation.OUTPUT_SECONDS", 0)
    assert "should print" in run_page(page("```sh", "echo a", "```", "```text", "b", "```"), tmp_path / "1")[0]
    assert "ended with 3" in run_page(page("```sh", "(exit 3)", "echo b", "```"), tmp_path / "2")[0]


def test_a_block_may_say_that_it_fails(tmp_path):
    text = page("<!-- fails: 3 -->", "```sh", "x=1; (exit 3)", "```", "", "<!-- fails -->", "```sh", "false", "```", "", "```sh", "echo $x", "```",
                "```text", "1", "```")
    assert run_page(text, tmp_path) == []


@pytest.mark.parametrize("directive, command, status", [("fails: 3", "(exit 4)", 4), ("fails", "true", 0)])
def test_a_failure_that_does_not_happen_is_found(directive, command, status, tmp_path):
    assert f"ended with {status}" in run_page(page(f"<!-- {directive} -->", "```sh", command, "```"), tmp_path)[0]


@pytest.mark.parametrize("text", [
    page("<!-- not run -->", "```sh", "```"), page("<!-- skip: x -->"), page("```ruby", "```"), page("```text", "a", "```"),
    page("<!-- fails: 0 -->", "```sh", "```")])
def test_a_page_that_breaks_the_rules_is_refused(text):
    with pytest.raises(FaultyPage):
        blocks(text)


def test_a_wrong_seed_is_found(tmp_path):
    assert run_page(page("```json5", "{acounts: []}", "```"), tmp_path) != []
