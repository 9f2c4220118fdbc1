import Cloud
import Cryptography
import WireFormats

/// What Facebook tells an app through somebody else's hands, signed with the app's secret.
/// (Meta for Developers, "Reference: Signed Request".)
struct SignedRequest {
    var members: JSONObject

    /// - Parameters:
    ///   - further: what else is told; members stand in the order of their names.
    init(userID: String, issuedAt: Timestamp, further: KeyValuePairs<String, JSONValue> = [:]) {
        let all: [(String, JSONValue)] =
            [("algorithm", "HMAC-SHA256"), ("issued_at", .integer(issuedAt.seconds)), ("user_id", .string(userID))]
            + further.map { ($0.key, $0.value) }
        members = JSONObject(all.sorted { $0.0 < $1.0 })
    }

    /// Signature and payload, both in base64url; the signature covers the encoded payload.
    func text(secret: String) -> String {
        let payload = JSONValue.object(members).serializedBytes().base64url
        return hmacSHA256(key: Array(secret.utf8), payload).base64url + "." + payload
    }
}
