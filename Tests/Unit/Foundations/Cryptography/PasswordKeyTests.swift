import Cryptography
import Testing
import WireFormats

/// A password, its parameters, and the derived key in hexadecimal.
struct PasswordKeyVector: Sendable {
    var algorithm: HashAlgorithm
    var password: String
    var iterations: Int
    var key: String
}

@Suite("Keys derived from passwords")
struct PasswordKeyTests {
    @Test(
        "PBKDF2 gives the keys of RFC 6070, RFC 7914 section 11, and of Python's hashlib",
        arguments: [
            PasswordKeyVector(
                algorithm: .sha1, password: "password", iterations: 1, key: "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
            PasswordKeyVector(
                algorithm: .sha1, password: "password", iterations: 4096, key: "4b007901b765489abead49d926f721d065a429c1"),
            PasswordKeyVector(
                algorithm: .sha256, password: "passwd", iterations: 1,
                key: """
                    55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509\
                    112041d3a19783
                    """),
            PasswordKeyVector(
                algorithm: .sha512, password: "password", iterations: 1000,
                key: """
                    afe6c5530785b6cc6b1c6453384731bd5ee432ee549fd42fb6695779ad8a1c5bf59de69c48f774efc4007d5298f9033c0241d5ab69305e7b64\
                    eceeb8d834cfec
                    """),
        ])
    func derives(_ vector: PasswordKeyVector) throws {
        let key = try vector.algorithm.passwordKey(
            vector.password, salt: Array("salt".utf8), iterations: vector.iterations, count: vector.key.utf8.count / 2)
        #expect(key.hex == vector.key)
    }

    @Test("A key needs at least one iteration and one byte")
    func refusesNothing() {
        #expect(throws: CryptographyError.operationFailed) {
            try HashAlgorithm.sha256.passwordKey("password", salt: [], iterations: 0, count: 32)
        }
        #expect(throws: CryptographyError.operationFailed) {
            try HashAlgorithm.sha256.passwordKey("password", salt: [], iterations: 1, count: 0)
        }
    }
}
