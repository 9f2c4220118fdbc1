"""MFA devices of users over IAM: their life, what requires one, and the image of their seed."""

import pytest

from clients import client, keys_of, refused
from cloud import ACCOUNT
from one_time_passwords import code, read_code, step
from test_iam_users import allow, iam, make_user  # noqa: F401, a fixture


def test_a_device_opens_what_asks_for_a_second_factor(cloud, iam):
    seen = {"Bool": {"aws:MultiFactorAuthPresent": "true"}}
    keys = make_user(cloud, iam, "ann", allow("s3:ListAllMyBuckets", Condition=seen), allow("sts:GetSessionToken"))
    device = iam.create_virtual_mfa_device(VirtualMFADeviceName="phone", Path="/staff/")["VirtualMFADevice"]
    serial, seed = device["SerialNumber"], device["Base32StringSeed"]
    assert serial == f"arn:aws:iam::{ACCOUNT}:mfa/staff/phone"
    with refused("EntityAlreadyExists", 409, "MFA device already exists.$"):
        iam.create_virtual_mfa_device(VirtualMFADeviceName="phone", Path="/staff/")
    now = step(cloud)
    with refused("InvalidAuthenticationCode", 403, "Authentication code for device is not valid.$"):
        iam.enable_mfa_device(
            UserName="ann", SerialNumber=serial, AuthenticationCode1=code(seed, now), AuthenticationCode2=code(seed, now - 1))
    iam.enable_mfa_device(
        UserName="ann", SerialNumber=serial, AuthenticationCode1=code(seed, now - 1), AuthenticationCode2=code(seed, now))
    assert [one["SerialNumber"] for one in iam.list_mfa_devices(UserName="ann")["MFADevices"]] == [serial]
    assigned = iam.list_virtual_mfa_devices(AssignmentStatus="Assigned")["VirtualMFADevices"]
    assert [(one["SerialNumber"], one["User"]["UserName"]) for one in assigned] == [(serial, "ann")]

    s3, sts = client(cloud, "s3", **keys), client(cloud, "sts", **keys)
    with refused("AccessDenied", 403):
        s3.list_buckets()
    with refused("AccessDenied", 403, "MultiFactorAuthentication failed with invalid MFA one time pass code"):
        sts.get_session_token(SerialNumber=serial, TokenCode=code(seed, now - 100))
    session = keys_of(sts.get_session_token(SerialNumber=serial, TokenCode=code(seed, now)))
    assert client(cloud, "s3", **session).list_buckets()["Buckets"]

    iam.tag_mfa_device(SerialNumber=serial, Tags=[{"Key": "Team", "Value": "red"}, {"Key": "use", "Value": "work"}])
    iam.untag_mfa_device(SerialNumber=serial, TagKeys=["use"])
    assert iam.list_mfa_device_tags(SerialNumber=serial)["Tags"] == [{"Key": "Team", "Value": "red"}]
    with refused("NoSuchEntity", 404, f"VirtualMFADevice with serial number {serial}-2 doesn't exist.$"):
        iam.list_mfa_device_tags(SerialNumber=serial + "-2")
    with refused("DeleteConflict", 409, "MFA VirtualDevice in use. Must deactivate first.$"):
        iam.delete_virtual_mfa_device(SerialNumber=serial)
    with refused("DeleteConflict", 409, "Cannot delete entity, must remove tokens from principal first.$"):
        iam.delete_user(UserName="ann")
    iam.deactivate_mfa_device(UserName="ann", SerialNumber=serial)
    iam.delete_virtual_mfa_device(SerialNumber=serial)
    with refused("NoSuchEntity", 404, f"VirtualMFADevice with serial number {serial} doesn't exist.$"):
        iam.delete_virtual_mfa_device(SerialNumber=serial)


@pytest.mark.parametrize("name", ["t", "telephone", "a-telephone-whose-name-is-rather-long", "x" * 100])
def test_the_image_of_a_device_says_its_seed(iam, name):
    device = iam.create_virtual_mfa_device(VirtualMFADeviceName=name)["VirtualMFADevice"]
    seed = device["Base32StringSeed"].decode()
    assert read_code(device["QRCodePNG"]) == f"otpauth://totp/{name}@{ACCOUNT}?secret={seed}"
    iam.delete_virtual_mfa_device(SerialNumber=device["SerialNumber"])
