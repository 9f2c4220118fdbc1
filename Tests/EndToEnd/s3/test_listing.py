"""Listing objects over S3, versions 1 and 2, with keys of every kind."""

import pytest

from clients import refused, signed

ODD_KEYS = [
    "plain", "two words", "plus+plus", "100%", "%41", "ünïcode/日本語", "emoji/🌧", "/leading", "a//b", "trailing/",
    "quote'\"", "<&>", "a&b=c", "question?mark", "hash#tag", "semi;colon", "back\\slash", "tilde~", "star*", "tab\there",
    "colon:at@", "dots/../up", "./dot", "new\nline", "ctrl\x01"]


def keys(answer):
    return [entry["Key"] for entry in answer.get("Contents", [])]


def prefixes(answer):
    return [entry["Prefix"] for entry in answer.get("CommonPrefixes", [])]


def fill(s3, bucket, names):
    for name in names:
        s3.put_object(Bucket=bucket, Key=name, Body=name.encode())


@pytest.mark.parametrize("operation", ["list_objects", "list_objects_v2"])
def test_odd_keys_keep_their_spelling(root, bucket, operation):
    fill(root, bucket, ODD_KEYS)
    assert keys(getattr(root, operation)(Bucket=bucket)) == sorted(ODD_KEYS, key=lambda key: key.encode())
    for key in ODD_KEYS:
        assert root.get_object(Bucket=bucket, Key=key)["Body"].read() == key.encode(), key
        # Version 1 repeats the prefix unchanged, and XML cannot represent this character.
        if (operation, key) != ("list_objects", "ctrl\x01"):
            assert keys(getattr(root, operation)(Bucket=bucket, Prefix=key)) == [
                other for other in sorted(ODD_KEYS, key=lambda key: key.encode()) if other.startswith(key)]
        root.delete_object(Bucket=bucket, Key=key)
    assert keys(getattr(root, operation)(Bucket=bucket)) == []


def test_keys_are_encoded_only_when_asked_for(cloud, root, bucket):
    fill(root, bucket, ["two words+ü/x"])
    plain = signed(cloud, "GET", f"/{bucket}?list-type=2")
    assert "<Key>two words+ü/x</Key>" in plain.content.decode()
    encoded = signed(cloud, "GET", f"/{bucket}?encoding-type=url&list-type=2")
    assert "<EncodingType>url</EncodingType>" in encoded.text
    assert "<Key>two+words%2B%C3%BC/x</Key>" in encoded.text


@pytest.mark.parametrize("operation", ["list_objects", "list_objects_v2"])
def test_a_prefix_and_a_delimiter_make_folders(root, bucket, operation):
    fill(root, bucket, ["a", "b/1", "b/2", "b/c/3", "b/d/4", "e/5", "f"])
    listing = getattr(root, operation)
    answer = listing(Bucket=bucket, Delimiter="/")
    assert (keys(answer), prefixes(answer)) == (["a", "f"], ["b/", "e/"])
    answer = listing(Bucket=bucket, Delimiter="/", Prefix="b/")
    assert (keys(answer), prefixes(answer)) == (["b/1", "b/2"], ["b/c/", "b/d/"])
    answer = listing(Bucket=bucket, Delimiter="/", Prefix="b")
    assert (keys(answer), prefixes(answer)) == ([], ["b/"])
    answer = listing(Bucket=bucket, Prefix="nothing")
    assert (keys(answer), prefixes(answer)) == ([], [])


def test_pages_of_version_2_join_up(root, bucket):
    names = sorted(f"{folder}/{number}" for folder in "abc" for number in range(7))
    fill(root, bucket, names)
    for size in [1, 2, 5, 7, 20, 21, 22]:
        pages = list(root.get_paginator("list_objects_v2").paginate(
            Bucket=bucket, PaginationConfig={"PageSize": size}))
        assert [name for page in pages for name in keys(page)] == names
        assert all(page["KeyCount"] == len(keys(page)) <= size for page in pages)
        assert [page["IsTruncated"] for page in pages] == [True] * (len(pages) - 1) + [False]


def test_pages_of_version_1_join_up(root, bucket):
    names = sorted(f"{folder}/{number}" for folder in "abc" for number in range(7))
    fill(root, bucket, names)
    for size in [1, 2, 5, 21]:
        pages = list(root.get_paginator("list_objects").paginate(Bucket=bucket, PaginationConfig={"PageSize": size}))
        assert [name for page in pages for name in keys(page)] == names


@pytest.mark.parametrize("operation", ["list_objects", "list_objects_v2"])
def test_a_folder_counts_as_one_entry_of_a_page(root, bucket, operation):
    fill(root, bucket, ["a/1", "a/2", "a/3", "b", "c/1", "c/2", "d"])
    pages = list(root.get_paginator(operation).paginate(
        Bucket=bucket, Delimiter="/", PaginationConfig={"PageSize": 1}))
    assert [entry for page in pages for entry in prefixes(page) + keys(page)] == ["a/", "b", "c/", "d"]


def test_a_listing_may_start_after_a_key(root, bucket):
    fill(root, bucket, ["a", "b", "c"])
    assert keys(root.list_objects_v2(Bucket=bucket, StartAfter="a")) == ["b", "c"]
    assert keys(root.list_objects_v2(Bucket=bucket, StartAfter="aa")) == ["b", "c"]
    assert keys(root.list_objects(Bucket=bucket, Marker="b")) == ["c"]


def test_an_entry_describes_its_object(root, bucket):
    tag = root.put_object(Bucket=bucket, Key="x", Body=b"12345")["ETag"]
    entry = root.list_objects_v2(Bucket=bucket, FetchOwner=True)["Contents"][0]
    assert (entry["ETag"], entry["Size"], entry["StorageClass"]) == (tag, 5, "STANDARD")
    assert entry["Owner"]["ID"]
    assert "Owner" not in root.list_objects_v2(Bucket=bucket)["Contents"][0]
    assert entry["LastModified"].replace(microsecond=0) == root.head_object(Bucket=bucket, Key="x")["LastModified"]


def test_no_keys_at_all_may_be_asked_for(root, bucket):
    fill(root, bucket, ["a"])
    answer = root.list_objects_v2(Bucket=bucket, MaxKeys=0)
    assert (keys(answer), answer["IsTruncated"], answer["MaxKeys"]) == ([], False, 0)


def test_a_page_has_at_most_a_thousand_keys(root, bucket):
    fill(root, bucket, [f"{number:04}" for number in range(1001)])
    answer = root.list_objects_v2(Bucket=bucket, MaxKeys=5000)
    assert (len(keys(answer)), answer["IsTruncated"], answer["MaxKeys"]) == (1000, True, 5000)


@pytest.mark.parametrize("query", [
    "max-keys=-1", "max-keys=many", "continuation-token=garbage&list-type=2", "encoding-type=base64"])
def test_parameters_that_make_no_sense_are_refused(cloud, bucket, query):
    response = signed(cloud, "GET", f"/{bucket}?{query}")
    assert (response.status_code, "<Code>InvalidArgument</Code>" in response.text) == (400, True), response.text


def test_a_continuation_token_that_is_empty_is_none(root, bucket):
    with refused("InvalidArgument", 400, "continuation token"):
        root.list_objects_v2(Bucket=bucket, ContinuationToken="")
