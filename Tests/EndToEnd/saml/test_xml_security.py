"""XML canonicalization, signatures and encryption, compared with the most common libraries: libxml2 (through lxml and xmllint) and
xmlsec1. Documents are random, from fixed seeds."""

import base64
import concurrent.futures
import datetime
import re
import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from lxml import etree

from cloud import REPOSITORY, TIMEOUT_SECONDS
from xml_documents import ASSERTION, Documents

ORACLE = REPOSITORY / ".build/debug/XMLOracle"
SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
MORE = "http://www.w3.org/2001/04/xmldsig-more#"
ENCRYPTION = "http://www.w3.org/2001/04/xmlenc#"
ENCRYPTION_11 = "http://www.w3.org/2009/xmlenc11#"
INCLUSIVE = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"

# Our algorithm by JOSE's name, XML's identifiers of signature and digest, and the type of key.
ALGORITHMS = {
    "RS256": (MORE + "rsa-sha256", ENCRYPTION + "sha256", "rsa"),
    "RS384": (MORE + "rsa-sha384", MORE + "sha384", "rsa"),
    "RS512": (MORE + "rsa-sha512", ENCRYPTION + "sha512", "rsa"),
    "ES256": (MORE + "ecdsa-sha256", ENCRYPTION + "sha256", "P-256"),
    "ES384": (MORE + "ecdsa-sha384", MORE + "sha384", "P-384"),
    "ES512": (MORE + "ecdsa-sha512", ENCRYPTION + "sha512", "P-521"),
}


def ask(questions):
    """The responses of our implementation: bytes, or None if it refuses."""
    assert ORACLE.is_file(), f"no executable at {ORACLE}: build it with `swift build --product XMLOracle`"
    lines = [" ".join([operation] + [encoded(argument) for argument in arguments]) for operation, *arguments in questions]
    result = subprocess.run([ORACLE], input="".join(line + "\n" for line in lines), text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    assert result.returncode == 0, result.stderr
    answers = result.stdout.splitlines()
    assert len(answers) == len(lines), result.stderr
    return [decoded(answer) for answer in answers]


def encoded(text):
    return base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode() or "-"


def decoded(answer):
    verdict, _, text = answer.partition(" ")
    if verdict != "ok":
        return None
    return b"" if text == "-" else base64.b64decode(text)


def reasons(questions):
    """The reasons of our implementation for its refusals."""
    lines = [" ".join([operation] + [encoded(argument) for argument in arguments]) for operation, *arguments in questions]
    result = subprocess.run([ORACLE], input="".join(line + "\n" for line in lines), text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    return [base64.b64decode(line.split(" ")[1]).decode() if line.startswith("refused") else "taken" for line in result.stdout.splitlines()]


class Key:
    """A key with a self-signed certificate, as PEM and as files."""

    def __init__(self, kind, directory):
        curves = {"P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1}
        key = rsa.generate_private_key(65537, 2048) if kind == "rsa" else ec.generate_private_key(curves[kind]())
        self.private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "signer")])
        start = datetime.datetime(2020, 1, 1)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(start)
            .not_valid_after(start + datetime.timedelta(days=36500)).sign(key, hashes.SHA256()))
        self.certificate = certificate.public_bytes(serialization.Encoding.PEM).decode()
        self.private_file = directory / f"{kind}.key"
        self.certificate_file = directory / f"{kind}.pem"
        self.private_file.write_text(self.private)
        self.certificate_file.write_text(self.certificate)


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    directory = tmp_path_factory.mktemp("keys")
    return {kind: Key(kind, directory) for kind in ["rsa", "P-256", "P-384", "P-521"]}


def xmlsec1(*arguments):
    return subprocess.run(["xmlsec1", *map(str, arguments)], capture_output=True, timeout=TIMEOUT_SECONDS)


def in_parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(work, items))


# Canonical form


METHODS = [("inclusive", False, None), ("exclusive", True, None), ("exclusive a", True, ["a"]), ("exclusive ds x1 none", True, ["ds", "x1", "none"])]


