"""Authorities and client certificates for IAM Roles Anywhere, and requests that are signed with them."""

import base64
import datetime
import hashlib
import json
import subprocess

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID

from programs import installed

DAY = datetime.timedelta(days=1)
PEM = serialization.Encoding.PEM
DER = serialization.Encoding.DER


def name(**attributes):
    """A distinguished name, such as name(common_name="batch")."""
    types = {"common_name": NameOID.COMMON_NAME, "organization": NameOID.ORGANIZATION_NAME, "unit": NameOID.ORGANIZATIONAL_UNIT_NAME}
    values = [(types[key], text) for key, texts in attributes.items() for text in ([texts] if isinstance(texts, str) else texts)]
    return x509.Name([x509.NameAttribute(oid, text) for oid, text in values])


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class Certificate:
    """A certificate with its key, and the certificates between it and the root."""

    def __init__(self, subject, *, issuer=None, is_authority=False, key=None, usage=True, serial=None, hash=None, start=None, end=None,
                 alternatives=()):
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        by = issuer or self
        self.chain = [] if issuer is None or issuer.is_root else [issuer.certificate, *issuer.chain]
        self.is_root = issuer is None
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer.certificate.subject if issuer else subject)
        builder = builder.public_key(self.key.public_key()).serial_number(serial or x509.random_serial_number())
        builder = builder.not_valid_before(start or now() - DAY).not_valid_after(end or now() + 30 * DAY)
        builder = builder.add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        signs, certifies = usage and not is_authority, is_authority
        builder = builder.add_extension(
            x509.KeyUsage(signs, not signs and not certifies, False, False, False, certifies, certifies, False, False), critical=True)
        if alternatives:
            builder = builder.add_extension(x509.SubjectAlternativeName(list(alternatives)), critical=False)
        self.certificate = builder.sign(by.key, hash or hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(PEM).decode()

    @property
    def key_pem(self):
        return self.key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()

    @property
    def chain_pem(self):
        return "".join(one.public_bytes(PEM).decode() for one in self.chain)

    def revocations(self, *revoked):
        """A certificate revocation list of this authority, in PEM."""
        builder = x509.CertificateRevocationListBuilder().issuer_name(self.certificate.subject)
        builder = builder.last_update(now() - DAY).next_update(now() + DAY)
        for other in revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(other.certificate.serial_number).revocation_date(now()).build()
            builder = builder.add_revoked_certificate(entry)
        return builder.sign(self.key, hashes.SHA256()).public_bytes(PEM).decode()

    @property
    def hexadecimal_serial(self):
        digits = f"{self.certificate.serial_number:x}"
        return digits.rjust(len(digits) + len(digits) % 2, "0")


def signed_with_sha1(subject, issuer, folder):
    """A certificate that is like the others but for its digest, which the library does not sign with."""
    holder = Certificate(subject, issuer=issuer)
    usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    request = x509.CertificateSigningRequestBuilder().subject_name(subject).add_extension(usage, critical=True).sign(holder.key, hashes.SHA256())
    files = {"request.pem": request.public_bytes(PEM).decode(), "issuer.pem": issuer.pem, "issuer.key": issuer.key_pem}
    for file, text in files.items():
        (folder / file).write_text(text)
    made = subprocess.run(
        [installed("openssl"), "x509", "-req", "-in", "request.pem", "-CA", "issuer.pem", "-CAkey", "issuer.key", "-sha1", "-set_serial",
         "4711", "-days", "5", "-copy_extensions", "copyall"], cwd=folder, capture_output=True, check=True)
    holder.certificate = x509.load_pem_x509_certificate(made.stdout)
    return holder


def rsa_key(bits=2048):
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


def encoded(certificate):
    return base64.b64encode(certificate.public_bytes(DER)).decode()


def create_session(cloud, holder, order, *, in_query=False, region="us-east-1", serial=None, date=None, key=None, signed=None,
                   algorithm=None, chain=None, headers=None):
    """Sends a signed CreateSession. The keyword arguments make single parts of it wrong."""
    key = key or holder.key
    body, query = dict(order), ""
    if in_query:
        arns = {member: body.pop(member) for member in ["profileArn", "roleArn", "trustAnchorArn"]}
        query = "&".join(f"{member}={requests.utils.quote(value, safe='')}" for member, value in sorted(arns.items()))
    document = json.dumps(body).encode()
    stamp = (date or now()).strftime("%Y%m%dT%H%M%SZ")
    fields = {"content-type": "application/json", "host": cloud.url.partition("://")[2], "x-amz-date": stamp,
              "x-amz-x509": encoded(holder.certificate)}
    chain = holder.chain if chain is None else chain
    if chain:
        fields["x-amz-x509-chain"] = ",".join(encoded(one) for one in chain)
    names = sorted(signed or fields)
    kind = "RSA" if isinstance(key, rsa.RSAPrivateKey) else "ECDSA"
    algorithm = algorithm or f"AWS4-X509-{kind}-SHA256"
    scope = f"{stamp[:8]}/{region}/rolesanywhere/aws4_request"
    canonical = "\n".join([
        "POST", "/sessions", query, *[f"{field}:{fields[field]}" for field in names], "", ";".join(names),
        hashlib.sha256(document).hexdigest()])
    text = "\n".join([algorithm, stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()]).encode()
    if kind == "RSA":
        signature = key.sign(text, padding.PKCS1v15(), hashes.SHA256())
    else:
        signature = key.sign(text, ec.ECDSA(hashes.SHA256()))
    serial = holder.certificate.serial_number if serial is None else serial
    fields["authorization"] = (
        f"{algorithm} Credential={serial}/{scope}, SignedHeaders={';'.join(names)}, Signature={signature.hex()}")
    url = f"{cloud.url}/sessions" + (f"?{query}" if query else "")
    return requests.post(url, data=document, headers=fields | (headers or {}))
