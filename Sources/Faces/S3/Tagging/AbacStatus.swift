import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

/// Whether the tags of a bucket are condition keys: attribute-based access control.
/// (S3 User Guide, "Enabling ABAC in general purpose buckets"; S3 API Reference, "AbacStatus".)
enum AbacStatus: String, Sendable, CaseIterable {
    case enabled = "Enabled"
    case disabled = "Disabled"

    static let root = "AbacStatus"
    static let schema: [DocumentSchema.Member] = [.init("Status", .oneOf(allCases.map(\.rawValue)))]

    /// Reads a document that conforms to the schema.
    init(_ element: XMLElement) {
        self = element.child("Status").flatMap { AbacStatus(rawValue: $0.text.trimmed) } ?? .disabled
    }

    /// Writes the content of the document.
    func encodeContent(into xml: inout XMLWriter) { xml.element("Status", rawValue) }
}

extension S3Request {
    /// Returns the status of a bucket, which is disabled until it is put.
    func abacStatus(of bucket: Bucket) throws(S3Error) -> AbacStatus {
        try configuration(.abac, of: bucket) { element throws(S3Error) in AbacStatus(element) } ?? .disabled
    }

    /// Rejects a change of tags that decide about access, for which there is an action of its own.
    /// (S3 API Reference, "PutBucketAbac".)
    func checkTagging(of bucket: Bucket) throws(S3Error) {
        guard try abacStatus(of: bucket) == .enabled else { return }
        throw S3Error(
            .badRequest,
            "This S3 general purpose bucket has attribute-based access control (ABAC) enabled. To add tags to this bucket, initiate a TagResource request. To delete tags from this bucket, initiate an UntagResource request."
        )
    }
}
