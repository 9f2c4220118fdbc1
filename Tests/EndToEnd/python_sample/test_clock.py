import datetime

import pytest


@pytest.mark.virga(clock="2030-01-01T00:00:00Z")
def test_time_stands_still(virga, virga_s3):
    virga_s3.put_object(Bucket="notes", Key="new", Body=b"")
    written = virga_s3.head_object(Bucket="notes", Key="new")["LastModified"]
    assert written.replace(tzinfo=None) == datetime.datetime(2030, 1, 1)
    assert virga.clock.read().mode == "frozen"


def test_time_runs_again(virga):
    reading = virga.clock.read()
    assert reading.mode == "running" and reading.now == reading.wall


def test_credentials_expire(virga, virga_session):
    s3 = virga_session(role="notes-user", as_="alice@staff").client("s3")
    s3.put_object(Bucket="notes", Key="alice-1/a", Body=b"")
    virga.clock.age(datetime.timedelta(hours=1, minutes=5))
    with pytest.raises(s3.exceptions.ClientError, match="ExpiredToken"):
        s3.get_object(Bucket="notes", Key="alice-1/a")
