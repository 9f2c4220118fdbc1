"""Virga in Python: a client of the control API, a server for tests, and a pytest plugin.

    from virga_cloud import Server

    with Server() as cloud:
        s3 = cloud.client("s3")
"""

from .clock import ClockReading
from .cloud import Cloud
from .environment import ClientVariables
from .errors import CloudError, UnmetExpectation
from .executable import find_executable
from .explanations import Explanation
from .faults import Fault
from .journal import Decision, Entry
from .login import Login
from .sandboxes import Sandbox, Snapshot
from .seeds import AccessKey, ExportedSeed
from .server import Server
from .tokens import Token

__all__ = [
    "AccessKey", "ClientVariables", "ClockReading", "Cloud", "CloudError", "Decision", "Entry", "Explanation", "ExportedSeed", "Fault",
    "Login", "Sandbox", "Server", "Snapshot", "Token", "UnmetExpectation", "find_executable"]
