import Cryptography
import Tokens
import WireFormats

/// The tokens and keys of RFC 7515 appendices A.2 and A.3.
enum PublishedTokens {
    static let payload = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    static let rs256Signature =
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQ"
        + "jbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqt"
        + "FZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"

    static let es256Signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    static let rs256 = "eyJhbGciOiJSUzI1NiJ9.\(payload).\(rs256Signature)"
    static let es256 = "eyJhbGciOiJFUzI1NiJ9.\(payload).\(es256Signature)"

    static let rsaKey: JSONObject = [
        "kty": "RSA",
        "n": .string(
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_"
                + "YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQ"
                + "Y4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"),
        "e": "AQAB",
    ]

    static let ecKey: JSONObject = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
}

/// One signing key for each algorithm. Keys of one type share the RSA key, which is slow to generate.
enum TestKeys {
    static let created = Timestamp(seconds: 1_795_248_000)
    static let rs256 = Result { try SigningKey.generate(created: created) }
    static let es256 = Result { try SigningKey.generate(algorithm: .es256, created: created) }

    static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        switch algorithm {
        case .rs256: try rs256.get()
        case .rs384, .rs512, .ps256, .ps384, .ps512: try SigningKey(pem: rs256.get().pem, algorithm: algorithm, created: created)
        case .es256: try es256.get()
        case .es384, .es512, .edDSA, .ed25519, .hs256, .hs384, .hs512: try SigningKey.generate(algorithm: algorithm, created: created)
        }
    }
}
