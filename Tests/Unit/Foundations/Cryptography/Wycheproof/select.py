"""Selects the tests that `WycheproofTests.swift` runs from a checkout of C2SP/wycheproof: `select.py CHECKOUT`.

Takes the first few tests of a file with the same flags and result, and of each group the members that make its key.
"""
import json
import pathlib
import sys

FILES = {
    "rsa_signature_2048_sha256": 2, "rsa_signature_2048_sha384": 1, "rsa_signature_2048_sha512": 1, "rsa_signature_3072_sha256": 1,
    "rsa_signature_3072_sha384": 1, "rsa_signature_3072_sha512": 1, "rsa_signature_4096_sha256": 1, "rsa_signature_4096_sha384": 1,
    "rsa_signature_4096_sha512": 1, "rsa_pss_2048_sha256_mgf1_32": 4, "rsa_pss_2048_sha384_mgf1_48": 3, "rsa_pss_3072_sha256_mgf1_32": 3,
    "rsa_pss_4096_sha256_mgf1_32": 2, "rsa_pss_4096_sha384_mgf1_48": 2, "rsa_pss_4096_sha512_mgf1_64": 2,
    "rsa_pss_2048_sha256_mgf1_0": 2, "rsa_pss_2048_sha256_mgf1sha1_20": 2, "ecdsa_secp256r1_sha256_p1363": 12,
    "ecdsa_secp384r1_sha384_p1363": 8, "ecdsa_secp521r1_sha512_p1363": 6, "ed25519": 15, "hmac_sha256": 12, "hmac_sha384": 12,
    "hmac_sha512": 12, "aes_gcm": 30, "rsa_oaep_2048_sha1_mgf1sha1": 3, "rsa_oaep_2048_sha256_mgf1sha1": 2,
    "rsa_oaep_2048_sha256_mgf1sha256": 2, "rsa_oaep_3072_sha512_mgf1sha512": 1,
}
OF_GROUP = ["type", "keySize", "ivSize", "tagSize", "sha", "sLen", "mgfSha"]
OF_TEST = ["tcId", "comment", "flags", "msg", "sig", "result", "key", "tag", "iv", "aad", "ct"]


def key(group):
    """Returns the key as hexadecimal numbers or bytes, or a private key as PEM, whatever the group calls it."""
    public = group.get("publicKey", {"pem": group["privateKeyPem"]} if "privateKeyPem" in group else {})
    return {name: public[name] for name in ("modulus", "publicExponent", "uncompressed", "pk", "pem") if name in public}


def select(document, most):
    taken = {}
    groups = []
    for group in document["testGroups"]:
        if group["type"] == "AeadTest" and group["ivSize"] != 96:
            continue
        tests = []
        for test in group["tests"]:
            if group["type"] == "AeadTest" and group["keySize"] != 256 and test["aad"]:
                continue
            # Skips labels and empty messages, since the callers only transport keys.
            if group["type"] == "RsaesOaepDecrypt" and (test["label"] or test["result"] == "valid" and not test["msg"]):
                continue
            kind = (test["result"], tuple(test["flags"]), group.get("sha"), group.get("keySize"))
            taken[kind] = taken.get(kind, 0) + 1
            if taken[kind] <= most:
                tests.append({name: test[name] for name in OF_TEST if name in test})
        if tests:
            groups.append({**{name: group[name] for name in OF_GROUP if name in group}, "key": key(group), "tests": tests})
    return {"algorithm": document["algorithm"], "testGroups": groups}


checkout = pathlib.Path(sys.argv[1])
most = int(sys.argv[2]) if len(sys.argv) > 2 else None
for name, usual in FILES.items():
    document = json.loads((checkout / "testvectors_v1" / f"{name}_test.json").read_text())
    lines = json.dumps(select(document, most or usual), separators=(",", ":")).replace('},{"tcId"', '},\n{"tcId"')
    (pathlib.Path(__file__).parent / f"{name}.json").write_text(lines + "\n")
