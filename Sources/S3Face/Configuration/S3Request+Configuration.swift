import Calls
import Cloud
import ObjectStore
import WireFormats

/// Shared code of the operations on bucket configurations: each is a document that is put, returned and deleted as a whole.
extension S3Request {
    /// The maximum size of a document in bytes: a thousand rules of maximum length.
    private static let configurationLimit = 4 << 20

    /// Reads and parses the document of the request.
    /// - Parameter needsDigest: whether a document without an MD5 digest or checksum is rejected.
    /// - Throws: `InvalidRequest`, `MalformedXML`.
    func configurationDocument(_ root: String, needsDigest: Bool) async throws -> XMLElement {
        let declaration = try declaredBody()
        guard !needsDigest || declaration.md5 != nil || declaration.checksum != .none else {
            throw S3Error(.invalidRequest, "Missing required header for this request: Content-MD5 OR x-amz-checksum-*")
        }
        return try xml(root, try await document(upTo: Self.configurationLimit, declaration))
    }

    /// Returns the text of a configuration to store.
    func document(_ root: String, _ content: (inout XMLWriter) -> Void) -> String {
        var xml = XMLWriter()
        xml.element(root, namespace: S3Face.namespace, content)
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Returns a configuration of a bucket, parsed once for each revision; `nil` if the bucket has none.
    func configuration<Value: Sendable>(
        _ kind: BucketDocument, of bucket: Bucket, _ read: (XMLElement) throws(S3Error) -> Value
    ) throws(S3Error) -> Value? {
        guard bucket.configuration.documents[kind] != nil else { return nil }
        return try rules(of: bucket).document(kind) { text in try read(XMLElement(parsing: Array(text.utf8))) }
    }

    /// Replaces or removes a configuration.
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
