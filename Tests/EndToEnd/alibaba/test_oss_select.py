"""SQL over objects: SelectObject and CreateSelectObjectMeta, with both SDKs for Python."""

import base64
import csv
import gzip
import io
import json

import alibabacloud_oss_v2 as oss
import oss2
import pytest

from harbour import bucket, client

LOGBOOK = [
    ("day", "boat", "miles", "remarks"), ("2026-03-01", "Petrel", "12.5", "calm"), ("2026-03-02", "Petrel", "31", 'gusts, "wild"'),
    ("2026-03-02", "Skua", "8.25", ""), ("2026-03-03", "Gannet", "44", "fog\nall day"),
]


def text(rows):
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


@pytest.fixture(params=["v1", "v2", "v4"])
def workshop(request, harbour):
    """A bucket with the logbook, with a client for one of the signatures."""
    made = bucket(harbour, "workshop", signature=request.param)
    made.create_bucket()
    made.put_object("log.csv", text(LOGBOOK))
    made.put_object("log.csv.gz", gzip.compress(text(LOGBOOK).encode()))
    made.put_object("log.json", "\n".join(json.dumps(dict(zip(LOGBOOK[0], row))) for row in LOGBOOK[1:]))
    return made


def test_a_query_of_csv(workshop):
    progress = []
    result = workshop.select_object(
        "log.csv", "select day, boat, remarks from ossobject where miles > 10 and boat like 'P%'",
        lambda done, total: progress.append(done), {"CsvHeaderInfo": "Use", "EnablePayloadCrc": True})
    assert result.status == 206
    assert list(csv.reader(io.StringIO(result.read().decode()))) == [list(row[:2] + row[3:]) for row in LOGBOOK[1:3]]
    assert progress[-1] == len(text(LOGBOOK))
    for key, more in (("log.csv", {}), ("log.csv.gz", {"CompressionType": "GZIP"})):
        everything = workshop.select_object(key, "select * from ossobject", None, {"CsvHeaderInfo": "None"} | more).read()
        assert everything == text(LOGBOOK).encode()


def test_aggregates(workshop):
    result = workshop.select_object(
        "log.csv", "select count(*), sum(cast(miles as double)), max(cast(miles as double)) from ossobject where day >= '2026-03-02'",
        None, {"CsvHeaderInfo": "Use"})
    assert result.read() == b"3,83.25,44\n"


def test_a_query_of_json(workshop):
    assert workshop.create_select_object_meta("log.json", {"Json_Type": "LINES"}).rows == 4
    result = workshop.select_object(
        "log.json", "select boat, miles as distance from ossobject where cast(miles as decimal) between 8 and 13", None, {"Json_Type": "LINES"})
    assert [json.loads(line) for line in result.read().splitlines()] == [
        {"boat": "Petrel", "distance": "12.5"}, {"boat": "Skua", "distance": "8.25"}]


def test_what_goes_wrong_early_is_a_refusal_and_what_goes_wrong_late_is_told_at_the_end(workshop):
    for statement, code in [
            ("select nobody from ossobject", "SqlInvalidColumnName"), ("select day from ossobject order by day", "SqlSyntaxError"),
            ("", "InvalidSqlParameter")]:
        with pytest.raises(oss2.exceptions.ServerError) as refused:
            workshop.select_object("log.csv", statement, None, {"CsvHeaderInfo": "Use"})
        assert (refused.value.status, refused.value.code) == (400, code)
    workshop.put_object("odd.csv", "1,one\n2,two\nthree,three\n4,four\n")
    found = b""
    with pytest.raises(oss2.exceptions.SelectOperationFailed) as failed:
        for piece in workshop.select_object("odd.csv", "select _2 from ossobject where cast(_1 as int) > 0"):
            found += piece
    assert found == b"one\ntwo\n" and failed.value.status == 400 and failed.value.code == b"InvalidCsvLine"
    skipping = workshop.select_object(
        "odd.csv", "select _2 from ossobject where cast(_1 as int) > 0", None, {"MaxSkippedRecordsAllowed": 1})
    assert skipping.read() == b"one\ntwo\nfour\n"


def encoded(words):
    return base64.b64encode(words.encode()).decode()


def test_the_second_sdk(harbour):
    made = client(harbour)
    made.put_bucket(oss.PutBucketRequest("workshop"))
    made.put_object(oss.PutObjectRequest("workshop", "log.csv", body=text(LOGBOOK).encode()))
    meta = made.create_select_object_meta(oss.CreateSelectObjectMetaRequest(
        "workshop", "log.csv", process="csv/meta",
        select_meta_request=oss.CSVMetaRequest(input_serialization=oss.InputSerialization(csv=oss.CSVInput()))))
    assert (meta.total_scanned_bytes, meta.splits_count, meta.rows_count, meta.cols_count) == (len(text(LOGBOOK)), 1, 5, 4)
    for is_raw in (False, True):
        result = made.select_object(oss.SelectObjectRequest(
            "workshop", "log.csv", process="csv/select", select_request=oss.SelectRequest(
                expression=encoded("select boat from ossobject where remarks = '' or miles = 31"),
                input_serialization=oss.InputSerialization(csv=oss.CSVInput(file_header_info="Use", range="line-range=1-3")),
                output_serialization=oss.OutputSerialization(output_header=True, output_raw_data=is_raw))))
        assert result.status_code == 206 and result.headers["x-oss-select-output-raw"] == str(is_raw).lower()
        assert result.body.content == b"boat\nPetrel\nSkua\n"


def test_queries_are_in_the_journal_and_need_the_right_to_read(harbour):
    made = bucket(harbour, "workshop")
    made.create_bucket()
    made.put_object("log.csv", text(LOGBOOK))
    made.select_object("log.csv", "select * from ossobject").read()
    entry = harbour.control("GET", "journal?operation=SelectObject")["entries"][0]
    assert entry["status"] == 206 and [decision["action"] for decision in entry["decisions"]] == ["oss:GetObject"]
