"""What contributors and code hosts read: the links and paths of the pages, the workflow, and the forms of issues."""

import re

import pytest
import yaml

from cloud import REPOSITORY
from documentation import broken_links

FOLDER = REPOSITORY / ".github"
PAGES = sorted(FOLDER.glob("*.md"))
FORMS = [FOLDER / "ISSUE_TEMPLATE" / name for name in ("bug.yml", "feature.yml")]
# Folders that a path may leave out, because the sentence before names them.
BASES = ["", "Tests/Conformance", "Sources"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    assert broken_links(page) == []


def test_the_paths_of_the_page_exist():
    text = (FOLDER / "CONTRIBUTING.md").read_text()
    quoted = [word for code in re.findall(r"`([^`\n]+)`", text) for word in code.split()]
    paths = {word.strip("'") for word in quoted if re.fullmatch(r"'?\.?[A-Z.][\w.-]*(/[\w.-]+)+'?", word)}
    # These are made by the commands of the page.
    paths = {path for path in paths if not path.startswith((".build", ".venv"))}
    assert {".ci/run", "Tests/Benchmarks/figures.json", "RecordedAnswers/expected-failures.txt"} <= paths
    assert [path for path in sorted(paths) if not any((REPOSITORY / base / path).exists() for base in BASES)] == []


def test_the_workflow_runs_every_test():
    workflow = yaml.safe_load((FOLDER / "workflows/tests.yml").read_text())
    [job] = workflow["jobs"].values()
    assert ".ci/run" in [step.get("run") for step in job["steps"]]
    # The key `on` is the value true in YAML 1.1.
    assert {"push", "pull_request"} <= workflow[True].keys()
    assert workflow["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_has_what_code_hosts_require(form):
    document = yaml.safe_load(form.read_text())
    assert document["name"]
    assert document["description"]
    fields = [field for field in document["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown"}
    identifiers = [field["id"] for field in fields]
    assert len(identifiers) == len(set(identifiers))
    assert all(field["attributes"]["label"] for field in fields)
