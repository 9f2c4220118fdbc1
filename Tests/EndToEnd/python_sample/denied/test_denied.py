def test_of_another_person(virga_session):
    s3 = virga_session(role="notes-user", as_="alice@staff").client("s3")
    s3.put_object(Bucket="notes", Key="alice-1/a", Body=b"")
    for _ in range(2):
        try:
            s3.get_object(Bucket="notes", Key="bob-2/a")
        except s3.exceptions.ClientError:
            pass
    s3.list_objects_v2(Bucket="notes")


def test_that_succeeds(virga_session):
    s3 = virga_session(role="notes-user", as_="alice@staff").client("s3")
    try:
        s3.get_object(Bucket="notes", Key="bob-2/a")
    except s3.exceptions.ClientError:
        pass


def test_that_fails_without_a_refusal(virga):
    assert virga.journal.entries() != []
