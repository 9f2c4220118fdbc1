"""Runs the tests of docker/cluster, and measures 1, 2, 4 and 8 shards behind HAProxy and nginx. `docker/cluster/check` starts it.

The load generator runs on the same machine, and each shard has one. Absolute rates depend on the machine; compare the processor time of a
request.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RELEASE = ".build/release/virga"
if "VIRGA_EXECUTABLE" not in os.environ and (REPOSITORY / RELEASE).exists():
    os.environ["VIRGA_EXECUTABLE"] = RELEASE
sys.path.insert(0, str(REPOSITORY / "Tests/EndToEnd"))

from cluster import DOMAIN, Cluster, names_resolved, processor_time  # noqa: E402

KEYS = ["--keys", "200", "--size", "1k", "--bucket", "bench", "--access-key", "test", "--secret-key", "test"]
PERIOD = 100_000


class Quotas:
    """Limits of processor time, by control groups of version 1 or 2."""

    def __init__(self, percent):
        self.percent, self.groups = percent, []

    def limit(self, process):
        if self.percent is None:
            return
        quota = PERIOD * self.percent // 100
        first = Path("/sys/fs/cgroup/cpu")
        root, settings = (
            (first, {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota}) if first.is_dir()
            else (Path("/sys/fs/cgroup"), {"cpu.max": f"{quota} {PERIOD}"}))
        group = root / f"virga-cluster-{process}"
        group.mkdir()
        self.groups.append(group)
        for name, value in settings.items():
            (group / name).write_text(str(value))
        (group / "cgroup.procs").write_text(str(process))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for group in self.groups:
            # A group is empty once its process has ended.
            with contextlib.suppress(OSError):
                group.rmdir()


def bench(program, operation, port, shard, *arguments):
    """The result of one load generator."""
    host = f"ci.sandbox.{shard.name}.{DOMAIN}"
    done = subprocess.run(
        [program, operation, "--port", str(port), "--host-header", host, *KEYS, *arguments], text=True, capture_output=True)
    if not done.stdout.strip():
        raise SystemExit(f"s3bench failed: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def measured(program, kind, count, seconds, percent=None):
    """Requests a second, and the processor time of a request at the shards and at the proxy, in microseconds."""
    with tempfile.TemporaryDirectory(prefix="virga-cluster-") as folder, Quotas(percent) as quotas:
        with Cluster(kind or "haproxy", Path(folder), count, "--quiet") as cluster:
            for shard in cluster.shards:
                cluster.create(shard).raise_for_status()
                port = shard.port if kind is None else cluster.ports.plain
                for operation in ["mkbucket", "put"]:
                    bench(program, operation, port, shard, "--nops", "1" if operation == "mkbucket" else "200")
                quotas.limit(shard.cloud.process.pid)
            with concurrent.futures.ThreadPoolExecutor(count) as pool:
                before = processor_time(cluster.proxy.pid)
                jobs = [
                    pool.submit(
                        bench, program, "get", shard.port if kind is None else cluster.ports.plain, shard, "--secs", str(seconds),
                        "--conns", "4", "--pid", str(shard.cloud.process.pid))
                    for shard in cluster.shards]
                results = [job.result() for job in jobs]
                spent = processor_time(cluster.proxy.pid) - before
    errors = sum(result["errors"] for result in results)
    if errors:
        raise SystemExit(f"{errors} requests failed: {[result['first_error'] for result in results]}")
    rate = sum(result["ops_s"] for result in results)
    requests = sum(result["ops"] for result in results)
    shards = sum(result["server_cpu_us_op"] * result["ops"] for result in results) / requests
    return rate, shards, 0 if kind is None else spent / requests * 1e6


def survived(program, kind, seconds):
    """Kills one of four shards under load. Returns the rates and errors of the others."""
    with tempfile.TemporaryDirectory(prefix="virga-cluster-") as folder, Cluster(kind, Path(folder), 4, "--quiet") as cluster:
        for shard in cluster.shards:
            cluster.create(shard).raise_for_status()
            for operation in ["mkbucket", "put"]:
                bench(program, operation, cluster.ports.plain, shard, "--nops", "1" if operation == "mkbucket" else "200")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            jobs = [
                pool.submit(bench, program, "get", cluster.ports.plain, shard, "--secs", str(seconds), "--conns", "4", "--timeout", "5")
                for shard in cluster.shards]
            # The load has begun when the shard has answered requests of it.
            while processor_time(cluster.shards[3].cloud.process.pid) < 0.3 and not jobs[3].done():
                pass
            cluster.shards[3].cloud.kill()
            results = [job.result() for job in jobs]
    return sum(result["errors"] for result in results[:3]), results[3]["errors"]


def table(title, rows):
    print(f"\n{title}\n")
    print("| way | shards | requests per second | shard, CPU of a request | proxy, CPU of a request |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for way, count, (rate, shards, proxy) in rows:
        print(f"| {way} | {count} | {rate:,.0f} | {shards:.1f} µs | {f'{proxy:.1f} µs' if proxy else ''} |", flush=True)


def main():
    parser = argparse.ArgumentParser(
        prog="docker/cluster/check", description="Checks docker/cluster with real proxies, and measures shards behind them.",
        epilog="Build a release first: swift build -c release --toolset docker/toolset.json --static-swift-stdlib --product virga. "
        "VIRGA_EXECUTABLE names another one.")
    parser.add_argument("--quick", action="store_true", help="measure briefly")
    parser.add_argument("--only", choices=["tests", "measurement"])
    parser.add_argument(
        "--quota", type=int, action="append", metavar="PERCENT", help="of one core, for each shard; may be repeated (3 and 10)")
    options = parser.parse_args()
    if options.only != "measurement":
        tests = [sys.executable, "-m", "pytest", "-q", "Tests/EndToEnd/operations/test_cluster.py"]
        if code := subprocess.run(tests, cwd=REPOSITORY).returncode:
            raise SystemExit(code)
    if options.only == "tests":
        return
    seconds = 2 if options.quick else 8
    with tempfile.TemporaryDirectory(prefix="virga-s3bench-") as folder, names_resolved():
        program = Path(folder) / "s3bench"
        source = REPOSITORY / "Tests/Benchmarks/s3bench.c"
        subprocess.run(["cc", "-O2", "-std=gnu11", "-o", program, source, "-lcrypto", "-lm"], check=True)
        print(f"{os.environ.get('VIRGA_EXECUTABLE', '.build/debug/virga')}, {os.cpu_count()} cores, GET of 1 KiB, signed")
        table("Without a quota: 4 connections to each shard", [
            (way or "no proxy", count, measured(program, way, count, seconds))
            for way in [None, "haproxy", "nginx"] for count in [1, 2, 4, 8]])
        for quota in options.quota or [3, 10]:
            table(f"With {quota} % of a core for each shard: 4 connections to each shard", [
                (way, count, measured(program, way, count, seconds, quota)) for way in ["haproxy", "nginx"] for count in [1, 2, 4, 8]])
        print()
        for kind in ["haproxy", "nginx"]:
            others, killed = survived(program, kind, 3 if options.quick else 6)
            print(f"{kind}: one of four shards was killed under load. Failed requests of the others: {others}; of its own: {killed}.")
            if others:
                raise SystemExit(1)


if __name__ == "__main__":
    main()
