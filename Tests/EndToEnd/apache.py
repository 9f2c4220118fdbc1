"""A private Apache that protects a page with an authentication module, and a browser that visits the page."""

import contextlib
import functools
import json
import os
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urljoin

from cloud import TIMEOUT_SECONDS, wait_until
from login_page import Page, Person
from programs import installed

MODULES = Path("/usr/lib/apache2/modules")

# The application behind the protected page. It returns the environment that the module sets.
APPLICATION = """#!/usr/bin/python3
import json, os
print("Content-Type: application/json\\n")
print(json.dumps(dict(os.environ)))
"""

CONFIGURATION = """
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/apache.pid
ErrorLog {folder}/error.log
LogLevel info
Listen 127.0.0.1:{port}
ServerName {url}
{user}
{modules}
StartServers 3
DocumentRoot {folder}/site
<Directory {folder}>
    Require all granted
</Directory>
ScriptAliasMatch "^/[a-z]+/page$" "{folder}/application"
{configuration}
"""


class Daemon:
    """A server in the foreground with its own folder, which other users can read, because Apache's workers run as another user when root
    starts it."""

    def __init__(self, *command, folder, port):
        self.folder, self.port = folder, port
        self.output = open(folder / "output.log", "w+", errors="replace")
        # A session of its own, since Apache sends a signal to its whole process group when it ends.
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT, cwd=folder,
            start_new_session=True)
        try:
            wait_until(lambda: self.process.poll() is not None or self.listens())
            assert self.process.poll() is None
        except AssertionError:
            self.stop()
            raise AssertionError(f"{command[0]} does not listen at port {port}:\n{self.logged()}") from None

    def listens(self):
        """Returns whether the server listens, which only a connection shows."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        """Stops the server and its children, and returns when they have ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(TIMEOUT_SECONDS)
        finally:
            self.process.kill()
            self.output.close()

    def logged(self):
        """The log of the server and its modules so far."""
        return "".join(
            f"--- {file.name}\n{file.read_text(errors='replace')}" for file in sorted(self.folder.glob("*.log")))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()
        # pytest shows this only for a failed test.
        print(self.logged())


@functools.cache
def key_pair():
    """An application's key and its certificate for this machine, in PEM. All tests share them, since generating keys is slow."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [installed("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=application",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "key", "-out", folder / "certificate"],
            check=True, capture_output=True, timeout=TIMEOUT_SECONDS)
        return (folder / "key").read_text(), (folder / "certificate").read_text()


@contextlib.contextmanager
def readable_folder():
    """A temporary folder that other users can read, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="virga-relying-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


class Apache(Daemon):
    """Apache with an application at `/protected/page`, and at the same path of every other folder, that returns its environment as JSON;
    and with `/bye.html`, which needs no login. `configuration` may contain {folder} and {port}. Over HTTPS its certificate,
    `client.cert` in the folder, is its own authority."""

    def __init__(self, folder, port, modules, configuration, host="localhost", scheme="http"):
        (folder / "site").mkdir()
        (folder / "site" / "bye.html").write_text("Goodbye from the application")
        (folder / "application").write_text(APPLICATION)
        (folder / "application").chmod(0o755)
        loaded = ["mpm_prefork", "authn_core", "authz_core", "authz_user", "alias", "mime", "env", "setenvif", "cgi", *modules]
        lines = [
            f"LoadModule {'mod_shib' if name == 'shib' else name + '_module'} {MODULES / f'mod_{name}.so'}" for name in loaded]
        self.url = f"{scheme}://{host}:{port}"
        key, certificate = key_pair()
        (folder / "client.key").write_text(key)
        (folder / "client.cert").write_text(certificate)
        if scheme == "https":
            lines.append(f"LoadModule ssl_module {MODULES / 'mod_ssl.so'}\nSSLEngine on")
            lines.append("SSLCertificateFile client.cert\nSSLCertificateKeyFile client.key")
        values = {"folder": folder, "port": port}
        (folder / "mime.types").write_text("text/html html\n")
        configuration = "TypesConfig mime.types\n" + configuration.format(**values)
        (folder / "apache.conf").write_text(CONFIGURATION.format(
            **values, url=self.url, modules="\n".join(lines), configuration=configuration,
            user="User www-data\nGroup www-data" if os.geteuid() == 0 else ""))
        super().__init__(
            installed("apache2"), "-d", folder, "-f", folder / "apache.conf", "-DFOREGROUND", folder=folder, port=port)

    @property
    def page(self):
        return f"{self.url}/protected/page"


class Visitor(Person):
    """A user with a browser who opens a page and follows every step on the way: logs in, consents, and submits forms that carry a
    response to another site, as scripts would."""

    def visit(self, url, until=None):
        """Returns the last page, or the first page with a form that has the field `until`."""
        return self.go_on(self.open(url), until)

    def go_on(self, step, until=None):
        while isinstance(step, Page) and not any(until in form.fields for form in step.forms):
            if step.is_login:
                step = self.sign_in(step)
            elif step.is_consent:
                step = self.press(step, ("action", "allow"))
            elif carried := self.carried(step):
                step = self.send(step, carried)
            else:
                break
        return step

    @staticmethod
    def carried(page):
        """The form of a page that carries a request or a response to another site."""
        names = {"SAMLResponse", "SAMLRequest", "response_type", "code", "id_token", "error"}
        return next((form for form in page.forms if form.method == "post" and names & set(form.fields)), None)

    def send(self, page, form):
        return self._follow(self.browser.post(urljoin(page.url, form.action), data=form.fields, allow_redirects=False))

    def environment(self, url):
        """The environment of the application behind the page."""
        step = self.visit(url)
        assert isinstance(step, Page) and step.text.startswith("{"), f"{getattr(step, 'status', '')} at {step.url}:\n{step.text}"
        return json.loads(step.text)
