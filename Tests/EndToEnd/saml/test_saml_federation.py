"""From an external SAML assertion to objects: metadata uploaded to IAM, AssumeRoleWithSAML, and policies with the subject."""

import json
import re
import subprocess

import pytest
from saml2.xmldsig import DIGEST_SHA1, SIG_RSA_SHA1

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, BUCKET, TIMEOUT_SECONDS
from saml_provider import RECIPIENT, SAMLProvider, certified_key, encoded
from test_aws_command_line import aws  # noqa: F401, a fixture

PROVIDER_ARN = f"arn:aws:iam::{ACCOUNT}:saml-provider/elsewhere"


def role_arn(name):
    return f"arn:aws:iam::{ACCOUNT}:role/{name}"


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    return SAMLProvider(tmp_path_factory.mktemp("provider"))


@pytest.fixture
def federation(cloud, provider):
    """The account trusts the provider, and so do two roles: `files` for everyone, `narrow` for one recipient only."""
    iam = client(cloud, "iam")
    made = iam.create_saml_provider(Name="elsewhere", SAMLMetadataDocument=provider.metadata)
    assert made["SAMLProviderArn"] == PROVIDER_ARN
    for name, condition in [("files", {}), ("narrow", {"StringEquals": {"saml:aud": RECIPIENT, "saml:sub_type": "persistent"}})]:
        trust = {"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Principal": {"Federated": PROVIDER_ARN}, "Action": ["sts:AssumeRoleWithSAML", "sts:TagSession"],
            "Condition": condition}]}
        iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(trust))
        iam.put_role_policy(RoleName=name, PolicyName="own", PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Action": "s3:*Object", "Resource": f"arn:aws:s3:::{BUCKET}/${{saml:sub}}/*"}]}))
    return cloud


def assume(cloud, role, assertion, **parameters):
    return anonymous(cloud, "sts").assume_role_with_saml(
        RoleArn=role_arn(role), PrincipalArn=PROVIDER_ARN, SAMLAssertion=assertion, **parameters)


def test_an_assertion_of_another_provider_gives_a_session_with_its_own_folder(federation, provider):
    answer = assume(federation, "files", provider.assertion("files", "alice@elsewhere.example"))
    assert answer["Subject"] == "alice@elsewhere.example" and answer["SubjectType"] == "persistent"
    assert answer["Issuer"] == provider.entity_id and answer["Audience"] == RECIPIENT
    assert answer["AssumedRoleUser"]["Arn"] == f"arn:aws:sts::{ACCOUNT}:assumed-role/files/alice@elsewhere.example"
    assert len(answer["NameQualifier"]) == 28 and 0 <= answer["PackedPolicySize"] <= 100

    s3 = client(federation, "s3", **keys_of(answer))
    s3.put_object(Bucket=BUCKET, Key="alice@elsewhere.example/note.txt", Body=b"mine")
    assert s3.get_object(Bucket=BUCKET, Key="alice@elsewhere.example/note.txt")["Body"].read() == b"mine"
    with refused("AccessDenied", 403):
        s3.put_object(Bucket=BUCKET, Key="bob@elsewhere.example/note.txt", Body=b"not mine")


def test_a_trust_policy_looks_at_the_recipient(federation, provider):
    assert assume(federation, "narrow", provider.assertion("narrow"))["Subject"] == "alice"
    with refused("AccessDenied", 403, "Not authorized to perform sts:AssumeRoleWithSAML"):
        assume(federation, "narrow", provider.assertion("narrow", recipient="https://elsewhere.example/saml"))
    # Another role does not check it.
    assume(federation, "files", provider.assertion("files", recipient="https://elsewhere.example/saml"))


def test_session_policies_durations_and_tags(federation, provider):
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}
    assertion = provider.assertion("files", **{"SessionDuration": ["900"], "PrincipalTag:Team": ["red"]})
    moment = federation.freeze()
    answer = assume(federation, "files", assertion, Policy=json.dumps(policy), DurationSeconds=3600)
    assert answer["Credentials"]["Expiration"].timestamp() == moment + 900
    with refused("AccessDenied", 403):
        client(federation, "s3", **keys_of(answer)).put_object(Bucket=BUCKET, Key="alice/note.txt", Body=b"x")


def test_the_aws_command_line_takes_an_assertion(aws, endpoint, provider, cloud, tmp_path):  # noqa: F811
    aws("iam", "create-saml-provider", "--name", "elsewhere", "--saml-metadata-document", provider.metadata)
    trust = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": PROVIDER_ARN}, "Action": "sts:AssumeRoleWithSAML"}]}
    aws("iam", "create-role", "--role-name", "files", "--assume-role-policy-document", json.dumps(trust))
    (tmp_path / "assertion").write_text(provider.assertion("files"))
    answer = json.loads(aws(
        "sts", "assume-role-with-saml", "--role-arn", role_arn("files"), "--principal-arn", PROVIDER_ARN, "--saml-assertion",
        f"file://{tmp_path / 'assertion'}"))
    credentials = answer["Credentials"]
    identity = json.loads(aws(
        "sts", "get-caller-identity", AWS_ACCESS_KEY_ID=credentials["AccessKeyId"],
        AWS_SECRET_ACCESS_KEY=credentials["SecretAccessKey"], AWS_SESSION_TOKEN=credentials["SessionToken"]))
    assert identity["Arn"] == f"arn:aws:sts::{ACCOUNT}:assumed-role/files/alice"


def test_responses_that_are_not_to_be_believed_are_refused(federation, provider, tmp_path):
    good = provider.response("files")
    with refused("InvalidIdentityToken", 400, "Response signature invalid"):
        assume(federation, "files", encoded(good.replace(">alice<", ">admin<")))
    with refused("InvalidIdentityToken", 400, "must contain an assertion with a mandatory signature"):
        assume(federation, "files", provider.assertion("files", sign_assertion=False, sign_response=True))
    with refused("InvalidIdentityToken", 400, "Response signature invalid"):
        assume(federation, "files", provider.assertion("files", algorithm=SIG_RSA_SHA1, digest=DIGEST_SHA1))
    with refused("InvalidIdentityToken", 400, "Response signature invalid"):
        assume(federation, "files", SAMLProvider(tmp_path).assertion("files"))
    with refused("InvalidIdentityToken", 400, "Issuer not present in specified provider"):
        assume(federation, "files", SAMLProvider(tmp_path, "https://third.example/saml").assertion("files"))
    with refused("InvalidIdentityToken", 400, "SAML Assertion doesn't contain the requested Role and Metadata in the attributes"):
        assume(federation, "files", provider.assertion("narrow"))
    # Both signatures are valid, and the same assertion is accepted again.
    both = provider.assertion("files", sign_response=True)
    assume(federation, "files", both)
    assume(federation, "files", both)


@pytest.mark.parametrize("cipher, session_key", [
    ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "aes-128"), ("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "aes-256"),
    ("http://www.w3.org/2009/xmlenc11#aes128-gcm", "aes-128"), ("http://www.w3.org/2009/xmlenc11#aes256-gcm", "aes-256")])
def test_an_assertion_that_xmlsec1_encrypted_for_the_account_is_taken(federation, provider, tmp_path, cipher, session_key):
    key, certificate = certified_key(tmp_path, "account")
    client(federation, "iam").update_saml_provider(
        SAMLProviderArn=PROVIDER_ARN, AssertionEncryptionMode="Required", AddPrivateKey=key.read_text())
    clear = provider.response("files")
    with refused("InvalidIdentityToken", 400):
        assume(federation, "files", encoded(clear))

    # The namespaces of the assertion are declared on its ancestors.
    wrapped = re.sub(r"(<(\w+):Assertion .*</\2:Assertion>)", r"<\2:EncryptedAssertion>\1</\2:EncryptedAssertion>", clear, flags=re.DOTALL)
    (tmp_path / "clear.xml").write_text(wrapped)
    encryption = "http://www.w3.org/2001/04/xmlenc#"
    (tmp_path / "template.xml").write_text(
        f'<EncryptedData xmlns="{encryption}" Type="{encryption}Element"><EncryptionMethod Algorithm="{cipher}"/>'
        f'<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><EncryptedKey xmlns="{encryption}">'
        f'<EncryptionMethod Algorithm="{encryption}rsa-oaep-mgf1p"/><CipherData><CipherValue/></CipherData></EncryptedKey></KeyInfo>'
        '<CipherData><CipherValue/></CipherData></EncryptedData>')
    result = subprocess.run(
        ["xmlsec1", "--encrypt", "--pubkey-cert-pem", certificate, "--session-key", session_key, "--xml-data", tmp_path / "clear.xml",
         "--node-xpath", "//*[local-name()='Assertion']", "--output", tmp_path / "encrypted.xml", tmp_path / "template.xml"],
        capture_output=True, timeout=TIMEOUT_SECONDS)
    assert result.returncode == 0, result.stderr
    encrypted = (tmp_path / "encrypted.xml").read_text()
    assert "AttributeStatement" not in encrypted
    assert assume(federation, "files", encoded(encrypted))["Subject"] == "alice"


def test_metadata_without_a_sound_key_is_refused(cloud, provider):
    iam = client(cloud, "iam")
    with refused("InvalidInput", 400, "Could not parse metadata"):
        iam.create_saml_provider(Name="x", SAMLMetadataDocument=provider.metadata.replace("IDPSSODescriptor", "SPSSODescriptor"))
    with refused("InvalidInput", 400, "Could not parse metadata"):
        iam.create_saml_provider(Name="x", SAMLMetadataDocument="<!DOCTYPE x>" + provider.metadata)
