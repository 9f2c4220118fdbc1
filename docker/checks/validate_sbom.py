"""Validates the SBOM in the variable SBOM by the schema of CycloneDX 1.5, strictly."""

import os
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(os.environ["SBOM"])
if error:
    sys.exit(str(error))
