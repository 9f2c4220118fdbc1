import Calls
import Cloud
import Directory
import HTTPTypes
import Tokens
import WireFormats

/// The nonce that a DPoP proof must repeat if the issuer requires it, so that proofs cannot be made in advance (RFC 9449 sections 8 and 9).
/// It contains its own time of issue, so nothing is stored.
enum DPoPNonce {
    /// The lifetime of a nonce in seconds.
    private static let lifetime: Int64 = 300

    private static func context(_ visit: Visit) -> [UInt8] { Array("DPoP nonce \(visit.provider.name)".utf8) }

    /// Returns a new nonce.
    /// - Throws: an error of the random generator.
    static func make(in visit: Visit) throws -> String {
        let made = Array(String(visit.call.arrived.seconds).utf8)
        return try SealedRecord.sealedBytes(made, key: visit.cloud.sealingKey, context: context(visit)).base64url
    }

    /// Returns whether a nonce was issued here and has not expired.
    static func isGood(_ text: String, in visit: Visit) -> Bool {
        guard let bytes = [UInt8](base64url: text),
            let plaintext = try? SealedRecord.open(bytes, key: visit.cloud.sealingKey, context: context(visit)),
            let made = Int64(String(decoding: plaintext, as: UTF8.self))
        else { return false }
        return abs(visit.call.arrived.seconds - made) <= lifetime
    }
}

extension HTTPField.Name {
    static let dpopNonce = HTTPField.Name(literal: "DPoP-Nonce")
}
