"""`virga env`: the variables for SDKs, in the syntax of each shell."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cloud import Cloud, clean_environment, executable, run

WEB = ["--as", "alice@company", "--role", "personal-files-company"]


def test_sh_reads_it(cloud, tmp_path):
    lines = run("env", "--endpoint", cloud.url).stdout
    script = lines + "env; echo profile=${AWS_PROFILE-none}"
    output = subprocess.run(["sh", "-c", script], env=clean_environment(AWS_PROFILE="work"), text=True, capture_output=True).stdout
    assert f"AWS_ENDPOINT_URL={cloud.url}\n" in output and "AWS_ACCESS_KEY_ID=test\n" in output and "profile=none" in output


def test_a_web_identity_unsets_keys(cloud, tmp_path):
    file = tmp_path / "it's a token"
    lines = run("env", "--endpoint", cloud.url, *WEB, "--token-file", file).stdout
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    script = lines + "aws sts get-caller-identity --query Arn --output text"
    keys = {"AWS_ACCESS_KEY_ID": "AKIAFOREIGN", "AWS_SECRET_ACCESS_KEY": "x"}
    result = subprocess.run(["sh", "-c", script], env=clean_environment(**keys), text=True, capture_output=True)
    assert result.stdout == "arn:aws:sts::000000000000:assumed-role/personal-files-company/alice\n", result.stderr


@pytest.mark.parametrize("form, lines", [
    ("fish", ["set --erase AWS_PROFILE", "set --export --global AWS_ACCESS_KEY_ID 'test'"]),
    ("powershell", ["Remove-Item Env:AWS_PROFILE -ErrorAction SilentlyContinue", "$env:AWS_ACCESS_KEY_ID = 'test'"]),
    ("dotenv", ["# unset AWS_PROFILE", "AWS_ACCESS_KEY_ID=test"]), ("github", ["AWS_ACCESS_KEY_ID=test"]),
    ("profile", ["[profile virga]", "endpoint_url = http://127.0.0.1:4566", "aws_access_key_id = test"])])
def test_each_form(form, lines):
    assert set(lines) <= set(run("env", "--format", form).stdout.splitlines())


def test_github_and_profiles_say_nothing_else():
    assert all("=" in line and not line.startswith("#") for line in run("env", "--format", "github").stdout.splitlines())
    assert "session" not in run("env", "--format", "profile").stdout


@pytest.mark.parametrize("form", ["sh", "dotenv"])
def test_a_token_with_the_characters_of_shells_is_only_a_value(form, tmp_path):
    token = "a b; touch pwned; $(touch pwned) `touch pwned` | #"
    statement = {"Effect": "Allow", "Principal": {"Service": "ecs-tasks.amazonaws.com"}, "Action": "sts:AssumeRole"}
    role = {"name": "task", "trustPolicy": {"Version": "2012-10-17", "Statement": [statement]}}
    (tmp_path / "seed.json5").write_text(json.dumps({"accounts": [{
        "id": "111122223333", "roles": [role],
        "tasks": [{"id": "9781c2486b7a4e2f8f0a1c2d3e4f5a6b", "role": "task", "authorizationToken": token}]}]}))
    with Cloud.ephemeral("--seed", tmp_path / "seed.json5") as cloud:
        printed = run("env", "--endpoint", cloud.url, "--credentials", "container", "--format", form)
    assert printed.returncode == 0, printed.stderr
    script = 'set -a; . ./variables; printf %s "$AWS_CONTAINER_AUTHORIZATION_TOKEN"'
    (tmp_path / "variables").write_text(printed.stdout)
    shown = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=clean_environment(), text=True, capture_output=True)
    assert shown.stdout == token and not (tmp_path / "pwned").exists(), shown.stderr


def test_the_port_alone_is_enough():
    assert "AWS_ENDPOINT_URL=http://127.0.0.1:4999" in run("env", "--format", "github", VIRGA_PORT="4999").stdout
    assert "AWS_ENDPOINT_URL=http://other:1" in run("env", "--format", "github", VIRGA_PORT="4999", VIRGA_ENDPOINT="http://other:1").stdout


def test_a_form_that_is_none_is_an_error():
    result = run("env", "--format", "csh")
    assert result.returncode == 64 and "Please provide one of the following:\n  - sh\n  - fish\n" in result.stderr


def test_the_version_names_the_program():
    assert run("--version").stdout.startswith("virga 0.9.0")


def test_a_token_goes_where_one_says(cloud, tmp_path):
    shown = run("env", "--endpoint", cloud.url, *WEB, "--token-file", "/dev/stdout").stdout
    assert shown.startswith("eyJ") and "export AWS_WEB_IDENTITY_TOKEN_FILE='/dev/stdout'" in shown
    command = [executable(), "env", "--endpoint", cloud.url, *WEB, "--token-file", "token"]
    shown = subprocess.run(command, cwd=tmp_path, env=clean_environment(), text=True, capture_output=True, check=True).stdout
    assert f"AWS_WEB_IDENTITY_TOKEN_FILE='{tmp_path}/token'" in shown and (tmp_path / "token").read_text().startswith("eyJ")


def test_a_token_without_a_place_is_in_a_folder_of_the_user(cloud, tmp_path):
    places = {"TMPDIR": tmp_path / f"virga-{os.geteuid()}", "XDG_RUNTIME_DIR": tmp_path / "virga"}
    tmp_path.chmod(0o700)
    for variable, folder in places.items():
        shown = run("env", "--endpoint", cloud.url, "--format", "github", *WEB, **{variable: str(tmp_path)}).stdout
        file = Path(dict(line.split("=", 1) for line in shown.splitlines())["AWS_WEB_IDENTITY_TOKEN_FILE"])
        assert file.parent == folder and file.read_text().startswith("eyJ")
        assert folder.stat().st_mode & 0o777 == 0o700 and file.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_others_can_use_gets_no_token(cloud, tmp_path):
    folder = tmp_path / f"virga-{os.geteuid()}"
    for is_link in [False, True]:
        if is_link:
            folder.rename(tmp_path / "other")
            folder.symlink_to(tmp_path / "other")
        else:
            folder.mkdir()
            folder.chmod(0o777)
        result = run("env", "--endpoint", cloud.url, *WEB, TMPDIR=str(tmp_path))
        assert result.returncode == 1 and f"cannot use the folder {folder}: it is not a folder that only you can read" in result.stderr
        assert not list(folder.iterdir())


def test_a_token_and_settings_share_a_redirected_output(cloud, tmp_path):
    command = [executable(), "env", "--endpoint", cloud.url, *WEB, "--token-file", "/dev/stdout"]
    with open(tmp_path / "output", "w") as output:
        subprocess.run(command, env=clean_environment(), stdout=output, check=True)
    shown = (tmp_path / "output").read_text()
    assert shown.startswith("eyJ") and "AWS_WEB_IDENTITY_TOKEN_FILE='/dev/stdout'" in shown
    assert Path("/dev/stdout").is_symlink(), "it is not replaced by a file"


@pytest.mark.parametrize("arguments, text", [
    (["--as", "alice@company", "--role", ""], "--role must be the name"),
    (["--as", "alice@company", "--role", "a\nAWS_PROFILE=b"], "--role must be the name"),
    (["--as", "alice\n@company", "--role", "a"], "--as must be USER@PROVIDER")])
def test_what_would_end_a_line_is_refused(arguments, text):
    result = run("env", "--format", "github", *arguments)
    assert result.returncode == 64 and text in result.stderr


def test_names_that_no_shell_takes_are_left_alone():
    assert "AWS_ENDPOINT_URL_X" not in run("env", **{"AWS_ENDPOINT_URL_X;touch bad": "1"}).stdout


@pytest.mark.parametrize("port", ["abc", ",", "0", "65536"])
def test_a_port_is_a_number(port):
    result = run("env", VIRGA_PORT=port)
    assert result.returncode == 64 and f"VIRGA_PORT must be a number from 1 to 65535, not {port}." in result.stderr
