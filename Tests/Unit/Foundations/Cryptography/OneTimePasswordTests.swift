import Cryptography
import Testing

@Suite("One-time passwords")
struct OneTimePasswordTests {
    private static let seed = Array("12345678901234567890".utf8)

    @Test(
        "of a counter equal those of RFC 4226, appendix D",
        arguments: zip(
            Int64(0)..<10, ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]))
    func counts(counter: Int64, password: String) {
        #expect(OneTimePassword.password(seed: Self.seed, counter: counter) == password)
    }

    @Test(
        "of a time equal those of RFC 6238, appendix B",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)])
    func times(seconds: Int64, password: String) {
        let counter = OneTimePassword.counter(atSeconds: seconds)
        #expect(OneTimePassword.password(seed: Self.seed, counter: counter, digits: 8) == password)
    }
}
