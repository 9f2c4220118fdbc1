"""The control token in variables of the environment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Mapping, Optional

from .errors import CloudError


def control_token(variables: Mapping[str, str]) -> Optional[str]:
    """Returns `VIRGA_CONTROL_TOKEN`, or the text of the file `VIRGA_CONTROL_TOKEN_FILE` without its last end of a line."""
    token, file = variables.get("VIRGA_CONTROL_TOKEN"), variables.get("VIRGA_CONTROL_TOKEN_FILE")
    if not file:
        return token or None
    if token:
        raise CloudError(
            "invalid_request", "VIRGA_CONTROL_TOKEN and VIRGA_CONTROL_TOKEN_FILE cannot be combined. Set one of them.")
    return read_token(file)


def read_token(file: str) -> str:
    """Returns the text of a file without its last end of a line."""
    try:
        text = Path(file).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise CloudError("invalid_request", f"The file {file} with the control token cannot be read: {error}.") from error
    return re.sub(r"\r?\n\Z", "", text)