@pytest.mark.parametrize("seed", range(4))
def test_canonical_form_is_that_of_libxml2(seed):
    documents = Documents(seed)
    questions, expected = [], []
    for _ in range(1000):
        document = documents.document()
        tree = etree.ElementTree(etree.fromstring(document.encode()))
        for method, exclusive, prefixes in METHODS:
            questions.append(("canonical", method, document, ""))
            expected.append(etree.tostring(
                tree, method="c14n", exclusive=exclusive, with_comments=False, inclusive_ns_prefixes=prefixes))
    for question, answer, wanted in zip(questions, ask(questions), expected):
        assert answer == wanted, question


@pytest.mark.parametrize("option, method", [("--c14n", "inclusive"), ("--exc-c14n", "exclusive")])
def test_canonical_form_is_that_of_xmllint(option, method, tmp_path):
    # xmllint keeps comments; our implementation does not.
    documents = [re.sub("<!--.*?-->", "", drawn(100 + seed)) for seed in range(400)]

    def canonical(item):
        index, document = item
        file = tmp_path / f"{index}.xml"
        file.write_bytes(document.encode())
        result = subprocess.run(["xmllint", option, file], capture_output=True, timeout=TIMEOUT_SECONDS)
        assert result.returncode == 0, result.stderr
        return result.stdout

    expected = in_parallel(canonical, enumerate(documents))
    answers = ask([("canonical", method, document, "") for document in documents])
    for document, answer, wanted in zip(documents, answers, expected):
        assert answer == wanted.removesuffix(b"\n") if wanted.endswith(b"\n") else answer == wanted, document


def drawn(seed):
    return Documents(seed).document()


def test_what_is_written_has_the_canonical_form_of_what_was_read():
    documents = [drawn(seed) for seed in range(5000, 7000)]
    written = ask([("serialize", document) for document in documents])
    for method in ["inclusive", "exclusive"]:
        before = ask([("canonical", method, document, "") for document in documents])
        after = ask([("canonical", method, document, "") for document in written])
        assert before == after
    for document, text in zip(documents, written):
        read = etree.tostring(etree.ElementTree(etree.fromstring(text)), method="c14n", exclusive=True, with_comments=False)
        wanted = etree.tostring(
            etree.ElementTree(etree.fromstring(document.encode())), method="c14n", exclusive=True, with_comments=False)
        assert read == wanted


# Signatures


def template(algorithm, canonicalization, transform, prefixes):
    """A signature template, which xmlsec1 completes."""
    method, digest, _ = ALGORITHMS[algorithm]
    listed = f'<ec:InclusiveNamespaces xmlns:ec="{EXCLUSIVE}" PrefixList="{prefixes}"/>' if prefixes else ""
    inner = listed if transform == EXCLUSIVE else ""
    outer = listed if canonicalization == EXCLUSIVE else ""
    second = f'<Transform Algorithm="{transform}">{inner}</Transform>' if transform else ""
    return (
        f'<Signature xmlns="{SIGNATURE}"><SignedInfo><CanonicalizationMethod Algorithm="{canonicalization}">{outer}'
        f'</CanonicalizationMethod>\n<SignatureMethod Algorithm="{method}"/><Reference URI="#signed"><Transforms>'
        f'<Transform Algorithm="{SIGNATURE}enveloped-signature"/>{second}</Transforms>'
        f'<DigestMethod Algorithm="{digest}"/><DigestValue/></Reference></SignedInfo><SignatureValue/></Signature>')


def template_drawn(index):
    """A random document with a signature template, and its algorithm."""
    documents = Documents(20_000 + index)
    chance = documents.random
    algorithm = list(ALGORITHMS)[index % len(ALGORITHMS)]
    canonicalization = chance.choice([INCLUSIVE, EXCLUSIVE])
    transform = chance.choice([INCLUSIVE, EXCLUSIVE, EXCLUSIVE, None])
    prefixes = chance.choice(["", "", "#default", "a b", "ds #default x1", "missing"])
    return algorithm, documents.document(signed=template(algorithm, canonicalization, transform, prefixes))


def signed_by_xmlsec1(index, keys, directory):
    algorithm, document = template_drawn(index)
    file, output = directory / f"{index}-template.xml", directory / f"{index}-signed.xml"
    file.write_bytes(document.encode())
    key = keys[ALGORITHMS[algorithm][2]]
    result = xmlsec1(
        "--sign", "--privkey-pem", key.private_file, "--id-attr:ID", f"{ASSERTION}:Assertion", "--output", output, file)
    assert result.returncode == 0, (document, result.stderr)
    return output.read_bytes(), key


