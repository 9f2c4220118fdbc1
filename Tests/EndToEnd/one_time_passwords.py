"""One-time passwords of MFA devices (RFC 6238), and the QR code that transfers their seed."""

import base64
import datetime
import hashlib
import hmac
import struct
import zlib


def code(seed, counter):
    """The password of an MFA device for a step of 30 seconds (RFC 6238 over RFC 4226). The seed, text or bytes, may lack the padding of base 32."""
    text = seed.decode() if isinstance(seed, bytes) else seed
    digest = hmac.new(base64.b32decode(text + "=" * (-len(text) % 8)), struct.pack(">Q", counter), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def step(cloud):
    """Freezes the clock and returns the present step."""
    return int(datetime.datetime.fromisoformat(cloud.control("POST", "clock", {"freeze": True})["now"]).timestamp()) // 30


def read_code(image):
    """Decodes the modules of a QR code: ISO/IEC 18004 at level L, in a single byte mode, without error correction."""
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    data, place = b"", 8
    while place < len(image):
        length, kind = struct.unpack(">I4s", image[place:place + 8])
        chunk = image[place + 8:place + 8 + length]
        assert zlib.crc32(kind + chunk) == struct.unpack(">I", image[place + 8 + length:place + 12 + length])[0]
        if kind == b"IHDR":
            side = struct.unpack(">I", chunk[:4])[0]
        data += chunk if kind == b"IDAT" else b""
        place += 12 + length
    rows = zlib.decompress(data)
    stride = (side + 7) // 8 + 1
    pixels = [[rows[y * stride + 1 + x // 8] >> (7 - x % 8) & 1 == 0 for x in range(side)] for y in range(side)]
    edge = next(row for row in pixels if any(row))
    start = edge.index(True)
    scale = (edge.index(False, start) - start) // 7
    margin = start // scale
    size = side // scale - 2 * margin
    dark = [[pixels[(y + margin) * scale][(x + margin) * scale] for x in range(size)] for y in range(size)]
    version = (size - 17) // 4
    fixed = [[x == 6 or y == 6 or (x < 9 and (y < 9 or y > size - 9)) or (x > size - 9 and y < 9) for x in range(size)] for y in range(size)]
    count = version // 7 + 2
    step = (version * 4 + count * 2 + 1) // (count * 2 - 2) * 2
    centres = [6] + [size - 7 - step * n for n in range(count - 1)] if version > 1 else []
    for x in centres:
        for y in centres:
            if (x, y) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                for row in range(y - 2, y + 3):
                    fixed[row][x - 2:x + 3] = [True] * 5
    for near in range(6 if version >= 7 else 0):
        for far in range(size - 11, size - 8):
            fixed[near][far] = fixed[far][near] = True
    bits, right = [], size - 1
    while right > 0:
        right -= right == 6
        for number in range(size):
            y = size - 1 - number if (right + 1) & 2 == 0 else number
            bits += [dark[y][x] != ((x + y) % 2 == 0) for x in (right, right - 1) if not fixed[y][x]]
        right -= 2
    words = [int("".join("01"[bit] for bit in bits[n:n + 8]), 2) for n in range(0, len(bits) - 7, 8)]
    blocks, correction = {5: (1, 26), 6: (2, 18), 7: (2, 20), 8: (2, 24), 9: (2, 30)}[version]
    short = len(words) // blocks - correction
    parts = [[words[n * blocks + block] for n in range(short)] for block in range(blocks)]
    for extra in range(len(words) % blocks):
        parts[blocks - len(words) % blocks + extra].append(words[short * blocks + extra])
    text = "".join(f"{byte:08b}" for part in parts for byte in part)
    assert text[:4] == "0100"
    length = int(text[4:12], 2)
    return bytes(int(text[12 + 8 * n:20 + 8 * n], 2) for n in range(length)).decode()
