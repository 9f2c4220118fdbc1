import pytest
from virga_cloud import UnmetExpectation

ROLE = "arn:aws:iam::111122223333:role/notes-user"


def test_what_was_called(virga, virga_session):
    s3 = virga_session(role="notes-user", as_="alice@staff").client("s3")
    s3.put_object(Bucket="notes", Key="alice-1/a", Body=b"")
    virga.journal.expect("s3:PutObject", resource="arn:aws:s3:::notes/alice-1/*", caller=ROLE, times=1)
    virga.journal.expect("sts:AssumeRoleWithWebIdentity")
    virga.journal.never("s3:DeleteObject")
    virga.journal.never(caller="arn:aws:iam::111122223333:root")
    assert virga.journal.denied() == []


def test_near_misses(virga, virga_s3):
    virga_s3.put_object(Bucket="notes", Key="a", Body=b"")
    with pytest.raises(UnmetExpectation, match=r"found 0\n(.*\n)*.*action is s3:PutObject, not s3:GetObject"):
        virga.journal.expect("s3:GetObject", resource="arn:aws:s3:::notes/a")
    with pytest.raises(AssertionError, match="never: found 1"):
        virga.journal.never("s3:Put*")


def test_the_journal_begins_with_the_test(virga):
    assert virga.journal.entries() == []


def test_why_a_request_is_refused(virga, virga_session):
    s3 = virga_session(role="notes-user", as_="alice@staff").client("s3")
    with pytest.raises(s3.exceptions.ClientError, match="AccessDenied") as refused:
        s3.get_object(Bucket="notes", Key="bob-2/a")
    explanation = virga.explain(refused.value.response["ResponseMetadata"]["RequestId"])
    assert not explanation.allowed and "no identity-based policy allows the s3:GetObject action" in str(explanation)
    assert virga.explain(as_=ROLE, action="s3:ListBucket", resource="arn:aws:s3:::notes").allowed is False
    assert [entry.call for entry in virga.journal.denied()] == ["s3:GetObject"]
