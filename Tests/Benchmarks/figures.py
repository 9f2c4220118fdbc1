"""`figures.json`, the one file of the figures that README and Performance.md show.

`run --figures` writes it, and `pages` writes the pages from it. Its members are the day of the run, the number of cores, the megabytes of the
executable, the limits of the machine in that run, and the rows of the table of `run` by their operations. `kept` has what no run measures:
it stays when a run is written.
"""

import json
from pathlib import Path

FILE = Path(__file__).with_name("figures.json")


def read(file=FILE):
    return json.loads(file.read_text())


def write(figures, file=FILE):
    """Writes each row on a line of its own, so that the difference of two runs can be read."""
    def lines(members, indent):
        inner = ",\n".join(f"{indent}  {json.dumps(name)}: {member(value, indent + '  ')}" for name, value in members.items())
        return "{\n" + inner + "\n" + indent + "}"

    def member(value, indent):
        nested = isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values())
        return lines(value, indent) if nested else json.dumps(value, ensure_ascii=False)

    file.write_text(lines(figures, "") + "\n")


def row(result, ratio, value, unit, spread):
    """The figures of a row of `run`: what s3bench reports of it and its ratio to the limit, or else what was measured, or its extremes."""
    names = {"ops_s": 0, "mb_s": 0, "server_cpu_us_op": 1, "p50_ms": 2, "p99_ms": 2}
    found = {name: round(result[name], digits or None) for name, digits in names.items() if result.get(name)}
    if ratio:
        found["ratio"] = ratio
    if spread:
        found |= {"least": round(spread[0]), "most": round(spread[1]), "unit": unit}
    elif not result and value is not None:
        found |= {"value": round(value, 1), "unit": unit}
    return found
