import Cryptography
import Testing
import WireFormats

/// The signature of "sample" in RFC 6979 appendix A.2, in hexadecimal.
struct ECDSAVector: Sendable {
    var curve: EllipticCurve
    var x: String
    var y: String
    var r: String
    var s: String

    static let published = [
        ECDSAVector(
            curve: .p256, x: "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6",
            y: "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
            r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
        ECDSAVector(
            curve: .p384, x: "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13",
            y: "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720",
            r: "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46",
            s: "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"),
        ECDSAVector(
            curve: .p521,
            x: "01894550D0785932E00EAA23B694F213F8C3121F86DC97A04E5A7167DB4E5BCD37"
                + "1123D46E45DB6B5D5370A7F20FB633155D38FFA16D2BD761DCAC474B9A2F5023A4",
            y: "00493101C962CD4D2FDDF782285E64584139C2F91B47F87FF82354D6630F746A28"
                + "A0DB25741B5B34A828008B22ACC23F924FAAFBD4D33F81EA66956DFEAA2BFDFCF5",
            r: "00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F17"
                + "4E25A1EE9017B5D450606ADD152B534931D7D4E8455CC91F9B15BF05EC36E377FA",
            s: "00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF28"
                + "2623EAA63E5B5C0723D8B8C37FF0777B1A20F8CCB1DCCC43997F1EE0E44DA4A67A"),
    ]
}

@Suite("Elliptic curve signatures")
struct ECTests {
    @Test("Verifies the signatures of RFC 6979", arguments: ECDSAVector.published)
    func verifiesPublished(_ vector: ECDSAVector) throws {
        let key = try ECPublicKey(
            curve: vector.curve, x: #require([UInt8](hex: vector.x)), y: #require([UInt8](hex: vector.y)))
        let signature = try #require([UInt8](hex: vector.r + vector.s))
        #expect(key.verify(signature, of: Array("sample".utf8)))
        #expect(!key.verify(signature, of: Array("simple".utf8)))
        #expect(try key.coordinates.x.hex == vector.x.lowercased())
        #expect(try key.coordinates.y.hex == vector.y.lowercased())
    }

    @Test("A new key signs, differently each time, and survives serialization", arguments: EllipticCurve.allCases)
    func generates(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve)
        let first = try key.sign([1, 2, 3])
        let second = try ECPrivateKey(pem: key.pem).sign([1, 2, 3])
        #expect(first.count == curve.coordinateByteCount * 2)
        #expect(first != second)
        let coordinates = try key.publicKey.coordinates
        let publicKey = try ECPublicKey(curve: curve, x: coordinates.x, y: coordinates.y)
        #expect(publicKey.verify(first, of: [1, 2, 3]))
        #expect(publicKey.verify(second, of: [1, 2, 3]))
    }

    @Test("Halves with leading zeros keep their length")
    func leadingZeros() throws {
        let key = try ECPrivateKey.generate(.p256)
        // About every 128th signature has such a half.
        for number in 0..<600 {
            let message = Array("\(number)".utf8)
            #expect(try key.publicKey.verify(key.sign(message), of: message))
        }
    }

    @Test("Refuses zero, out of range, flipped and wrongly long signatures")
    func refusesForgeries() throws {
        let key = try ECPrivateKey.generate(.p256)
        let signature = try key.sign([9])
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.publicKey.verify(changed, of: [9]))
        }
        #expect(!key.publicKey.verify([UInt8](repeating: 0, count: 64), of: [9]))
        #expect(!key.publicKey.verify([UInt8](repeating: 0xff, count: 64), of: [9]))
        #expect(!key.publicKey.verify(signature.dropLast(), of: [9]))
        #expect(!key.publicKey.verify([0] + signature[..<32] + [0] + signature[32...], of: [9]))
        #expect(!key.publicKey.verify([], of: [9]))
    }

    @Test("Refuses points that are not on the curve and coordinates of the wrong length")
    func wrongPoints() throws {
        let good = try ECPrivateKey.generate(.p256).publicKey.coordinates
        var off = good.y
        off[31] ^= 1
        let zero = [UInt8](repeating: 0, count: 32)
        for (x, y) in [(good.x, off), (zero, zero), ([UInt8](repeating: 0xff, count: 32), good.y), ([0] + good.x, good.y), ([], [])] {
            #expect(throws: CryptographyError.invalidKey) { try ECPublicKey(curve: .p256, x: x, y: y) }
        }
    }

    @Test("Refuses encrypted keys, RSA keys and curves that JOSE does not name")
    func wrongPEM() {
        for text in [Self.encrypted, RSATests.published, Self.foreignCurve, ""] {
            #expect(throws: CryptographyError.invalidKey) { try ECPrivateKey(pem: text) }
        }
    }

    /// An encrypted key on P-256. The parser must not ask for its password.
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgdTa4hCqEpvAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEELb3mCi8N+zydw3mQCibjScEgZCh
        S52+FrHr3NxwQPMp8ojoEjoQzaRXWqfbK8NIZZneYUn/l0LxIHWHuaKo/pyBtRvR
        zuCgV9HCfx0HhX9BUlsgbBJz18Nqj9u0mv82vQbrM9moLJoT7YvIyych5UunwjxW
        LatP1f9ZJuR/Ush4Ro0PvusiFKsQITiBgX7gHUJGyErU1/7FWxzZHn+upSM3q9Y=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// A key on secp256k1.
    private static let foreignCurve = """
        -----BEGIN EC PRIVATE KEY-----
        MHQCAQEEIML0FBGZdcrt/EAQtCtqsBhbiUoZFJM2ScuKqG3c9XAMoAcGBSuBBAAK
        oUQDQgAEXdlJigC9guI45wzDpyE2EUU2K7MdDvSnYqxcLndT/qyjdt7C0E+4AQUd
        hk3Ip4BCy/mdpA21ohBo7LXS8hKvdA==
        -----END EC PRIVATE KEY-----
        """
}
