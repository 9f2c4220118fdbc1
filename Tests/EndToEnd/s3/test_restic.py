"""restic: a backup, from the creation of its repository to pruning it."""

import json
import os

import pytest


@pytest.fixture
def restic(tool, endpoint, tmp_path):
    authority = ["--cacert", endpoint.authority] if endpoint.authority else []
    environment = {
        "RESTIC_REPOSITORY": f"s3:{endpoint.url}/vault/of/alice", "RESTIC_PASSWORD": "secret",
        "RESTIC_CACHE_DIR": str(tmp_path / "cache"), "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    return lambda *arguments, **options: tool("restic", *authority, *arguments, **environment, **options)


def test_a_backup_is_made_checked_restored_and_pruned(restic, tree, tmp_path):
    restic("init")
    restic("init", status=1)
    restic("backup", tree)
    (tree / "film.bin").write_bytes(os.urandom(6 << 20))
    (tree / "notes.txt").unlink()
    restic("backup", tree)
    snapshots = json.loads(restic("snapshots", "--json"))
    assert len(snapshots) == 2
    assert "no errors were found" in restic("check", "--read-data")

    restic("restore", snapshots[1]["id"], "--target", tmp_path / "restored", "--verify")
    restored = tmp_path / "restored" / tree.relative_to("/")
    files = [file.relative_to(tree) for file in tree.rglob("*") if file.is_file()]
    assert {file.relative_to(restored) for file in restored.rglob("*") if file.is_file()} == set(files)
    for name in files:
        assert (restored / name).read_bytes() == (tree / name).read_bytes(), name

    restic("forget", "--keep-last=1", "--prune")
    assert len(json.loads(restic("snapshots", "--json"))) == 1
    assert "no errors were found" in restic("check", "--read-data")
