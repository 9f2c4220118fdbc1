import Cryptography
import Testing
import WireFormats

@Suite("RSA signatures")
struct RSATests {
    /// The key of RFC 7515 appendix A.2.
    static let published = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCh+BYK4uPJtGXO
        jS1lYmM2K5J9vinh8CR3/BYlzJChNuOL2TSXxbbqY913EeZ8dCn5VrD7io8ImtxL
        aYk8wTM/U+3QGbh3hCUv7JFP5IV3aVlL6kKA0ywPVb9ilE8TA5a8bpvfbr3SvaNn
        juygxmj3AbONv/s4yDQs4v5tJ/reSlpIdJed1LnPmt7Ex1sFhSwsD174pcF1A5L5
        ROjtZMEQxrZHYJqkeDrrnGya11UxMFBji4NmXG9veoKjlnAqH2QbgtPr8jkiGUkf
        toaHLFcW9Qr4NY2ai50Xw0Byj3+H2JoY2PyrZ62EWQwuz3WTOTY8BwNNb2BvniHg
        VFbK5emhAgMBAAECggEAEq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyW
        PEAeP88vLNO97IjlA7/GQ5sLKMgvfTeXZx9SE+7YwVol2NXOoAJe46sui395IW/G
        O+pWJ1O0BkTGoVEn2bKVRUCgu+GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzj
        kn439X0M/V51gfpRLI9JYanrC4D4qAdGcopV/0ZHHzQlBjudU2QvXt4ehNYTCBr6
        XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl/x/jTj3ccPDVZFD9pIuhLhBOneufuBiB
        4cS98l2SR/RQyGWSeWjnczT0QU91p1DhOVRuOopznQKBgQDgHMQQ60imZV1URk0K
        pLttoLhyt3SmqdEf/kgHePDdtzEafpAu+cS191R2JiuoF2yzWXnwFDcqGigp5BNr
        0AHQfD8/Lk8l1Mk09jxxCfui5nYooNyac8YFjm3vItzVCVDnEd3BbVWG8qf6deqE
        lMGAg+C2V0L4oNXnP7LZcPAZRwKBgQC5A8R+CZW2MvRTLLHzwZkUXV866cff7tx6
        kqa0finGG0KgeqlaZPxgCZnFp7AeAcCMtiynVlJ7vMVgePsLq6XtON4tB5kP9jAP
        rq3rbAOal78eUH5OcED6eNuCV8ixEu1eWcPNCS/l1OW1EnXUEoEHKl54Xrrz2uNw
        kgMTP1FZ1wKBgAcCn1dwJKufzBWQxWQp1vsM5fggqPN1qGb5y0MAk3g7/Ls5bkUp
        5u9SN0Ai3Ya6hNnvWJMb7sXQX6U/zyO2M/hTip7tUeh7CXgwo59dkpN75gJLVds2
        9+DAncu3KXU4f2Fa+7bLNrur53k8KwPOq2bbuTG69QtV7Jr5MR0AHWKNAoGBAIf/
        evpitUf+4JYbLpvNXWcY052Mpz22aR84mY3nh3F2LF2mjMJDpTg7FmuyPcVw6EcG
        yoAe9fa65iNqCq+jdw6PVNGo2hxfjSiZ8IIzHdsPXI89//pMjZcQK9r+CCoRjaZj
        OYiIDktVWZzmevJuv6WywUqd57LE3Zar3dLSIkx1AoGAIYd7DHOhrWvxkwPQsRM2
        tOgrjbcrfvtQJipd+DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd/QJQ3
        ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp/gh6A56
        03k2+ZQwVK0JKSHuLFkuQ3U=
        -----END PRIVATE KEY-----
        """

    private static let signingInput = Array(
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ".utf8)

    /// The signature of RFC 7515 appendix A.2.
    private static let signature =
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQ"
        + "jbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqt"
        + "FZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"

    @Test("Signs as RFC 7515 appendix A.2 does")
    func signsPublished() throws {
        #expect(try RSAPrivateKey(pem: Self.published).sign(Self.signingInput).base64url == Self.signature)
    }

    @Test("Verifies with a key of modulus and exponent, with or without leading zeros")
    func verifiesPublished() throws {
        let original = try RSAPrivateKey(pem: Self.published).publicKey
        let signature = try #require([UInt8](base64url: Self.signature))
        #expect(original.exponent == [1, 0, 1])
        #expect(original.modulus.count == 256)
        for modulus in [original.modulus, [0, 0] + original.modulus] {
            let key = try RSAPublicKey(modulus: modulus, exponent: [0, 1, 0, 1])
            #expect(key.modulus == original.modulus)
            #expect(key.exponent == original.exponent)
            #expect(key.verify(signature, of: Self.signingInput))
        }
    }

    @Test("Refuses changed signatures, messages, digests and lengths")
    func refusesForgeries() throws {
        let key = try RSAPrivateKey(pem: Self.published).publicKey
        let signature = try #require([UInt8](base64url: Self.signature))
        for index in [0, 100, 255] {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.verify(changed, of: Self.signingInput))
        }
        #expect(!key.verify(signature, of: Self.signingInput + [0x20]))
        #expect(!key.verify(signature, of: Self.signingInput, hash: .sha512))
        #expect(!key.verify(signature.dropLast(), of: Self.signingInput))
        #expect(!key.verify([0] + signature, of: Self.signingInput))
        #expect(!key.verify([], of: Self.signingInput))
        #expect(!key.verify(key.modulus, of: Self.signingInput), "a signature as large as the modulus is out of range")
    }

    @Test("Signs and verifies with each digest", arguments: [HashAlgorithm.sha256, .sha384, .sha512])
    func digests(hash: HashAlgorithm) throws {
        let key = try RSAPrivateKey(pem: Self.published)
        let signature = try key.sign([1, 2, 3], hash: hash)
        #expect(key.publicKey.verify(signature, of: [1, 2, 3], hash: hash))
        #expect(!key.publicKey.verify(signature, of: [1, 2], hash: hash))
    }

    @Test("A new key survives serialization as PKCS #8")
    func generates() throws {
        let key = try RSAPrivateKey.generate()
        let pem = try key.pem
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let again = try RSAPrivateKey(pem: pem)
        #expect(try key.publicKey.verify(again.sign([4, 5]), of: [4, 5]))
        #expect(key.publicKey.modulus.count == 256)
        #expect(key.publicKey.exponent == [1, 0, 1])
        #expect(throws: CryptographyError.invalidKey) { try RSAPrivateKey.generate(bits: 1024) }
        #expect(throws: CryptographyError.invalidKey) { try RSAPrivateKey.generate(bits: 65_536) }
    }

    @Test("Refuses public keys that are too small, too large, even or slow")
    func weakPublicKeys() throws {
        let modulus = try RSAPrivateKey(pem: Self.published).publicKey.modulus
        let exponent: [UInt8] = [1, 0, 1]
        let unusable: [(modulus: [UInt8], exponent: [UInt8])] = [
            ([], exponent), (modulus, []), (modulus, [0]), (modulus, [1]), (modulus, [1, 0, 0]),
            (Array(modulus[..<128]), exponent), (modulus.dropLast() + [0xa0], exponent),
            (modulus, modulus), ([UInt8](repeating: 0xff, count: 1025), exponent), ([UInt8](repeating: 0xff, count: 100_000), exponent),
        ]
        for key in unusable {
            #expect(throws: CryptographyError.invalidKey) { try RSAPublicKey(modulus: key.modulus, exponent: key.exponent) }
        }
    }

    @Test("Refuses PEM that is not a sufficiently long RSA key")
    func wrongPEM() {
        let garbage = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        for text in ["", "no key at all", garbage, String(Self.published.prefix(600)), ECTests.encrypted, Self.small] {
            #expect(throws: CryptographyError.invalidKey) { try RSAPrivateKey(pem: text) }
        }
    }

    /// A key of 1024 bits.
    private static let small = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAMb0uOIO8Ju5pxn9
        kIeC1++60p4LmapFtDqVOD0WuFLGMDrT51YA3BR4Fyhf/2yDNtZgsYEni8lRHsoa
        JpUF8EA4fbAG3sTU5v3awjstF+SYG2vDcvqO6+/sw/OvxQSF7fsbsgXTKe2vJhy8
        b1tF+PB5mlXrnCRcmhJ4KcirCj2JAgMBAAECgYEAvyj5zzJdmrKJzN4mFR3xzoQp
        w/MPZVvt7G/dhkyjM9z7EDr0Rl0zGHO+hGugZqm4ccicJKVTmU3ZEISJ15vKFqcP
        ZzuYBlNnf3Z9K2XdhjZk935PqvSgkIkPG+RXbbL/jx+4THB6JEvTkxtN7gir9a2T
        nV2yitNm/MxicrS4ulECQQD2h3CkOmHxnT7rDCpDpYJir5uIoPNpzpwpWzDzMjQy
        8D+AF3eG0NQAvMVAkf+ARC89w4xLC7D4H6OPVvztQKNlAkEAzplpL81Wm7pdVg2n
        S1knIiI7hWOXf0oEvFlR9UDXUKolVG+BddeYUDoMUk6cCo0YMk7tXZ010A1MYCtE
        zIC5VQJAS6x1eiPlrrna92GLk6o5ZLuM3ZqyPTdLnjI8y1oMxdoTU+lgKkTt3rAT
        SGfIawIDEk11Qg/7qZ5koXpNNzKRNQJAJGg6dhcMZSMBYbHEQm3yjHxV2trDDsZf
        cUWYQMztZKSnMWr4+GhGyhSAqVx6+Q0GL49jGvUiT4iYZfYaCKPChQJAPc4ydMgy
        aAsHr7fSVKYDLS55X5kY94GJteoOIT43g3vAmhh9oZadwxsPx+gcCtK+1KSnn6vY
        s4xhC8D9XMhSzQ==
        -----END PRIVATE KEY-----
        """
}
