import Federation
import Testing

@Suite("Access key identifiers")
struct AccessKeyAlphabetTests {
    @Test("encode their account", arguments: ["000000000000", "000000000001", "123456789012", "999999999999"])
    func accounts(account: String) {
        for random: [UInt8] in [[0, 0, 0, 0, 0], [255, 255, 255, 255, 255], [1, 2, 3, 4, 5]] {
            let digits = AccessKeyAlphabet.text(account: account, random)
            #expect(digits.utf8.count == 16)
            #expect(digits.utf8.allSatisfy { "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8.contains($0) })
            #expect(AccessKeyAlphabet.account(of: "ASIA" + digits) == account)
        }
        #expect(AccessKeyAlphabet.text(account: account, [1, 2, 3, 4, 5]) != AccessKeyAlphabet.text(account: account, [1, 2, 3, 4, 6]))
    }

    // Known from public analyses of leaked keys.
    @Test("encode it as those of AWS do")
    func published() {
        #expect(AccessKeyAlphabet.account(of: "ASIAQNZGKIQY56JQ7WML") == "029608264753")
    }

    @Test("of other forms have no account", arguments: ["", "test", "AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN0EXAMPL1", "ASIA"])
    func others(identifier: String) {
        #expect(AccessKeyAlphabet.account(of: identifier) == nil)
    }
}
