"""SimpleSAMLphp in PHP's own web server, as a service provider with one page and as an identity provider with a list of users."""

import contextlib
import json
import shutil
from pathlib import Path

import requests

from apache import Daemon, readable_folder
from cloud import free_port
from programs import installed
from saml_provider import certified_key

PROGRAM = Path(__file__).with_name("php")
LIBRARY = Path("/usr/share/simplesamlphp")


class SimpleSAMLphp(Daemon):
    """`application` has further settings of the service provider, `users` the attributes of each `name:password`, and `metadata` the
    documents of the providers that SimpleSAMLphp knows."""

    def __init__(self, folder, metadata, application=None, users=None):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        for name in ["config.php", "authsources.php", "page.php"]:
            shutil.copy(PROGRAM / name, folder)
        shutil.copytree(PROGRAM / "metadata", folder / "metadata")
        site = folder / "site"
        site.mkdir()
        (folder / "page.php").rename(site / "page.php")
        (site / "bye.html").write_text("Goodbye from the application")
        (site / "simplesaml").symlink_to(LIBRARY / "www")
        certified_key(folder, "application")
        files = []
        for number, document in enumerate(metadata):
            files.append(f"provider-{number}.xml")
            (folder / files[-1]).write_text(document)
        (folder / "settings.json").write_text(json.dumps(
            {"url": self.url, "metadata": files, "application": application or {}, "users": users or {}}))
        super().__init__(
            "/usr/bin/env", f"SIMPLESAMLPHP_CONFIG_DIR={folder}", installed("php"), "-S", f"127.0.0.1:{port}", "-t", site,
            folder=folder, port=port)

    @property
    def page(self):
        return f"{self.url}/page.php"

    def published(self, path):
        """Returns the metadata at a path of SimpleSAMLphp."""
        response = requests.get(f"{self.url}/simplesaml/{path}")
        assert response.status_code == 200, response.text
        return response.text

    @property
    def service_metadata(self):
        return self.published("module.php/saml/sp/metadata.php/application")

    @property
    def provider_metadata(self):
        return self.published("saml2/idp/metadata.php")


@contextlib.contextmanager
def serving(*metadata, **settings):
    with readable_folder() as folder, SimpleSAMLphp(folder, metadata, **settings) as server:
        yield server
