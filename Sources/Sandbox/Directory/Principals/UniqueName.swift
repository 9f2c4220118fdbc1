import Cryptography
import WireFormats

/// Unique identifiers that are derived from names, so that they are the same after every start: for seeds and for policies of AWS.
/// (IAM User Guide, "Unique identifiers": a prefix of four letters and 17 characters of base 32.)
package enum UniqueName {
    /// Returns an identifier of AWS that depends only on the name.
    package static func id(prefix: String, of name: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let digits = SHA256.hash(name).prefix(17).map { alphabet[Int($0 & 31)] }
        return prefix + String(decoding: digits, as: UTF8.self)
    }

    /// Returns an identifier of Alibaba Cloud, which has eighteen digits.
    /// - Parameter first: the first digit, which identifies the kind: 2 for users, 3 for roles.
    package static func number(_ first: String, of name: String) -> String {
        first + String(decoding: SHA256.hash(name).prefix(17).map { UInt8(ascii: "0") + $0 % 10 }, as: UTF8.self)
    }
}