def changed(document, chance):
    """The document with one changed character in a text or an attribute of the signed element."""
    tree = etree.ElementTree(etree.fromstring(document))
    signed = tree.getroot().xpath("//s:Assertion[@ID='signed']", namespaces={"s": ASSERTION})[0]
    inside = [e for e in signed.iter(tag=etree.Element) if not any(a.tag.startswith(f"{{{SIGNATURE}}}Sig") for a in [e, *e.iterancestors()])]
    victim = chance.choice(inside)
    if victim is not signed and chance.random() < 0.3:
        victim.tag = victim.tag + "x"
    elif chance.random() < 0.5:
        victim.set("added", "1")
    elif victim is signed:
        victim[-1].tail = (victim[-1].tail or "") + "."
    else:
        victim.text = (victim.text or "") + "."
    return etree.tostring(tree)


def test_signatures_of_xmlsec1_are_verified_and_their_changes_refused(keys, tmp_path):
    signed = in_parallel(lambda index: signed_by_xmlsec1(index, keys, tmp_path), range(600))
    answers = ask([("verify", document, "signed", key.certificate, "no") for document, key in signed])
    for (document, _), answer in zip(signed, answers):
        assert answer is not None, document
        # The response is the signed element without the signature.
        tree = etree.fromstring(document)
        element = tree.xpath("//s:Assertion[@ID='signed']", namespaces={"s": ASSERTION})[0]
        signature = element.find(f"{{{SIGNATURE}}}Signature")
        assert b"SignatureValue" not in answer and signature is not None
        assert etree.fromstring(answer).get("ID") == "signed"
    chance = Documents(1).random
    tampered = [(changed(document, chance), key) for document, key in signed]
    answers = ask([("verify", document, "signed", key.certificate, "no") for document, key in tampered])
    for (document, _), answer in zip(tampered, answers):
        assert answer is None, document
    others = ask([("verify", document, "signed", Key("rsa", tmp_path).certificate, "no") for document, _ in signed[:12]])
    assert others == [None] * 12


def verdict_of_xmlsec1(item):
    file, key = item
    return xmlsec1("--verify", "--pubkey-cert-pem", key.certificate_file, "--id-attr:ID", f"{ASSERTION}:Assertion", file).returncode == 0


def test_our_signatures_are_verified_by_xmlsec1_and_their_changes_refused_by_both(keys, tmp_path):
    questions, kinds = [], []
    for index in range(600):
        algorithm = list(ALGORITHMS)[index % len(ALGORITHMS)]
        kinds.append(keys[ALGORITHMS[algorithm][2]])
        questions.append(("sign", Documents(40_000 + index).document(signed=""), "signed", kinds[-1].private, algorithm))
    signed = ask(questions)
    assert None not in signed
    chance = Documents(2).random
    tampered = [changed(document, chance) for document in signed]
    for name, documents, wanted in [("signed", signed, True), ("tampered", tampered, False)]:
        files = []
        for index, document in enumerate(documents):
            file = tmp_path / f"{name}-{index}.xml"
            file.write_bytes(document)
            files.append((file, kinds[index]))
        theirs = in_parallel(verdict_of_xmlsec1, files)
        ours = ask([("verify", document, "signed", key.certificate, "no") for document, key in zip(documents, kinds)])
        for document, one, other in zip(documents, theirs, ours):
            assert one is wanted, document
            assert (other is not None) is wanted, document


def test_sha1_counts_only_where_it_is_allowed(keys, tmp_path):
    weak = template("RS256", EXCLUSIVE, EXCLUSIVE, "")
    for text in [
        weak.replace(MORE + "rsa-sha256", SIGNATURE + "rsa-sha1"), weak.replace(ENCRYPTION + "sha256", SIGNATURE + "sha1"),
        weak.replace(MORE + "rsa-sha256", SIGNATURE + "rsa-sha1").replace(ENCRYPTION + "sha256", SIGNATURE + "sha1"),
    ]:
        file, output = tmp_path / "template.xml", tmp_path / "signed.xml"
        file.write_text(Documents(3).document(signed=text))
        result = xmlsec1(
            "--sign", "--privkey-pem", keys["rsa"].private_file, "--id-attr:ID", f"{ASSERTION}:Assertion", "--output", output, file)
        assert result.returncode == 0, result.stderr
        question = ("verify", output.read_bytes(), "signed", keys["rsa"].certificate)
        assert ask([(*question, "yes")])[0] is not None
        assert "forbiddenAlgorithm" in reasons([(*question, "no")])[0]


