"""The addresses of a cloud: buckets and services by host name, issuers under every name, a public URL."""

import base64
import json

import pytest
import requests
from botocore.awsrequest import AWSRequest

from clients import ROOT, anonymous, assume, client, error_of, role_arn, sign
from cloud import BUCKET, REGION, Cloud


def at_host(cloud, host, method, path, *, keys=None, body=b"", region=REGION, **options):
    """Sends a request to this process with another host name; signed for S3 if there are keys."""
    headers = {"Host": host}
    if keys:
        request = AWSRequest(method=method, url=f"http://{host}{path}", data=body, headers={})
        sign(request, keys, region)
        headers |= dict(request.headers)
    return requests.request(method, cloud.url + path, data=body or options.pop("data", None), headers=headers, **options)


@pytest.mark.parametrize("host", [
    f"{BUCKET}.s3.amazonaws.com", f"{BUCKET}.s3.us-east-1.amazonaws.com", f"{BUCKET}.s3.us-east-1.api.aws", f"{BUCKET}.s3.localhost", f"{BUCKET}.localhost",
    f"{BUCKET}.s3.localhost:4566"])
def test_a_bucket_may_be_named_by_the_host(cloud, root, host):
    put = at_host(cloud, host, "PUT", "/folder/x", keys=ROOT, body=b"by host")
    assert put.status_code == 200, put.text
    assert root.get_object(Bucket=BUCKET, Key="folder/x")["Body"].read() == b"by host"
    listing = at_host(cloud, host, "GET", "/?list-type=2&prefix=folder%2F", keys=ROOT)
    assert "<Key>folder/x</Key>" in listing.text
    assert at_host(cloud, host, "GET", "/folder/x").status_code == 403


def test_a_host_that_names_no_bucket_of_ours_says_so(cloud):
    response = at_host(cloud, "no-such-bucket.s3.localhost", "GET", "/x", keys=ROOT)
    assert (response.status_code, error_of(response)["BucketName"]) == (404, "no-such-bucket")


def test_services_answer_to_their_own_names(cloud):
    token = cloud.token("facebook", "alice")
    me = at_host(cloud, "graph.facebook.com", "GET", f"/v19.0/me?access_token={token}")
    assert me.json()["id"] == cloud.issue("facebook", "alice")["subject"]
    amazon = at_host(cloud, "api.amazon.com", "GET", "/auth/o2/tokeninfo", params={"access_token": cloud.token("amazon", "bob")})
    assert amazon.json()["user_id"] == cloud.issue("amazon", "bob")["subject"]
    google = at_host(cloud, "accounts.google.com", "GET", "/.well-known/openid-configuration").json()
    assert google["issuer"] == "https://accounts.google.com"
    sts = at_host(cloud, "sts.eu-central-1.amazonaws.com", "POST", "/", data={
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": role_arn("facebook"),
        "RoleSessionName": "tester", "ProviderId": "graph.facebook.com", "WebIdentityToken": token})
    assert sts.status_code == 200, sts.text


def test_a_bucket_called_like_a_path_of_ours_is_reached_by_a_signature(cloud, root):
    root.create_bucket(Bucket="idp")
    root.put_object(Bucket="idp", Key="company/.well-known/openid-configuration", Body=b"an object")
    got = root.get_object(Bucket="idp", Key="company/.well-known/openid-configuration")
    assert got["Body"].read() == b"an object"
    assert requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()["issuer"]


def test_an_unsigned_call_of_sts_may_be_a_get(cloud):
    issued = cloud.issue("company", "alice")
    parameters = {"Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": role_arn("company"),
                  "RoleSessionName": "tester", "WebIdentityToken": issued["token"]}
    for response in [requests.get(f"{cloud.url}/", params=parameters), requests.post(f"{cloud.url}/", params=parameters)]:
        assert response.status_code == 200, response.text
        assert f"<SubjectFromWebIdentityToken>{issued['subject']}</SubjectFromWebIdentityToken>" in response.text


@pytest.mark.parametrize("parameters, code", [
    ({"Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-14"}, "InvalidAction"),
    ({"Action": "Fly", "Version": "2011-06-15"}, "InvalidAction")])
def test_an_operation_that_sts_does_not_have_is_refused(cloud, parameters, code):
    response = at_host(cloud, "sts.amazonaws.com", "POST", "/", data=parameters)
    assert (response.status_code, f"<Code>{code}</Code>" in response.text) == (400, True), response.text


@pytest.mark.parametrize("service", ["dynamodb", "kms"])
def test_a_service_that_is_not_here_is_never_mistaken_for_another(cloud, service):
    call = {"dynamodb": "list_tables", "kms": "list_keys"}[service]
    s3 = client(cloud, service)
    with pytest.raises(s3.exceptions.ClientError) as raised:
        getattr(s3, call)()
    assert 400 <= raised.value.response["ResponseMetadata"]["HTTPStatusCode"] < 600


def issuer_of(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))["iss"]


def test_an_issuer_is_spelled_as_it_was_asked_for_and_means_the_same(cloud):
    for host in [f"localhost:{cloud.port}", f"127.0.0.1:{cloud.port}", "virga:4566"]:
        metadata = at_host(cloud, host, "GET", "/idp/company/.well-known/openid-configuration").json()
        assert metadata["issuer"] == f"http://{host}/idp/company"
        token = at_host(cloud, host, "POST", "/_virga/tokens", json={"provider": "company", "user": "alice"}).json()["token"]
        assert issuer_of(token) == metadata["issuer"]
        assert assume(cloud, "company", token)["Provider"].endswith("oidc-provider/login.company.example")


def test_a_token_of_the_same_issuer_elsewhere_is_none_of_ours(cloud):
    token = cloud.token("company", "alice", claims={"iss": "http://login.elsewhere.example/idp/company"})
    with pytest.raises(anonymous(cloud, "sts").exceptions.ClientError, match="The web identity token provided could not be validated"):
        assume(cloud, "company", token)


def test_a_public_url_stands_in_every_answer():
    with Cloud.ephemeral("--public-url", "https://cloud.example") as cloud:
        metadata = requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()
        assert metadata["issuer"] == "https://cloud.example/idp/company"
        for endpoint in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]:
            assert metadata[endpoint].startswith("https://cloud.example/idp/company/")
        token = cloud.token("company", "alice")
        assert issuer_of(token) == metadata["issuer"]
        assert assume(cloud, "company", token)["Credentials"]


def test_an_alias_is_a_name_of_the_process():
    with Cloud.ephemeral("--alias", "login.test.example") as cloud:
        token = cloud.token("company", "alice", claims={"iss": "https://login.test.example/idp/company"})
        assert assume(cloud, "company", token)["Credentials"]
