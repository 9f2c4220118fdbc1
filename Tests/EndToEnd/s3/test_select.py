"""SQL over objects: SelectObjectContent with boto3. The expected results for JSON were observed at AWS, or are in its User Guide."""

import bz2
import csv
import gzip
import io
import json

import pytest
from botocore.exceptions import ClientError, EventStreamError

from clients import anonymous, refused

LOGBOOK = [
    ("day", "boat", "miles", "remarks"), ("2026-03-01", "Petrel", "12.5", "calm"), ("2026-03-02", "Petrel", "31", 'gusts, "wild"'),
    ("2026-03-02", "Skua", "8.25", ""), ("2026-03-03", "Gannet", "44", "fog")]
RULES = [
    {"Rules": [{"id": "1"}, {"expr": "y > x"}, {"id": "2", "expr": "z = DEBUG"}]},
    {"created": "June 27", "modified": "July 6"}]


def text(rows):
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


@pytest.fixture
def log(root, bucket):
    root.put_object(Bucket=bucket, Key="log.csv", Body=text(LOGBOOK))
    return bucket


def events(client, bucket, key, expression, *, input=None, output=None, **further):
    answer = client.select_object_content(
        Bucket=bucket, Key=key, Expression=expression, ExpressionType="SQL", InputSerialization=input or {"CSV": {"FileHeaderInfo": "USE"}},
        OutputSerialization=output or {"CSV": {}}, **further)
    return list(answer["Payload"])


def select(*arguments, **further):
    """The content of a response's records."""
    found = events(*arguments, **further)
    assert found[-1] == {"End": {}} and "Stats" in found[-2]
    return b"".join(event["Records"]["Payload"] for event in found if "Records" in event).decode()


def lines(*arguments, input="LINES", **further):
    written = select(*arguments, input={"JSON": {"Type": input}}, output={"JSON": {}}, **further)
    return [json.loads(line) for line in written.splitlines()]


def test_a_query_of_csv(root, log):
    found = select(root, log, "log.csv", "SELECT s.day, boat, s.\"remarks\" FROM S3Object s WHERE s.miles > 10 AND boat LIKE 'P%'")
    assert list(csv.reader(io.StringIO(found))) == [list(row[:2] + row[3:]) for row in LOGBOOK[1:3]]
    assert select(root, log, "log.csv", "SELECT * FROM s3object", input={"CSV": {}}) == text(LOGBOOK)
    assert select(root, log, "log.csv", "SELECT _2 FROM s3object LIMIT 2", input={"CSV": {"FileHeaderInfo": "IGNORE"}}) == "Petrel\nPetrel\n"
    assert select(root, log, "log.csv", "SELECT * FROM s3object WHERE miles > 1000") == ""


def test_aggregates(root, log):
    assert select(
        root, log, "log.csv", "SELECT COUNT(*), SUM(CAST(miles AS FLOAT)), MAX(CAST(miles AS DECIMAL)), AVG(CAST(miles AS FLOAT)) FROM S3Object"
    ) == "4,95.75,44,23.9375\n"
    assert select(root, log, "log.csv", "SELECT COUNT(*) AS trips FROM S3Object s", output={"JSON": {}}) == '{"trips":4}\n'
    assert select(
        root, log, "log.csv", "SELECT SUM(CAST(miles AS FLOAT)) * 2 AS twice, COUNT(*) + 1, MAX(CAST(miles AS FLOAT)) > 40 FROM S3Object",
        output={"JSON": {}}) == '{"twice":191.5,"_2":5,"_3":true}\n'
    with refused("UnsupportedSqlStructure", 400):
        select(root, log, "log.csv", "SELECT miles + SUM(miles) FROM S3Object")


@pytest.mark.parametrize("compression, compress", [("GZIP", gzip.compress), ("BZIP2", bz2.compress)])
def test_a_small_object_that_expands_to_a_long_record_is_refused(root, bucket, compression, compress):
    root.put_object(Bucket=bucket, Key="bomb", Body=compress(bytes((64 << 20) + 1)))
    # The response begins after a second on a busy machine.
    with refused("OverMaxRecordSize", None):
        select(root, bucket, "bomb", "SELECT * FROM s3object", input={"CSV": {}, "CompressionType": compression})


def test_outputs(root, log):
    one = "SELECT day, remarks FROM S3Object WHERE miles = 31"
    assert select(root, log, "log.csv", one, output={"JSON": {"RecordDelimiter": ","}}) == '{"day":"2026-03-02","remarks":"gusts, \\"wild\\""},'
    assert select(root, log, "log.csv", one, output={"CSV": {"FieldDelimiter": "|", "RecordDelimiter": ";\n"}}) == '2026-03-02|"gusts, ""wild""";\n'
    assert select(root, log, "log.csv", one, output={"CSV": {"QuoteFields": "ALWAYS", "QuoteCharacter": "'", "FieldDelimiter": ":"}}) == (
        "'2026-03-02':'gusts, \"wild\"'\n")
    assert select(root, log, "log.csv", one, output={"CSV": {"QuoteEscapeCharacter": "\\"}}) == '2026-03-02,"gusts, \\"wild\\""\n'
    with refused("ObjectSerializationConflict", 400):
        select(root, log, "log.csv", one, output={"CSV": {}, "JSON": {}})


