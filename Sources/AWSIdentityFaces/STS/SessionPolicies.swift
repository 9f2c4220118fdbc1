import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The session policies of a call that mints credentials, checked.
/// (IAM User Guide, "Session policies".)
struct SessionPolicies {
    /// Compact policy documents, as they go into the session token.
    private var documents: [String] = []
    /// Managed policies, by ARN.
    private var arns: [String]
    /// Per cent of what a session may carry; `nil` if the call brings neither policies nor tags.
    private(set) var size: Int?

    /// Bytes that policies and tags of a session may have together.
    private static let mostBytes = 2048

    /// - Parameters:
    ///   - document: the inline policy.
    ///   - arns: managed policies.
    ///   - tagBytes: the share of the tags in what a session may carry.
    ///   - account: whose managed policies can be named, beside those of AWS.
    ///   - known: documents that have been read.
    init(
        document: String?, arns: [String], tagBytes: Int = 0, account: String, directory: Directory, known: SessionPolicyCache
    ) throws(QueryError) {
        self.arns = arns
        for arn in arns {
            guard let policy = directory.policy(arn: arn), policy.account == account || policy.account == "aws" else {
                // In our own words.
                throw QueryError("MalformedPolicyDocument", .badRequest, "Policy \(arn) does not exist or is not attachable.")
            }
        }
        var bytes = tagBytes
        for arn in arns { bytes += arn.utf8.count }
        if let document {
            do {
                let compact = try known.entry(for: document).compact
                bytes += compact.utf8.count
                documents.append(compact)
            } catch {
                throw QueryError(error)
            }
        }
        guard bytes > 0 else { return }
        let percent = (bytes * 100 + Self.mostBytes - 1) / Self.mostBytes
        guard percent <= 100 else {
            throw QueryError(
                "PackedPolicyTooLarge", .badRequest,
                "Packed policy consumes \(percent)% of allotted space, please use smaller policy.")
        }
        size = percent
    }

    func apply(to session: inout SessionCredentials) {
        session.sessionPolicies = documents
        session.sessionPolicyARNs = arns
    }

    /// What the answer to a web identity says: there, what the provider vouches for takes its share even without a policy
    /// (observed of the real service).
    var sizeWithWebIdentity: Int { Self.webIdentityShare + (size ?? 0) * (100 - Self.webIdentityShare) / 100 }

    private static let webIdentityShare = 24
}
