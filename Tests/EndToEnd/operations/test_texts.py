"""The check of how texts of clients are compared finds a planted fault, and none in the sources."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHECK = ROOT / ".ci" / "texts"


def check(*folder):
    result = subprocess.run([CHECK, *folder], capture_output=True, text=True)
    return result.returncode, result.stdout


def test_finds_nothing_in_the_sources():
    assert check() == (0, "")


@pytest.mark.parametrize(
    "text",
    [
        "func f(_ a: String, _ b: String) -> Bool { a == b }\n",
        'func f(_ a: String) -> Bool { a.hasPrefix("/_virga/") }\n',
        'func f(_ a: String) -> [Substring] { a.split(separator: ",") }\n',
        'import HTTPTypes\n\nfunc f(_ a: String) { switch a { case "x": break; default: break } }\n',
        "import WireFormats\n\nfunc f(_ text: String) { for character in text { print(character) } }\n",
        "import WireFormats\n\nvar realms: [String: Realm] = [:]\n",
        "import WireFormats\n\nlet letters: [Character] = []\n",
        "import WireFormats\n\nlet known = BoundedCache<String, Int>(capacity: 2)\n",
    ],
)
def test_finds_a_planted_fault(tmp_path, text):
    folder = tmp_path / "Sandbox" / "Federation"
    folder.mkdir(parents=True)
    (folder / "Planted.swift").write_text(text)
    status, found = check(tmp_path)
    assert status == 1
    assert found.startswith("Sandbox/Federation/Planted.swift:")


def test_accepts_files_that_import_the_comparisons(tmp_path):
    folder = tmp_path / "Sandbox" / "Federation"
    folder.mkdir(parents=True)
    (folder / "Fine.swift").write_text("import WireFormats\n\nfunc f(_ a: String, _ b: String) -> Bool { a == b }\n")
    assert check(tmp_path) == (0, "")
