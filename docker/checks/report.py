"""What the checks print, and how they fail."""

import subprocess
import time


class CheckFailed(Exception):
    """A check whose failure makes the next ones pointless."""


class Report:
    """Prints a line for each check, and counts them."""

    def __init__(self):
        self.passed_count = 0
        self.failures = []

    def heading(self, text):
        print(f"== {text}", flush=True)

    def figure(self, name, value):
        print(f"   {name}: {value}", flush=True)

    def passed(self, name):
        self.passed_count += 1
        print(f"ok {name}", flush=True)

    def failed(self, text):
        self.failures.append(text)
        print(f"FAILED {text}", flush=True)

    def expect(self, condition, name, detail=""):
        """Notes whether a condition holds."""
        if condition:
            self.passed(name)
        else:
            self.failed(f"{name}\n{detail}".rstrip())

    def close(self):
        """Prints the end, and returns the exit code."""
        print(f"{self.passed_count} passed, {len(self.failures)} failed", flush=True)
        return 1 if self.failures else 0


report = Report()


def run(*command, log=None, check=True, **options):
    """Runs a program. The result has its output; with `log` the output goes into that file instead."""
    if log:
        with open(log, "w") as file:
            result = subprocess.run(list(map(str, command)), stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **options)
        output = log.read_text()
    else:
        result = subprocess.run(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, **options)
        output = result.stdout
    if check and result.returncode != 0:
        raise CheckFailed(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{output[-4000:]}")
    return result


def wait_until(condition, failure, seconds=60):
    """Polls a condition of another process."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise CheckFailed(f"after {seconds} seconds: {failure()}")
        time.sleep(0.05)
