"""An external identity provider: an issuer over HTTP, or over HTTPS with a certificate of its own authority."""

import datetime
import ipaddress
import json
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from joserfc import jwk, jwt


class Issuer:
    """A listener that publishes metadata and keys, and signs tokens. `fail` is the number of requests to answer with 503."""

    def __init__(self, folder=None, algorithm="RS256"):
        self.algorithm = algorithm
        self.asked = []
        self.failures = 0
        self.key = None
        self.rotate()
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.asked.append(self.path)
                if issuer.failures:
                    issuer.failures -= 1
                    return self.answer(503, {"error": "unavailable"})
                documents = {"/.well-known/openid-configuration": issuer.metadata, "/keys": issuer.keys}
                self.answer(200, documents[self.path]()) if self.path in documents else self.answer(404, {})

            def answer(self, status, document):
                body = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        scheme = "http"
        if folder is not None:
            scheme = "https"
            self.authority, certificate, key = certificates(folder)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"{scheme}://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.server.shutdown()
        self.server.server_close()

    def rotate(self):
        """Signs with a new key from now on."""
        number = int(self.key.kid or 0) + 1 if self.key else 1
        kind = jwk.RSAKey.generate_key(2048) if self.algorithm.startswith("RS") else jwk.ECKey.generate_key("P-384")
        self.key = kind.__class__.import_key(kind.as_dict(private=True) | {"kid": str(number)})

    def metadata(self):
        return {
            "issuer": self.url, "jwks_uri": f"{self.url}/keys", "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": [self.algorithm]}

    def keys(self):
        return {"keys": [self.key.as_dict(private=False) | {"use": "sig"}]}

    def token(self, **claims):
        now = int(time.time())
        claims = {"iss": self.url, "sub": "person-1", "aud": "web", "iat": now, "exp": now + 600} | claims
        return jwt.encode({"alg": self.algorithm, "kid": self.key.kid}, claims, self.key, algorithms=[self.algorithm])


def certificates(folder):
    """Three files: the certificate of an authority, and a certificate for localhost with its key."""
    now = datetime.datetime.now(datetime.timezone.utc)

    def issue(name, key, issuer, issuer_key, extensions):
        builder = x509.CertificateBuilder(
            issuer_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]),
            subject_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), public_key=key.public_key(),
            serial_number=x509.random_serial_number(), not_valid_before=now - datetime.timedelta(days=1),
            not_valid_after=now + datetime.timedelta(days=2))
        for extension, is_critical in extensions:
            builder = builder.add_extension(extension, is_critical)
        return builder.sign(issuer_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = issue("elsewhere", authority_key, "elsewhere", authority_key, [(x509.BasicConstraints(True, None), True)])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = issue("localhost", key, "elsewhere", authority_key, [(names, False)])
    files = [folder / name for name in ["authority.pem", "certificate.pem", "key.pem"]]
    contents = [authority, certificate, key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())]
    for file, content in zip(files, contents):
        file.write_bytes(content)
    return files
