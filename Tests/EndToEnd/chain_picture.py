"""The picture of the chain in README.md, drawn like that of the console. Run as a program, it draws it anew:

    python3 Tests/EndToEnd/chain_picture.py
"""

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RESOURCES = REPOSITORY / "Sources/Documentation/Resources"
# The drawings of the stations, and the numbers of boxes and gaps.
DIAGRAM = REPOSITORY / "Sources/Faces/Console/Pictures/ChainDiagram.swift"
# The colors of both schemes.
STYLE = REPOSITORY / "Sources/Sandbox/Calls/Diagrams/DiagramStyle.swift"

TITLE = "From a person to an object"
# Symbol, title and two lines.
STATIONS = [
    ("person", "Person", "alice, with a", "browser or an SDK"),
    ("provider", "Provider", "OIDC, SAML,", "Google, GitHub, …"),
    ("ticket", "STS", "checks token and", "trust policy"),
    ("store", "Store", "S3, OSS: checks", "signature and policies"),
]
FLOWS = ["logs in", "token", "credentials"]


def numbers():
    """Returns width and height of a box, the gap between boxes, and the margin."""
    names, values = re.search(r"static let \(([^)]*)\) = \(([^)]*)\)", DIAGRAM.read_text()).groups()
    assert names == "boxWidth, boxHeight, gap, margin"
    return [int(value) for value in values.split(", ")]


def symbols():
    return dict(re.findall(r'case (\w+) = "([^"]+)"', DIAGRAM.read_text()))


def colors(scheme):
    """Returns the colors of a scheme by their names."""
    light, dark = re.findall(r":root\{(?:color-scheme:light dark;)?(--card[^}]*)\}", STYLE.read_text().replace("\\\n        ", ""))
    return dict(pair.split(":") for pair in (dark if scheme == "dark" else light).replace("--", "").split(";") if pair)


def text(words, x, y, size, color, *, bold=False, middle=False):
    weight = ' font-weight="600"' if bold else ""
    anchor = ' text-anchor="middle"' if middle else ""
    return f'<text x="{x}" y="{y}" font-size="{size}"{weight}{anchor} fill="{color}">{words}</text>'


def picture(scheme):
    """Returns the picture in a scheme, `light` or `dark`."""
    width, height, gap, margin = numbers()
    color, paths = colors(scheme), symbols()
    total = 2 * margin + len(STATIONS) * width + len(FLOWS) * gap
    below = margin + height
    bottom = below + 34
    parts = []
    for index, (symbol, title, first, second) in enumerate(STATIONS):
        x = margin + index * (width + gap)
        parts += [
            f'<rect x="{x}" y="{margin}" width="{width}" height="{height}" rx="9" fill="{color["good-ground"]}" stroke="{color["good"]}"/>',
            f'<path transform="translate({x + 8} {margin + 7}) scale(.9)" d="{paths[symbol]}" fill="none" stroke="{color["good"]}"'
            ' stroke-width="1.8"/>',
            text(title, x + 38, margin + 24, 14, color["ink"], bold=True),
            text(first, x + 10, margin + 49, 12, color["soft"]),
            text(second, x + 10, margin + 66, 12, color["soft"]),
        ]
        if index:
            start, y = x - gap, margin + height // 2
            parts += [
                text(FLOWS[index - 1], start + gap // 2, y - 9, 12, color["soft"], middle=True),
                f'<path fill="none" stroke="{color["good"]}" stroke-width="2" d="M{start + 4} {y}H{x - 4}m-7 -4l7 4l-7 4"/>',
            ]
    refused = total - margin - width // 2
    parts += [
        f'<path fill="none" stroke="{color["bad"]}" stroke-width="2.5" d="M{refused - 5} {below + 8}l12 12m0 -12l-12 12"/>',
        text("another person’s file: AccessDenied, and why", refused - 14, below + 19, 12, color["bad"], bold=True).replace(
            "<text ", '<text text-anchor="end" '),
    ]
    words = "; ".join(f"{title}: {first} {second}" for _, title, first, second in STATIONS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {bottom}" width="{total}" height="{bottom}" role="img"'
        f' aria-labelledby="title text" font-family="system-ui,sans-serif">\n<title id="title">{TITLE}</title>\n'
        f'<desc id="text">{words}. What flows: {", ".join(FLOWS)}. A request for another person’s file is refused by the store.</desc>\n'
        + "\n".join(parts) + "\n</svg>\n")


def file(scheme):
    """The file, by the names that DocC expects for light and dark."""
    return RESOURCES / f"chain{'~dark' if scheme == 'dark' else ''}.svg"


if __name__ == "__main__":
    for name in ["light", "dark"]:
        file(name).write_text(picture(name))