# Encryption


CIPHERS = [ENCRYPTION + f"aes{bits}-cbc" for bits in (128, 192, 256)] + [ENCRYPTION_11 + f"aes{bits}-gcm" for bits in (128, 192, 256)]


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda name: name.rpartition("#")[2])
def test_what_xmlsec1_encrypts_is_decrypted(cipher, keys, tmp_path):
    text = (
        f'<EncryptedData xmlns="{ENCRYPTION}" Type="{ENCRYPTION}Element"><EncryptionMethod Algorithm="{cipher}"/>'
        f'<KeyInfo xmlns="{SIGNATURE}"><EncryptedKey xmlns="{ENCRYPTION}">'
        f'<EncryptionMethod Algorithm="{ENCRYPTION}rsa-oaep-mgf1p"/><CipherData><CipherValue/></CipherData></EncryptedKey></KeyInfo>'
        '<CipherData><CipherValue/></CipherData></EncryptedData>')
    (tmp_path / "template.xml").write_text(text)
    bits = cipher.rpartition("aes")[2][:3]
    for index in range(10):
        document = f'<holder xmlns:h="urn:h"><secret xmlns="{ASSERTION}">{"x" * index}&amp;é</secret></holder>'
        (tmp_path / "plain.xml").write_text(document)
        result = xmlsec1(
            "--encrypt", "--pubkey-cert-pem", keys["rsa"].certificate_file, "--session-key", f"aes-{bits}", "--xml-data",
            tmp_path / "plain.xml", "--node-xpath", "//*[local-name()='secret']", "--output", tmp_path / "encrypted.xml",
            tmp_path / "template.xml")
        assert result.returncode == 0, result.stderr
        encrypted = (tmp_path / "encrypted.xml").read_bytes()
        answer, = ask([("decrypt", encrypted, keys["rsa"].private)])
        assert answer == f'<secret xmlns="{ASSERTION}">{"x" * index}&amp;é</secret>'.encode()
        if "gcm" in cipher:
            value = etree.fromstring(encrypted).findall(f".//{{{ENCRYPTION}}}CipherValue")[-1].text
            other = base64.b64encode(bytes([base64.b64decode(value)[0] ^ 1]) + base64.b64decode(value)[1:]).decode()
            broken = encrypted.replace(value.encode(), other.encode())
            assert broken != encrypted and reasons([("decrypt", broken, keys["rsa"].private)]) == ["failed"]


@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda name: name.rpartition("#")[2])
def test_xmlsec1_decrypts_what_we_encrypt(cipher, keys, tmp_path):
    for index in range(10):
        document = f'<s:secret xmlns:s="{ASSERTION}">{"x" * index}&amp;é</s:secret>'
        encrypted, = ask([("encrypt", document, keys["rsa"].certificate, cipher, "1.0")])
        assert b"secret" not in encrypted
        (tmp_path / "encrypted.xml").write_bytes(encrypted)
        result = xmlsec1(
            "--decrypt", "--privkey-pem", keys["rsa"].private_file, "--output", tmp_path / "plain.xml", tmp_path / "encrypted.xml")
        assert result.returncode == 0, result.stderr
        plain = etree.tostring(etree.parse(tmp_path / "plain.xml"), method="c14n", exclusive=True)
        assert plain == document.encode()


def test_key_transport_of_version_1_1_and_other_keys(keys, tmp_path):
    document = f'<s:secret xmlns:s="{ASSERTION}">x</s:secret>'
    encrypted, = ask([("encrypt", document, keys["rsa"].certificate, CIPHERS[5], "1.1")])
    assert b"xmlenc11#rsa-oaep" in encrypted and b"mgf1sha256" in encrypted
    holder = b"<holder>" + encrypted + b"</holder>"
    assert ask([("decrypt", holder, keys["rsa"].private)]) == [document.encode()]
    assert reasons([("decrypt", holder, Key("rsa", tmp_path).private)]) == ["failed"]
    weak = holder.replace(b"2009/xmlenc11#rsa-oaep", b"2001/04/xmlenc#rsa-1_5")
    assert reasons([("decrypt", weak, keys["rsa"].private)]) == ["unsupportedAlgorithm"]