def test_bytes_are_counted(root, bucket):
    root.put_object(Bucket=bucket, Key="simple.json", Body='{"a1": "b1", "a2": "b2", "a3": null}')
    found = events(
        root, bucket, "simple.json", "SELECT count(*) FROM S3Object", input={"JSON": {"Type": "DOCUMENT"}},
        output={"JSON": {"RecordDelimiter": ","}})
    assert found == [
        {"Records": {"Payload": b'{"_1":1},'}}, {"Stats": {"Details": {"BytesScanned": 36, "BytesProcessed": 36, "BytesReturned": 9}}},
        {"End": {}}]


def test_progress_and_continuation_of_a_long_object(root, bucket):
    body = "".join(f"{number},row {number}\n" for number in range(120_000))
    root.put_object(Bucket=bucket, Key="long.csv", Body=body)
    found = events(
        root, bucket, "long.csv", "SELECT _2 FROM S3Object WHERE CAST(_1 AS INT) = 119999", input={"CSV": {}},
        RequestProgress={"Enabled": True})
    kinds = [next(iter(event)) for event in found]
    assert "Cont" in kinds and kinds[-2:] == ["Stats", "End"]
    last = [event["Progress"]["Details"] for event in found if "Progress" in event][-1]
    assert last == found[-2]["Stats"]["Details"] == {"BytesScanned": len(body), "BytesProcessed": len(body), "BytesReturned": 11}
    whole = select(root, bucket, "long.csv", "SELECT * FROM S3Object", input={"CSV": {}})
    assert whole == body


@pytest.mark.parametrize("compression, compress", [("GZIP", gzip.compress), ("BZIP2", bz2.compress)])
def test_compressed_objects(root, bucket, compression, compress):
    body = text(LOGBOOK).encode() * 5000
    root.put_object(Bucket=bucket, Key="packed", Body=compress(body))
    query = "SELECT * FROM S3Object"
    input = {"CSV": {}, "CompressionType": compression}
    found = events(root, bucket, "packed", query, input=input)
    assert b"".join(event["Records"]["Payload"] for event in found if "Records" in event) == body
    details = found[-2]["Stats"]["Details"]
    assert (details["BytesScanned"], details["BytesProcessed"]) == (len(compress(body)), len(body))
    root.put_object(Bucket=bucket, Key="plain", Body=body)
    with refused("InvalidCompressionFormat", 400, f"{compression} is not applicable to the queried object."):
        select(root, bucket, "plain", query, input=input)
    root.put_object(Bucket=bucket, Key="cut", Body=compress(body)[:-9])
    with refused("TruncatedInput", 400):
        select(root, bucket, "cut", query, input=input)


def test_paths_of_json(root, bucket):
    def put(value):
        root.put_object(Bucket=bucket, Key="x", Body=value if isinstance(value, str) else "\n".join(map(json.dumps, value)))

    put(RULES)
    assert lines(root, bucket, "x", "SELECT id FROM S3Object[*].Rules[*].id") == [{"id": "1"}, {}, {"id": "2"}, {}]
    put([{"dir": "docs", "files": [{"name": "."}], "owner": "A"}, {"dir": "other", "files": [], "owner": "B"}])
    assert lines(root, bucket, "x", "SELECT d.dir, d.files FROM S3Object[*] d") == [
        {"dir": "docs", "files": [{"name": "."}]}, {"dir": "other", "files": []}]
    assert lines(root, bucket, "x", "SELECT _1.dir, _1.owner FROM S3Object[*]") == [{"dir": "docs", "owner": "A"}, {"dir": "other", "owner": "B"}]
    assert lines(root, bucket, "x", "SELECT s.files[0].name, s['owner'] FROM S3Object s WHERE s.files[0] IS NOT MISSING") == [
        {"name": ".", "owner": "A"}]
    put(json.dumps([{"staff": [{"name": "J"}]}]))
    assert lines(root, bucket, "x", "select * from s3object[*].staff[*] s", input="DOCUMENT") == [{}]
    assert lines(root, bucket, "x", "select * from s3object s", input="DOCUMENT") == [{"_1": [{"staff": [{"name": "J"}]}]}]
    assert lines(root, bucket, "x", "select * from s3object[*][*].staff[*] s", input="DOCUMENT") == [{"name": "J"}]
    put("".join(json.dumps({"a": {f"b{i}": "s"}, "c": f"d{i}"}) for i in range(5)))
    found = events(
        root, bucket, "x", "select * from s3object[*].a", input={"JSON": {"Type": "DOCUMENT"}}, output={"JSON": {"RecordDelimiter": ","}})
    assert found[0]["Records"]["Payload"].startswith(b'{"b0":"s"},{"b1":"s"},')
    assert found[1]["Stats"]["Details"] == {"BytesScanned": 145, "BytesProcessed": 145, "BytesReturned": 55}
    with refused("ExternalEvalException", 400):
        select(root, bucket, "x", "select a from s3object", input={"JSON": {"Type": "DOCUMENT"}})


