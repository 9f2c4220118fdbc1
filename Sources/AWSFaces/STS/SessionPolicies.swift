import HTTPTypes
import Policy
import WireFormats

/// The session policies of a call that mints credentials, checked.
/// (IAM User Guide, "Session policies".)
struct SessionPolicies {
    /// Compact policy documents, as they go into the session token.
    var documents: [String]
    /// Per cent of what a session may carry.
    var packedSize: Int

    /// What a session token holds without any policy (observed of the real service).
    private static let packedBase = 24

    /// - Parameters:
    ///   - document: the inline policy; at most 2,048 characters.
    ///   - arns: managed policies.
    init(document: String?, arns: [String]) throws(QueryError) {
        documents = []
        // A managed policy that does not exist is refused, in our own words; there are none yet to be found.
        if let arn = arns.first {
            throw QueryError("MalformedPolicyDocument", .badRequest, "Policy \(arn) does not exist or is not attachable.")
        }
        var size = 0
        if let document {
            do {
                let policy = try PolicyDocument(parsing: document, kind: .identity)
                let compact = policy.json.serialized()
                size = compact.utf8.count
                documents.append(compact)
            } catch {
                throw QueryError("MalformedPolicyDocument", .badRequest, "\(error)")
            }
        }
        packedSize = Self.packedBase + size * (100 - Self.packedBase) / 2048
        guard packedSize <= 100 else {
            throw QueryError(
                "PackedPolicyTooLarge", .badRequest,
                "Packed policy consumes \(packedSize)% of allotted space, please use smaller policy.")
        }
    }
}
