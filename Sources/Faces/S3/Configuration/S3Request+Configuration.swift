import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

/// Shared code of the operations on bucket configurations: each is a document that is put, returned and deleted as a whole.
extension S3Request {
    /// The maximum size of a document in bytes: a thousand rules of maximum length.
    private static let configurationLimit = 4 << 20

    /// Performs an operation on a configuration of which a bucket has at most one. Deleting a missing configuration succeeds.
    func perform(_ operation: S3DocumentOperation, on name: String) async throws -> Response {
        let bucket = try bucket(name)
        let row = operation.kind.descriptor
        switch operation.verb {
        case .get:
            try authorize(row.actions.get, on: bucket)
            if let text = bucket.configuration.documents[row.document] { return answer(stored: text) }
            switch row.missing {
            case .content(let content): return answer(root: row.root, content)
            case .error(let code): throw S3Error(code, nil, ["BucketName": name])
            }
        case .put:
            try authorize(row.actions.put, on: bucket)
            let element = try await configurationDocument(row.root, needsDigest: row.needsDigest).holding(row.schema)
            try await store(document(row.root, try row.check(element, bucket, self)), as: row.document, in: bucket)
            return answer()
        case .delete:
            guard let action = row.actions.delete else { throw S3Error.methodNotAllowed(.delete, on: row.name, allowed: [.get, .put]) }
            try authorize(action, on: bucket)
            try await store(nil, as: row.document, in: bucket)
            return answer(.noContent)
        }
    }

    /// Returns a stored document as the response.
    private func answer(stored text: String) -> Response {
        var response = answer(.ok, [.contentType: "application/xml"])
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(text)"))
        return response
    }

    /// Returns the document in the request's body.
    /// - Parameter needsDigest: whether a document without a digest or checksum is rejected.
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
        return try bucket.document(kind) { text in try read(XMLElement(parsing: Array(text.utf8))) }
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
