"""A stand-in for AWS KMS: the keys that a test creates, and the one that AWS manages for S3. They do not encrypt anything.

The executable requests data keys from it, whose errors show S3 whether a key may be used.
"""

import datetime
import re
import secrets
import uuid

from stand_ins import StandIn


class KeyService(StandIn):
    def __init__(self, account):
        self.account = account
        self.keys = {}

    def described(self, identifier, **fields):
        return {
            "AWSAccountId": self.account, "KeyId": identifier, "Arn": f"arn:aws:kms:{self.region}:{self.account}:key/{identifier}",
            "CreationDate": datetime.datetime.now(datetime.timezone.utc), "Enabled": True, "KeyState": "Enabled",
            "KeyUsage": "ENCRYPT_DECRYPT", "KeySpec": "SYMMETRIC_DEFAULT", "CustomerMasterKeySpec": "SYMMETRIC_DEFAULT",
            "EncryptionAlgorithms": ["SYMMETRIC_DEFAULT"], "Origin": "AWS_KMS", "MultiRegion": False,
            "CurrentKeyMaterialId": secrets.token_hex(32)} | fields

    def kms_CreateKey(self, Description, **others):
        key = self.described(str(uuid.uuid4()), Description=Description, KeyManager="CUSTOMER")
        self.keys[key["KeyId"]] = key
        return {"KeyMetadata": key}

    def kms_DescribeKey(self, KeyId):
        identifier = KeyId.rpartition("/")[2]
        managed = "Default key that protects my S3 objects when no other key is defined"
        return {"KeyMetadata": self.keys.get(identifier) or self.described(identifier, Description=managed, KeyManager="AWS")}

    def refusal(self, key, region):
        """The error of GenerateDataKey, or None. The names are those in the recorded responses of S3."""
        parts = key.split(":")
        if len(parts) == 6 and parts[3] != region:
            return {"__type": "NotFoundException", "message": f"Invalid arn {parts[3]}"}
        identifier = parts[-1].rpartition("/")[2]
        if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identifier):
            return {"__type": "NotFoundException", "message": f"Invalid keyId '{identifier}'"}
        arn = f"arn:aws:kms:{region}:{self.account}:key/{identifier}"
        known = self.keys.get(identifier)
        if not known or known["Arn"] != arn:
            return {"__type": "NotFoundException", "message": f"Key '{arn}' does not exist"}
        return {
            "Enabled": None, "Disabled": {"__type": "DisabledException", "message": f"{arn} is disabled."},
            "PendingDeletion": {"__type": "KMSInvalidStateException", "message": f"{arn} is pending deletion."}}[known["KeyState"]]

    def kms_DisableKey(self, KeyId):
        self.keys[KeyId] |= {"Enabled": False, "KeyState": "Disabled"}

    def kms_ScheduleKeyDeletion(self, KeyId, **others):
        self.keys[KeyId] |= {"Enabled": False, "KeyState": "PendingDeletion"}
        return {"KeyId": self.keys[KeyId]["Arn"], "KeyState": "PendingDeletion"}
