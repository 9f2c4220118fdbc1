import Cryptography
import HTTPTypes
import Seeds
import WireFormats

/// An RSA key in the two text formats that IAM accepts: `ssh-rsa …` (RFC 4253 section 6.6) and PEM.
struct SSHKeyText {
    /// The modulus, big-endian, without leading zeros.
    var modulus: [UInt8]
    var exponent: [UInt8]

    private static let kind = "ssh-rsa"

    init(modulus: [UInt8], exponent: [UInt8]) {
        self.modulus = modulus
        self.exponent = exponent
    }

    /// Parses either format.
    /// - Throws: `UnrecognizedPublicKeyEncoding` for another format, `InvalidPublicKey` for a key that is invalid or too short.
    init(_ text: String) throws(ServiceError) {
        let words = text.split(whereSeparator: \.isWhitespace)
        if words.first == "-----BEGIN" {
            do {
                let key = try RSAPublicKey(pem: text)
                self.init(modulus: key.modulus, exponent: key.exponent)
            } catch {
                throw Self.invalid
            }
            return
        }
        guard words.count >= 2, words[0] == Self.kind else {
            throw ServiceError(
                "UnrecognizedPublicKeyEncoding", .badRequest, "The public key encoding format is unsupported or unrecognized.")
        }
        guard let blob = [UInt8](base64: String(words[1])), let fields = Self.fields(of: blob), fields.count == 3,
            fields[0] == Array(Self.kind.utf8)
        else { throw Self.invalid }
        do {
            let key = try RSAPublicKey(modulus: fields[2], exponent: fields[1])
            self.init(modulus: key.modulus, exponent: key.exponent)
        } catch {
            throw Self.invalid
        }
    }

    private static let invalid = ServiceError("InvalidPublicKey", .badRequest, "The public key is malformed or otherwise invalid.")

    /// The key as `ssh-rsa …`.
    var ssh: String { "\(Self.kind) \(blob.base64)" }

    /// The key as SubjectPublicKeyInfo in PEM.
    var pem: String {
        get throws { try RSAPublicKey(modulus: modulus, exponent: exponent).pem }
    }

    /// The MD5 digest of the key, in pairs of digits separated by colons.
    var fingerprint: String { MD5.hash(blob).map { [$0].hex }.joined(separator: ":") }

    private var blob: [UInt8] {
        [Array(Self.kind.utf8), Self.positive(exponent), Self.positive(modulus)].flatMap { field in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: field.count >> $0) } + field
        }
    }

    /// Returns a number with a leading zero byte if its first bit would make it negative (RFC 4251 section 5, `mpint`).
    private static func positive(_ number: [UInt8]) -> [UInt8] { (number.first ?? 0) & 0x80 == 0 ? number : [0] + number }

    /// Splits bytes into fields, each after four bytes of length; `nil` if they do not fill the bytes exactly.
    private static func fields(of bytes: [UInt8]) -> [[UInt8]]? {
        var fields: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= length else { return nil }
            fields.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return fields
    }
}
