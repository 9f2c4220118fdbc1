"""pyarrow: tables in Parquet files, and its file system, which uses the AWS SDK for C++."""

import os

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest
from pyarrow.fs import FileSelector, FileType, LocalFileSystem, S3FileSystem, copy_files

MIB = 1 << 20


@pytest.fixture
def files(endpoint):
    return S3FileSystem(
        access_key="test", secret_key="test", region="us-east-1", scheme=endpoint.scheme, endpoint_override=endpoint.host,
        tls_ca_file_path=str(endpoint.authority) if endpoint.authority else None, allow_bucket_creation=True,
        allow_bucket_deletion=True)


def names(files, folder, recursive=True):
    return sorted(entry.path for entry in files.get_file_info(FileSelector(folder, recursive=recursive)) if entry.is_file)


def test_a_partitioned_data_set_is_written_and_read_back(files):
    table = pyarrow.table({
        "year": [2024 + number % 3 for number in range(30_000)], "number": range(30_000), "noise": [os.urandom(8).hex()] * 30_000})
    partitioning = pyarrow.dataset.partitioning(pyarrow.schema([("year", pyarrow.int64())]), flavor="hive")
    files.create_dir("lake")
    pyarrow.dataset.write_dataset(table, "lake/t", format="parquet", partitioning=partitioning, filesystem=files)
    assert names(files, "lake/t") == [f"lake/t/year={year}/part-0.parquet" for year in [2024, 2025, 2026]]
    data = pyarrow.dataset.dataset("lake/t", partitioning=partitioning, filesystem=files)
    assert data.count_rows() == 30_000
    some = data.to_table(columns=["number"], filter=(pyarrow.dataset.field("year") == 2025)).column("number").to_pylist()
    assert sorted(some) == list(range(1, 30_000, 3))
    # A second write deletes the old files first, many keys at once.
    pyarrow.dataset.write_dataset(
        table.slice(0, 3), "lake/t", format="parquet", partitioning=partitioning, filesystem=files,
        existing_data_behavior="delete_matching")
    assert pyarrow.dataset.dataset("lake/t", partitioning=partitioning, filesystem=files).count_rows() == 3


def test_a_large_file_is_streamed_in_parts_and_read_at_random(files):
    body = os.urandom(23 * MIB)
    files.create_dir("workshop")
    with files.open_output_stream("workshop/film", metadata={"Content-Type": "video/mp4", "length": "short"}) as stream:
        for at in range(0, len(body), MIB):
            stream.write(body[at:at + MIB])
    information = files.get_file_info("workshop/film")
    assert (information.type, information.size) == (FileType.File, len(body))
    with files.open_input_file("workshop/film") as file:
        assert file.metadata()["Content-Type"] == b"video/mp4"
        assert file.read_at(1000, 15 * MIB) == body[15 * MIB:15 * MIB + 1000]
        file.seek(len(body) - 10)
        assert file.read() == body[-10:]
    with files.open_input_stream("workshop/film") as stream:
        assert stream.read() == body


def test_files_are_copied_moved_and_deleted(files, tree, tmp_path):
    files.create_dir("workshop")
    copy_files(str(tree), "workshop/tree", source_filesystem=LocalFileSystem(), destination_filesystem=files)
    expected = sorted(f"workshop/tree/{file.relative_to(tree)}" for file in tree.rglob("*") if file.is_file())
    assert names(files, "workshop/tree") == expected
    assert names(files, "workshop/tree/deep", recursive=False) == ["workshop/tree/deep/ü+%&=~.txt"]
    files.move("workshop/tree/notes.txt", "workshop/other/renamed ü.txt")
    files.copy_file("workshop/other/renamed ü.txt", "workshop/tree/deep/copy")
    assert files.get_file_info("workshop/tree/notes.txt").type == FileType.NotFound
    copy_files("workshop/tree", str(tmp_path / "back"), source_filesystem=files, destination_filesystem=LocalFileSystem())
    assert (tmp_path / "back" / "deep" / "copy").read_bytes() == b"text"
    assert (tmp_path / "back" / "film.bin").read_bytes() == (tree / "film.bin").read_bytes()
    files.delete_dir("workshop/tree")
    assert names(files, "workshop") == ["workshop/other/renamed ü.txt"]
    with pytest.raises(FileNotFoundError):
        files.open_input_file("workshop/tree/film.bin")
    files.delete_dir_contents("workshop")
    files.delete_dir("workshop")
    assert files.get_file_info("workshop").type == FileType.NotFound
