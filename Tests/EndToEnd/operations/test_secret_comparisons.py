"""Secrets are compared in constant time: no comparison with `==` of Swift, which stops at the first difference, decides about one."""

import re

from cloud import REPOSITORY

SOURCES = REPOSITORY / "Sources"
# The last word of an operand, for values that a caller must not guess byte by byte.
SECRET = r"\w*(?:secret|password|passphrase|signature|hmac|verifier|token)"
OPERATOR = r"\s(?:==|!=)\s"
# Literals, cases and `nil` are no secrets.
COMPARISON = re.compile(
    rf"\b{SECRET}[)\]!]*{OPERATOR}(?!nil\b|[.\"\d]|Self\b|true\b)|{OPERATOR}(?:\w+[?!]?\.)*{SECRET}(?![\w.(\[])", re.IGNORECASE)

# Files, with the text of a comparison that is not between a presented secret and a kept one.
ALLOWED = [
    ("Sandbox/Cloud/Keys/Epoch.swift", "left.secret == right.secret"),
    ("Faces/Console/Playground/WalkActions.swift", "text == walk.token?.text"),
    ("Sandbox/Directory/Providers/ServiceProviderMetadata.swift", "data.namespace == XMLSecurity.signature"),
    ("Sandbox/Directory/Users/Directory+Passwords.swift", "password == account.alias"),
    ("Sandbox/Federation/Authentication/WellKnownKeys.swift", "key.secret == key.id"),
    ("Sandbox/Federation/Minting/TokenMint+OnDemand.swift", "altered == issued.token"),
    # The name of a path, and two fields of one form.
    ("Faces/Credentials/InstanceMetadata/InstanceMetadataDoor.swift", "path.item == MetadataPath.token"),
    ("Faces/Credentials/InstanceMetadata/InstanceMetadataDoor.swift", "path.item != MetadataPath.token"),
    ("Faces/Credentials/InstanceMetadata/MetadataPath.swift", "item == Self.token"),
    ("Faces/IdentityProviders/Keycloak/PersonRegistration.swift", 'password != fields["password-confirm"]'),
    ("Faces/MobileCloud/OAuth/PresentedClient.swift", "(id, secret) != (pair.name, pair.password)"),
    ("Foundations/RequestSigning/SignatureV4/SigningKeyCache.swift", "$0.secret == secret"),
    ("Sandbox/Seeds/SeedCheck.swift", "earlier.rootKeys[name] != key.secret"),
]


def comparisons():
    for file in sorted(SOURCES.rglob("*.swift")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if COMPARISON.search(code):
                yield file.relative_to(SOURCES).as_posix(), number, code.strip()


def test_no_secret_is_compared_byte_by_byte():
    found = [f"{path}:{number}: {code}" for path, number, code in comparisons()
             if not any(path == allowed and text in code for allowed, text in ALLOWED)]
    assert not found, "\n".join(found)


def test_the_search_finds_such_comparisons():
    for line in ["guard secret == presented", "if signature != expected {", "x = person.password == form.value", "a == client.secret", "one.token == two"]:
        assert COMPARISON.search(line), line
    for line in ["guard constantTimeEquals(secret, other)", "token == nil", "signature != nil", "tokenType == .bearer", "count == 0"]:
        assert not COMPARISON.search(line), line
