import Cryptography
import HTTPTypes
import Seeds
import WireFormats

/// An RSA key as the two texts that IAM takes: `ssh-rsa …` (RFC 4253 section 6.6) and PEM.
struct SSHKeyText {
    /// Big-endian, without leading zeros.
    var modulus: [UInt8]
    var exponent: [UInt8]

    private static let kind = "ssh-rsa"

    init(modulus: [UInt8], exponent: [UInt8]) {
        self.modulus = modulus
        self.exponent = exponent
    }

    /// Reads either text.
    /// - Throws: `UnrecognizedPublicKeyEncoding` for another one, `InvalidPublicKey` for a key that is none or too short.
    init(_ text: String) throws(QueryError) {
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
            throw QueryError("UnrecognizedPublicKeyEncoding", .badRequest, "The public key encoding format is unsupported or unrecognized.")
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

    private static let invalid = QueryError("InvalidPublicKey", .badRequest, "The public key is malformed or otherwise invalid.")

    /// `ssh-rsa` and the key.
    var ssh: String { "\(Self.kind) \(blob.base64)" }

    /// As SubjectPublicKeyInfo.
    var pem: String {
        get throws { try RSAPublicKey(modulus: modulus, exponent: exponent).pem }
    }

    /// The MD5 digest of the key, two digits between colons.
    var fingerprint: String { MD5.hash(blob).map { [$0].hex }.joined(separator: ":") }

    private var blob: [UInt8] {
        [Array(Self.kind.utf8), Self.positive(exponent), Self.positive(modulus)].flatMap { field in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: field.count >> $0) } + field
        }
    }

    /// A number whose first bit would tell a negative one has a zero before it (RFC 4251 section 5, `mpint`).
    private static func positive(_ number: [UInt8]) -> [UInt8] { (number.first ?? 0) & 0x80 == 0 ? number : [0] + number }

    /// Fields with four bytes of length before each; `nil` if they do not fill the bytes exactly.
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
