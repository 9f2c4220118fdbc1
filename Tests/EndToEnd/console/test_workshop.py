"""The pictures of the page Workshop.md: they are there, small, and show what the console shows."""

import re

import pytest

from cloud import Cloud
from console import console_browser
from documentation import PAGES
from workshop_pictures import LARGEST, PICTURES, RESOURCES, WIDTH

PAGE = (PAGES / "Workshop.md").read_text()


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_console_shows_what_a_picture_shows(picture):
    with Cloud.ephemeral() as cloud, console_browser(width=WIDTH) as browser:
        shown = "\n".join(element.text for element in picture.show(cloud, browser))
        for text in picture.texts:
            assert text in shown, f"take the pictures again: Tests/EndToEnd/workshop_pictures.py. The console shows:\n{shown}"
        assert cloud.stop() == 0


def test_the_pictures_are_small_and_all_of_them_are_used():
    pictures = list(RESOURCES.glob("workshop-*"))
    files = {file.name for file in pictures}
    assert files == {picture.file(scheme).name for picture in PICTURES for scheme in ["light", "dark"]} and len(files) <= 10
    for file in pictures:
        assert file.read_bytes().startswith(b"\x89PNG") and file.stat().st_size <= LARGEST, file.name
    assert {name for name in re.findall(r'"Resources/([^"]+)"', PAGE)} == files


def test_every_picture_has_a_text_for_those_who_do_not_see_it():
    pictures = re.findall(r'<picture><source media="\(prefers-color-scheme: dark\)" srcset="Resources/(.+?)~dark\.png">'
                          r'<img src="Resources/(.+?)\.png" alt="([^"]{20,})"></picture>', PAGE)
    assert len(pictures) == PAGE.count("<picture>") == len(PICTURES)
    assert all(dark == light for dark, light, _ in pictures)


def test_the_sections_take_three_quarters_of_an_hour():
    assert sum(int(minutes) for minutes in re.findall(r"(?m)^## .*\((\d+) minutes\)$", PAGE)) == 45