def test_scan_ranges_give_each_record_once(root, bucket):
    rows = [(str(number), "x" * (number % 7)) for number in range(200)]
    body = text([("number", "fill"), *rows])
    root.put_object(Bucket=bucket, Key="x", Body=body)
    root.put_object(Bucket=bucket, Key="j", Body="".join(json.dumps({"number": row[0]}) + "\n" for row in rows))

    def numbers(width):
        size = len(body)
        for start in range(0, size, width):
            yield from select(
                root, bucket, "x", "SELECT s.number FROM S3Object s", ScanRange={"Start": start, "End": min(start + width, size) - 1}).split()

    for width in (13, 100, 1000):
        assert list(numbers(width)) == [row[0] for row in rows]
    size = root.head_object(Bucket=bucket, Key="j")["ContentLength"]
    found = [
        line["number"] for start in range(0, size, 40)
        for line in lines(root, bucket, "j", "SELECT s.number FROM S3Object s", ScanRange={"Start": start, "End": min(start + 39, size - 1)})]
    assert found == [row[0] for row in rows]
    assert select(root, bucket, "x", "SELECT s.number FROM S3Object s", ScanRange={"End": 10}) == "199\n"
    with refused("InvalidScanRange", 400, "The provided scan range is not valid."):
        select(root, bucket, "x", "SELECT * FROM S3Object", ScanRange={"Start": 10, "End": 9})
    with refused("InvalidScanRange", 400):
        select(root, bucket, "x", "SELECT * FROM S3Object", ScanRange={"Start": len(body)})
    for input in ({"CSV": {"AllowQuotedRecordDelimiter": True}}, {"JSON": {"Type": "DOCUMENT"}}, {"CSV": {}, "CompressionType": "GZIP"}):
        with refused("UnsupportedScanRangeInput", 400):
            select(root, bucket, "x", "SELECT * FROM S3Object", input=input, ScanRange={"Start": 1})


@pytest.mark.parametrize("code, expression", [
    ("ParseSelectMissingFrom", "SELECT *"), ("UnsupportedSqlOperation", "DELETE FROM S3Object"), ("ParseEmptySelect", "SELECT FROM S3Object"),
    ("MissingHeaders", "SELECT nobody FROM S3Object"), ("LexerInvalidChar", "SELECT ? FROM S3Object"), ("InvalidTableAlias", "SELECT * FROM log"),
    ("UnsupportedFunction", "SELECT int(miles) FROM S3Object"), ("CastFailed", "SELECT CAST(boat AS INT) FROM S3Object")])
def test_what_goes_wrong_before_the_first_record_is_a_refusal(root, log, code, expression):
    with refused(code, 400):
        select(root, log, "log.csv", expression)


def test_what_goes_wrong_later_ends_the_stream(root, bucket):
    root.put_object(Bucket=bucket, Key="odd.csv", Body="1,one\n2,two\nthree,three\n4,four\n")
    answer = root.select_object_content(
        Bucket=bucket, Key="odd.csv", Expression="SELECT _2 FROM S3Object WHERE CAST(_1 AS INT) > 0", ExpressionType="SQL",
        InputSerialization={"CSV": {}}, OutputSerialization={"CSV": {}})
    found = b""
    with pytest.raises(EventStreamError) as failed:
        for event in answer["Payload"]:
            found += event["Records"]["Payload"]
    assert found == b"one\ntwo\n"
    assert failed.value.response["Error"] == {
        "Code": "CastFailed",
        "Message": "An attempt to convert from one data type to another using CAST failed in the SQL expression."}


def test_who_may_ask(cloud, root, log):
    with refused("NoSuchKey", 404):
        select(root, log, "gone", "SELECT * FROM S3Object")
    with refused("AccessDenied", 403):
        select(anonymous(cloud, "s3"), log, "log.csv", "SELECT * FROM S3Object")
    with pytest.raises(ClientError) as failed:
        select(root, log, "log.csv", "SELECT * FROM S3Object", input={"Parquet": {}})
    assert failed.value.response["Error"]["Code"] == "NotImplemented"
    select(root, log, "log.csv", "SELECT * FROM S3Object")
    entry = cloud.control("GET", "journal?operation=SelectObjectContent")["entries"][0]
    assert entry["status"] == 200 and [decision["action"] for decision in entry["decisions"]] == ["s3:GetObject"]


def test_an_object_under_a_key_of_the_client(root, bucket):
    rule = {"BlockedEncryptionTypes": {"EncryptionType": ["NONE"]}}
    root.put_bucket_encryption(Bucket=bucket, ServerSideEncryptionConfiguration={"Rules": [rule]})
    key = {"SSECustomerAlgorithm": "AES256", "SSECustomerKey": "k" * 32}
    root.put_object(Bucket=bucket, Key="x", Body="a\n", **key)
    assert select(root, bucket, "x", "SELECT * FROM S3Object", input={"CSV": {}}, **key) == "a\n"
    with refused("InvalidRequest", 400):
        select(root, bucket, "x", "SELECT * FROM S3Object", input={"CSV": {}})
