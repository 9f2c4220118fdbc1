import Calls
import Cloud
import ObjectStore
import WireFormats

/// What the operations on the configurations of a bucket share: each is a document that is put, given back and deleted whole.
extension S3Request {
    /// A thousand rules of the longest kind.
    private static let configurationLimit = 4 << 20

    /// The document that the request carries.
    /// - Parameter needsDigest: whether the operation refuses a document that nothing protects on its way.
    /// - Throws: `InvalidRequest`, `MalformedXML`.
    func configurationDocument(_ root: String, needsDigest: Bool) async throws -> XMLElement {
        let declaration = try declaredBody()
        guard !needsDigest || declaration.md5 != nil || declaration.checksum != .none else {
            throw S3Error(.invalidRequest, "Missing required header for this request: Content-MD5 OR x-amz-checksum-*")
        }
        return try xml(root, try await document(upTo: Self.configurationLimit, declaration))
    }

    /// The text that is kept of a configuration.
    func document(_ root: String, _ content: (inout XMLWriter) -> Void) -> String {
        var xml = XMLWriter()
        xml.element(root, namespace: S3Face.namespace, content)
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// A configuration of a bucket, read once for each revision; `nil` if the bucket has none.
    func configuration<Value: Sendable>(
        _ kind: BucketDocument, of bucket: Bucket, _ read: (XMLElement) throws(S3Error) -> Value
    ) throws(S3Error) -> Value? {
        guard bucket.configuration.documents[kind] != nil else { return nil }
        return try rules(of: bucket).document(kind) { text in try read(XMLElement(parsing: Array(text.utf8))) }
    }

    /// Replaces a configuration, or removes it.
    func store(_ text: String?, as document: BucketDocument, in bucket: Bucket) async throws(S3Error) {
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                configuration.documents[document] = text
            }
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
    }
}
