import pytest


@pytest.mark.parametrize("number", range(12))
def test_each_test_begins_with_the_prepared_state(virga_s3, keys, number):
    assert keys() == ["welcome"]
    virga_s3.put_object(Bucket="notes", Key="mine", Body=str(number).encode())
    virga_s3.delete_object(Bucket="notes", Key="welcome")
    assert virga_s3.get_object(Bucket="notes", Key="mine")["Body"].read() == str(number).encode()


@pytest.mark.parametrize("number", range(4))
def test_each_test_begins_without_users(virga_iam, number):
    assert virga_iam.list_users()["Users"] == []
    virga_iam.create_user(UserName="same")


@pytest.mark.virga(seed={"accounts": [{"id": "444455556666", "rootKeys": [{"id": "other", "secret": "other-secret"}]}]})
def test_a_seed_for_one_test(virga_sts):
    assert virga_sts.get_caller_identity()["Arn"] == "arn:aws:iam::444455556666:root"


def test_the_next_test_has_the_seed_of_the_suite(virga_sts):
    assert virga_sts.get_caller_identity()["Arn"] == "arn:aws:iam::111122223333:root"
