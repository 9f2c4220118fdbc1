"""The pictures of the page Workshop.md. Run as a program, it takes them anew:

    .venv/bin/python Tests/EndToEnd/workshop_pictures.py
"""

import base64
import collections
import dataclasses
import struct
import zlib
from collections.abc import Callable

import requests
from selenium.webdriver.common.by import By

from clients import assume, client, keys_of
from cloud import BUCKET, Cloud
from console import console_browser, log_in, open_page, press
from documentation import PAGES

RESOURCES = PAGES / "Resources"
# The most bytes of a picture: all of them are in the repository.
LARGEST = 60_000
# In pixels of the page, which the picture has as well.
WIDTH = 1000
HIGHEST = 760
STUDENTS = ["Anna", "Ben", "Carla", "Deniz", "Emma", "Finn", "Greta", "Hugo", "Ines", "Jonas"]


@dataclasses.dataclass(frozen=True)
class Picture:
    """A part of a page of the console. `show` opens it, and returns the elements that the picture contains."""

    name: str
    show: Callable
    # What a reader is meant to see.
    texts: list[str]

    def file(self, scheme):
        """The file, by the names that DocC expects for light and dark."""
        return RESOURCES / f"workshop-{self.name}{'~dark' if scheme == 'dark' else ''}.png"


def element(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def home(cloud, browser):
    open_page(browser, cloud)
    return [element(browser, ".top"), element(browser, ".side"), element(browser, "main > .cards")]


def token(cloud, browser):
    open_page(browser, cloud, "playground")
    log_in(browser)
    browser.find_element(By.XPATH, "//summary[normalize-space()='The token, decoded']").click()
    return [element(browser, ".chain"), element(browser, "#step-1")]


def refusal(cloud, browser):
    token(cloud, browser)
    press(browser, "Get credentials")
    press(browser, "Try to read")
    return [element(browser, "#step-3 .result.bad-line")]


def experiments(cloud, browser):
    token(cloud, browser)
    press(browser, "Get credentials")
    for _ in range(3):
        press(browser, "Run", within="//section[@id='break']//tr[.//span[text()='not run']][1]")
    return [element(browser, "#break")]


def class_view(cloud, browser):
    cloud.control("PUT", "class", {"limit": 40})
    for number, student in enumerate(cloud.control("POST", "class/students", {"names": STUDENTS})["students"]):
        at = Cloud.__new__(Cloud)
        at.url, at.authority = cloud.control("GET", f"sandboxes/{student['sandbox']}")["portURL"], None
        if number == 9:
            continue
        issued = requests.post(f"{at.url}/_virga/tokens", json={"provider": "company", "user": "alice"}).json()["token"]
        if number > 6:
            continue
        s3 = client(at, "s3", **keys_of(assume(at, "company", issued)))
        s3.put_object(Bucket=BUCKET, Key="employee-0001-alice/notes.txt", Body=b"x")
        if number > 4:
            continue
        s3.get_object(Bucket=BUCKET, Key="employee-0001-alice/notes.txt")
        if number % 2 == 0:
            try:
                s3.get_object(Bucket=BUCKET, Key="employee-0002-bob/notes.txt")
            except s3.exceptions.ClientError:
                pass
    open_page(browser, cloud, "sandboxes/class")
    return [element(browser, "main .head"), element(browser, ".legend"), element(browser, ".students")]


PICTURES = [
    Picture("home", home, ["Home", "Playground", "Journal", "Sandboxes", "AWS", "Identity providers"]),
    Picture("token", token, ["Authenticate with the identity provider", "has an id_token", "The token, decoded", '"sub"', '"aud"']),
    Picture("refusal", refusal, ["AccessDenied", "does not apply", "${accounts.google.com:sub}", "What would allow this"]),
    Picture("break", experiments, ["Break it", "An expired token", "ExpiredTokenException", "InvalidIdentityToken", "not run"]),
    Picture("class", class_view, ["Class", "10 of 40 students", "logged in", "Anna", "s3 GetObject: AccessDenied", "no request yet"]),
]


def take(browser, elements):
    """Takes a picture of the part of the page from the first to the last element."""
    box = browser.execute_script(
        """const boxes = arguments[0].map(node => node.getBoundingClientRect())
        const left = Math.min(...boxes.map(box => box.left)), top = Math.min(...boxes.map(box => box.top))
        return {x: left + scrollX, y: top + scrollY, width: Math.max(...boxes.map(box => box.right)) - left,
                height: Math.max(...boxes.map(box => box.bottom)) - top}""", elements)
    clip = {"x": max(0, box["x"] - 8), "y": max(0, box["y"] - 8), "width": box["width"] + 16, "height": min(HIGHEST, box["height"] + 16), "scale": 1}
    image = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True, "clip": clip})
    return base64.b64decode(image["data"])


def shrink(png):
    """Returns an image of the browser (8 bits for each of red, green, blue and perhaps alpha) with 256 colors, which is a third as large."""
    chunks, place = [], 8
    while place < len(png):
        size, kind = struct.unpack(">I4s", png[place:place + 8])
        chunks.append((kind, png[place + 8:place + 8 + size]))
        place += 12 + size
    width, height, _, kind = struct.unpack(">IIBB", dict(chunks)[b"IHDR"][:10])
    step = {2: 3, 6: 4}[kind]
    rows = unfiltered(zlib.decompress(b"".join(content for name, content in chunks if name == b"IDAT")), width * step, step)
    # Colors that differ little become one.
    pixels = [[(row[x] & 0xFC, row[x + 1] & 0xFC, row[x + 2] & 0xFC) for x in range(0, len(row), step)] for row in rows]
    counts = collections.Counter(color for row in pixels for color in row)
    palette = [color for color, _ in counts.most_common(256)]
    numbers = {color: number for number, color in enumerate(palette)}
    for color in counts:
        if color not in numbers:
            numbers[color] = min(range(len(palette)), key=lambda number: sum((a - b) ** 2 for a, b in zip(palette[number], color)))
    lines = b"".join(b"\0" + bytes(numbers[color] for color in row) for row in pixels)
    content = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", bytes(part | part >> 6 for color in palette for part in color)),
               (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")]
    return png[:8] + b"".join(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in content)


def unfiltered(data, length, step):
    """Yields the rows of an image without the filters of PNG (section 9)."""
    before = bytes(length)
    for start in range(0, len(data), length + 1):
        kind, row = data[start], bytearray(data[start + 1:start + 1 + length])
        for index in range(length) if kind else ():
            left = row[index - step] if index >= step else 0
            above, corner = before[index], before[index - step] if index >= step else 0
            if kind == 4:
                guess = left + above - corner
                nearest = min((left, above, corner), key=lambda value: abs(guess - value))
            else:
                nearest = (0, left, above, (left + above) // 2)[kind]
            row[index] = row[index] + nearest & 0xFF
        yield row
        before = row


def main():
    RESOURCES.mkdir(exist_ok=True)
    for scheme in ["light", "dark"]:
        for picture in PICTURES:
            # The address and the time are those of this process.
            with Cloud.ephemeral() as cloud, console_browser(width=WIDTH, scheme=scheme) as browser:
                content = shrink(take(browser, picture.show(cloud, browser)))
                assert len(content) <= LARGEST, f"{picture.name} has {len(content)} bytes, more than {LARGEST}"
                picture.file(scheme).write_bytes(content)
                print(picture.file(scheme).name, len(content))
                cloud.stop()


if __name__ == "__main__":
    main()
