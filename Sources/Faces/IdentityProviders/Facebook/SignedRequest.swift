import Cloud
import Cryptography
import WireFormats

/// A message from Facebook to an app, signed with the app's secret because it passes through the user's browser.
/// (Meta for Developers, "Reference: Signed Request".)
struct SignedRequest {
    var members: JSONObject

    /// Creates a signed request.
    /// - Parameter further: further members. All members are sorted by name.
    init(userID: String, issuedAt: Timestamp, further: KeyValuePairs<String, JSONValue> = [:]) {
        let all: [(String, JSONValue)] =
            [("algorithm", "HMAC-SHA256"), ("issued_at", .integer(issuedAt.seconds)), ("user_id", .string(userID))]
            + further.map { ($0.key, $0.value) }
        members = JSONObject(all.sorted { $0.0 < $1.0 })
    }

    /// Returns signature and payload, both in base64url. The signature covers the encoded payload.
    func text(secret: String) -> String {
        let payload = JSONValue.object(members).serializedBytes().base64url
        return hmacSHA256(key: Array(secret.utf8), payload).base64url + "." + payload
    }
}
