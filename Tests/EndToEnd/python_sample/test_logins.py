import pytest
from botocore.exceptions import ClientError
from virga_cloud import CloudError


def test_a_login_leads_to_a_session(virga, virga_session):
    login = virga.login("alice", "staff")
    assert login.redirect_url.startswith("http://localhost:9000/callback?") and login.access_token
    s3 = virga_session(role="notes-user", as_="alice@staff", token=login.id_token).client("s3")
    s3.put_object(Bucket="notes", Key="alice-1/a", Body=b"")


def test_a_person_denies(virga):
    with pytest.raises(CloudError) as error:
        virga.login("bob", "staff", consent=False)
    assert error.value.code == "access_denied"


def test_a_person_who_is_unknown(virga):
    with pytest.raises(CloudError, match="no person 'zoe'; expected one of alice, bob"):
        virga.login("zoe", "staff")


@pytest.mark.parametrize("fault", ["expired", "wrongAudience", "otherKey"])
def test_bad_tokens_are_refused(virga, virga_session, fault):
    token = virga.token("staff", user="alice", fault=fault)
    with pytest.raises(ClientError):
        virga_session(role="notes-user", as_="alice@staff", token=token)


def test_claims_of_a_token(virga):
    token = virga.token("staff", user="alice", claims={"team": "red"})
    assert (token.type, token.client, token.subject) == ("id_token", "notes", "alice-1")
