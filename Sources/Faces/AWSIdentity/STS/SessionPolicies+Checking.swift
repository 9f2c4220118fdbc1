import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension SessionPolicies {
    /// Checks the session policies of a call that issues credentials.
    /// - Parameters:
    ///   - document: the inline policy.
    ///   - arns: the managed policies.
    ///   - tagBytes: the packed size of the session's tags in bytes.
    ///   - account: the account whose managed policies can be used, in addition to those of AWS.
    ///   - known: a cache of parsed documents.
    init(
        document: String?, arns: [String], tagBytes: Int = 0, account: String, directory: Directory, known: SessionPolicyCache
    ) throws(ServiceError) {
        for arn in arns {
            guard let policy = directory.policy(arn: arn), policy.account == account || policy.account == "aws" else {
                // Virga's wording.
                throw ServiceError("MalformedPolicyDocument", .badRequest, "Policy \(arn) does not exist or is not attachable.")
            }
        }
        var documents: [String] = []
        var bytes = tagBytes
        let hasPolicies = document != nil || !arns.isEmpty
        if hasPolicies { bytes += PackedSize.ofPolicies + arns.count * PackedSize.ofARN }
        if let document {
            do {
                let entry = try known.entry(for: document)
                bytes += entry.packedSize
                documents.append(entry.compact)
            } catch {
                throw ServiceError(error, ofSessionPolicy: document)
            }
        }
        guard bytes > 0 else {
            self.init(documents: documents, arns: arns, size: nil)
            return
        }
        let percent = PackedSize.percent(bytes)
        // The message with policies is that of a call with tags, too. (AWS re:Post, "PackedPolicyTooLarge error"; records of 2026.)
        guard percent <= 100 else {
            throw ServiceError(
                "PackedPolicyTooLarge", .badRequest,
                hasPolicies
                    ? "Packed policy consumes \(percent)% of allotted space, please use smaller policy."
                    : "Packed size of session tags consumes \(percent)% of allotted space.")
        }
        self.init(documents: documents, arns: arns, size: percent)
    }

    /// The size in the response to a web identity. There, the provider's claims count even without a policy
    /// (observed of the real service).
    var sizeWithWebIdentity: Int { Self.webIdentityShare + (size ?? 0) * (100 - Self.webIdentityShare) / 100 }

    private static let webIdentityShare = 24
}
