"""Compares requests with expectations, for servers without `POST /_virga/journal/verify`. The rules are those of that call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from .journal import Decision, Entry


def unmet_locally(
        entries: Sequence[Entry], expect: Sequence[Mapping[str, Any]], never: Sequence[Mapping[str, Any]]) -> Optional[str]:
    """Returns what is not as expected, or None. The entries are the newest first."""
    lines: List[str] = []
    for pattern in expect:
        lowest, highest = _range(pattern.get("times"))
        lines += _unmet(entries, pattern, lowest, highest)
    for pattern in never:
        lines += _unmet(entries, pattern, 0, 0)
    return "\n".join(lines) or None


def _range(times: Any) -> Tuple[int, Optional[int]]:
    if times is None:
        return 1, None
    if isinstance(times, int):
        return times, times
    highest = times.get("max")
    return times.get("min", 1 if highest is None else min(1, highest)), highest


def _unmet(entries: Sequence[Entry], pattern: Mapping[str, Any], lowest: int, highest: Optional[int]) -> List[str]:
    differences = [(_differences(entry, pattern), entry) for entry in entries]
    matches = [entry for different, entry in differences if not different]
    if len(matches) >= lowest and (highest is None or len(matches) <= highest):
        return []
    lines = [f"Not as expected: {_phrase(pattern)}, {_times(lowest, highest)}: found {len(matches)}"]
    lines += [f"  {_summary(entry)}" for entry in matches[:20]]
    if len(matches) < lowest:
        misses = sorted(((different, entry) for different, entry in differences if different), key=lambda miss: len(miss[0]))
        for different, entry in misses[:5]:
            lines.append(f"  closest: {_summary(entry)}")
            lines += [f"    {member} is {found}, not {pattern[member]}" for member, found in different]
    return lines


def _differences(entry: Entry, pattern: Mapping[str, Any]) -> List[Tuple[str, str]]:
    """Returns the members that a request does not match, with its texts. Of several decisions the most similar one counts."""
    best: Optional[List[Tuple[str, str]]] = None
    decisions: Sequence[Optional[Decision]] = entry.decisions or [None]
    for decision in decisions:
        texts = {
            "action": [entry.call, *([entry.operation] if entry.operation else [])],
            "resource": [entry.target.partition("?")[0]],
            "caller": [entry.caller or "anonymous"],
            "status": [str(entry.status)]}
        if decision is not None:
            texts["action"].insert(0, decision.action)
            texts["resource"].insert(0, decision.resource)
        different = [
            (member, values[0]) for member, values in texts.items()
            if member in pattern and not any(_matches(member, str(pattern[member]), value) for value in values)]
        if best is None or len(different) < len(best):
            best = different
    return best or []


def _matches(member: str, pattern: str, text: str) -> bool:
    patterns = [pattern]
    role = re.fullmatch(r"arn:([^:]*):iam::([^:]*):role/(?:.*/)?([^/]+)", pattern)
    if member == "caller" and role:
        patterns.append(f"arn:{role[1]}:sts::{role[2]}:assumed-role/{role[3]}/*")
    flags = re.DOTALL | (re.IGNORECASE if member == "action" else 0)
    return any(
        re.fullmatch("".join(".*" if sign == "*" else "." if sign == "?" else re.escape(sign) for sign in wanted), text, flags)
        for wanted in patterns)


def _phrase(pattern: Mapping[str, Any]) -> str:
    text = str(pattern.get("action", "any call"))
    for member, word in [("resource", "on"), ("caller", "by"), ("status", "with status")]:
        if member in pattern:
            text += f" {word} {pattern[member]}"
    return text


def _times(lowest: int, highest: Optional[int]) -> str:
    def count(number: int) -> str:
        return "once" if number == 1 else f"{number} times"

    if highest == 0:
        return "never"
    if highest is None:
        return f"at least {count(lowest)}"
    if highest == lowest:
        return f"exactly {count(lowest)}"
    return f"at most {count(highest)}" if lowest == 0 else f"{lowest} to {count(highest)}"


def _summary(entry: Entry) -> str:
    decision = entry.decisions[0] if entry.decisions else None
    action = decision.action if decision else entry.call
    resource = decision.resource if decision else entry.target.partition("?")[0]
    return f"{action} on {resource} by {entry.caller or 'anonymous'} with status {entry.status}"
