import os
import subprocess
import sys

import boto3
import pytest

import notes


@pytest.fixture
def foreign_settings(monkeypatch, tmp_path):
    """Settings of a developer's machine that lead elsewhere."""
    config = tmp_path / "config"
    config.write_text("[profile work]\nregion = eu-west-1\n")
    for name, value in {
            "AWS_PROFILE": "work", "AWS_CONFIG_FILE": str(config), "AWS_SESSION_TOKEN": "foreign", "HTTP_PROXY": "http://127.0.0.1:9",
            "http_proxy": "http://127.0.0.1:9", "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9"}.items():
        monkeypatch.setenv(name, value)


def test_code_that_knows_nothing_of_virga(foreign_settings, virga_env):
    notes.save("a", "text")
    assert notes.load("a") == "text"


def test_another_process(foreign_settings, virga_env, keys):
    subprocess.run([sys.executable, "-c", "import notes; notes.save('child', '')"], check=True, cwd=os.path.dirname(notes.__file__))
    assert keys() == ["child", "welcome"]


def test_clients_of_the_fixtures_ignore_the_machine(foreign_settings, virga_s3, virga_session, keys):
    virga_session(role="notes-user", as_="alice@staff").client("s3").put_object(Bucket="notes", Key="alice-1/a", Body=b"")
    assert keys() == ["alice-1/a", "welcome"]


def test_the_variables_are_gone():
    assert "VIRGA_ENDPOINT" not in os.environ and boto3.DEFAULT_SESSION is None
