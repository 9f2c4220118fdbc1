import Calls
import Cloud
import Directory
import HTTPTypes
import Tokens
import WireFormats

/// What a proof must repeat where the issuer wants that, so that nobody can make proofs for later (RFC 9449 sections 8 and 9). It says
/// itself how old it is: nothing is kept of it.
enum DPoPNonce {
    /// Seconds that one is good for.
    private static let lifetime: Int64 = 300

    private static func context(_ visit: Visit) -> [UInt8] { Array("DPoP nonce \(visit.provider.name)".utf8) }

    /// - Throws: an error of the random generator.
    static func make(in visit: Visit) throws -> String {
        let made = Array(String(visit.call.arrived.seconds).utf8)
        return try SealedRecord.sealedBytes(made, key: visit.cloud.sealingKey, context: context(visit)).base64url
    }

    /// Whether it was made here, and not long ago.
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
