import Cryptography

/// The unique identifiers of what has one from its name, so that it is the same after every start: seeds and the policies of AWS.
/// (IAM User Guide, "Unique identifiers": a prefix of four letters and 17 characters of base 32.)
package enum UniqueName {
    /// An identifier that depends on nothing but the name.
    package static func id(prefix: String, of name: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let digits = SHA256.hash(name).prefix(17).map { alphabet[Int($0 & 31)] }
        return prefix + String(decoding: digits, as: UTF8.self)
    }

    /// One of Alibaba Cloud's, of eighteen digits.
    /// - Parameter first: the digit that tells the kind: 2 of users, 3 of roles.
    package static func number(_ first: String, of name: String) -> String {
        first + String(decoding: SHA256.hash(name).prefix(17).map { UInt8(ascii: "0") + $0 % 10 }, as: UTF8.self)
    }
}
