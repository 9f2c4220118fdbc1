import Cryptography
import Testing
import WireFormats

/// A password, the numbers of both sides, and what follows from them, in hexadecimal.
struct SRPVector: Sendable {
    var identity: String
    var password: String
    var salt: String
    /// The secret of the server.
    var secret: String
    /// The public value of the client.
    var client: String
    /// The digests of the verifier and of the server's public value.
    var verifierDigest, valueDigest: String
    var key: String
}

@Suite("Secure Remote Password")
struct SecureRemotePasswordTests {
    // Computed with Python's integers from the client's formulas of pycognito and amazon-cognito-identity-js: S = (B - k g^x)^(a + u x).
    private static let vectors = [
        SRPVector(
            identity: "aBcDeF123alice0", password: "Pässword-0!", salt: "62f83584154a1f6f7ae75b2b117eb91e",
            secret: "4d728a7278ab0e90d0661e82babdb76b34ad62439245adbdd447d63099024ff8", client: "04",
            verifierDigest: "6b8d9ef8d07df9c325745b703381badfd826e691c9d6435c391ff520c4152600",
            valueDigest: "17c775d09289b14e5f133eb3c11bf8df00a22e07ec5c001c0c19d7c6e2e52bbb", key: "a414087e90991fdd50aef9aac79c5550"),
        SRPVector(
            identity: "aBcDeF123alice1", password: "Pässword-1!", salt: "566074c8cf9b8643eec8cbfdbd21372c",
            secret: "8f4ed07cee76f80f5c7404c573c1d0a72c1c4e1e34877accd621e820e700a70f", client: "80",
            verifierDigest: "2470edad88d1aa6ff6b23e62212cae6151e539ce223bb0fcebc6da99672799f8",
            valueDigest: "5d413c19a9058503020d114244a8ee77bd5c242f750e9062cc506729b1f2b963", key: "1e1c705e5d013c7244f936f57a6381b2"),
        SRPVector(
            identity: "aBcDeF123alice2", password: "Pässword-2!", salt: "9fa82e02cc39b73d01f9a784ce91db8e",
            secret: "3bf67c391d84a1feabfa7322e56f1a77016b77b7c172048e9b5f8216e7c222f3",
            client: """
                fb53389e0ca4a0b14ad2c0b083cfbd31a518cb66f2e17ed11a983ecb7acb89048524e00482bfeef1ead5de78551aa056f4ae354f806c2b\
                f261c1e3fd98e884f65583cc5b9b543d49019d867c1a3369104768b8819fe18973b1a901ef6ce4d9d7e5f0c55678cdd4f06139011b8e8e\
                ad16bea30d622e12094202364c9982673ee10b736f5a2214fcf1a40fa441549f51eca1f37fa786ceb42f5442d692c36116e7fb8407b02a\
                18f1bee00c900b3a4ce9ec06d39c7c350a5d6bb01d6c50e147d1896a69dce3ec27cf8e7b888ce8eae0c239184eb32902fecdec5ef6b304\
                b259305e11433f1cce5c44f8807f80cb87a3026f267eeb9ad52fe80b797496e5b669260f5e7bc78d2036991fdbd531eedddc1b1c5b4827\
                ee9b87ea70a3b12dc9b41e2e73be30ee011ee5eb7914d65200ae480fe45894022164f2acbc91c5dbce79bf4f83f6a5687521f6b8654203\
                6f19e652472dac5436ec0a7ce610c07a3273936ff423c1a27565f82f475a2b73f22c19db9ea6fba1e323702ae1bfcf3edc316134a55f
                """,
            verifierDigest: "270f957bff6235b833f7c1fe418a80981ce4755a261a7d9987ee42996a012aff",
            valueDigest: "56ba3d12aeb7e393f3d38b8c42490190c5e33cb5a8462d306fafc62defea8e0b", key: "1f012e74c36f4b29e2a0f36a2e666f94"),
    ]

    private static func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    @Test("C27: verifier, public value and key are those of the clients' formulas", arguments: vectors)
    func computes(_ vector: SRPVector) throws {
        let (salt, secret) = (try Self.bytes(vector.salt), try Self.bytes(vector.secret))
        let verifier = try SecureRemotePassword.verifier(identity: vector.identity, password: vector.password, salt: salt)
        #expect(SHA256.hash(verifier).hex == vector.verifierDigest)
        let value = try SecureRemotePassword.publicValue(secret: secret, verifier: verifier)
        #expect(SHA256.hash(value).hex == vector.valueDigest)
        let key = try SecureRemotePassword.key(client: try Self.bytes(vector.client), secret: secret, verifier: verifier)
        #expect(key.hex == vector.key)
        #expect(try SecureRemotePassword.key(client: [0] + Self.bytes(vector.client), secret: secret, verifier: verifier).hex == vector.key)
    }

    @Test("A client's value that is a multiple of the prime, or too long, gives no key")
    func refusesZero() throws {
        let verifier = try SecureRemotePassword.verifier(identity: "a", password: "b", salt: [1])
        let prime = try Self.bytes(
            """
            ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b\
            302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe6\
            49286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb9ed529077096966d\
            670c354e4abc9804f1746c08ca18217c32905e462e36ce3be39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf695581718\
            3995497cea956ae515d2261898fa051015728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7d\
            b3970f85a6e1e4c7abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200c\
            bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff
            """)
        for value in [[], [0], prime, [UInt8](repeating: 1, count: 385)] {
            #expect(throws: CryptographyError.authenticationFailed) {
                try SecureRemotePassword.key(client: value, secret: [7], verifier: verifier)
            }
        }
    }

    @Test("A verifier of another length is refused")
    func refusesShortVerifier() {
        #expect(throws: CryptographyError.invalidKey) { try SecureRemotePassword.publicValue(secret: [7], verifier: [1]) }
        #expect(throws: CryptographyError.invalidKey) { try SecureRemotePassword.key(client: [4], secret: [7], verifier: [1]) }
    }

    @Test("Salts are new, and begin with another byte than 0")
    func makesSalts() throws {
        let salts = try (0..<64).map { _ in try SecureRemotePassword.newSalt() }
        #expect(Set(salts).count == 64)
        #expect(salts.allSatisfy { $0.count == 16 })
        #expect(salts.allSatisfy { $0[0] != 0 })
    }
}
