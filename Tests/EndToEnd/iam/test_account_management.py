"""AWS Account Management, with boto3's client."""

import pytest

from clients import client, refused
from office import KEYS


def test_an_account_describes_itself(office):
    account = client(office, "account").get_account_information()
    assert account["AccountState"] == "ACTIVE" and len(account["AccountId"]) == 12 and account["AccountName"]
    assert client(office, "sts").get_caller_identity()["Account"] == account["AccountId"]


def test_regions_are_listed_page_by_page(office):
    account = client(office, "account")
    pages = account.get_paginator("list_regions").paginate(PaginationConfig={"PageSize": 10})
    regions = {region["RegionName"]: region["RegionOptStatus"] for page in pages for region in page["Regions"]}
    assert len(regions) > 20 and not [name for name in regions if name.startswith(("cn-", "us-gov-"))]
    assert regions["us-east-1"] == "ENABLED_BY_DEFAULT" and regions["eu-south-1"] == "ENABLED"
    assert account.get_region_opt_status(RegionName="eu-south-1")["RegionOptStatus"] == "ENABLED"
    opted = account.list_regions(RegionOptStatusContains=["ENABLED"])["Regions"]
    assert {region["RegionName"] for region in opted} == {name for name, status in regions.items() if status == "ENABLED"}


def test_the_operations_need_permission(office):
    with refused("AccessDeniedException", 403, "account:ListRegions"):
        client(office, "account", **KEYS["eve"]).list_regions()


@pytest.mark.parametrize("operation, members", [
    ("get_account_information", {"AccountId": "111111111111"}), ("list_regions", {"AccountId": "111111111111"})])
def test_other_accounts_are_refused(office, operation, members):
    with refused("NotImplemented", 501, "AccountId"):
        getattr(client(office, "account"), operation)(**members)


def test_other_operations_are_refused(office):
    with refused("UnknownOperationException", 404):
        client(office, "account").get_primary_email(AccountId="111111111111")
