import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// Shared code of the operations on bucket configurations.
extension OSSRequest {
    /// The maximum size of a document in bytes: a thousand rules of maximum length.
    private static let configurationLimit = 4 << 20

    /// Reads the whole body of a request that carries a document, and verifies its MD5 if the request has one.
    /// - Throws: `InvalidDigest`, `EntityTooLarge`.
    func document(upTo limit: Int) async throws -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try await call.collectBody(upTo: limit) } catch is BodyTooLarge { throw OSSError(.entityTooLarge) }
        if let declared = headers.value(of: .contentMD5), declared != MD5.hash(bytes).base64 {
            throw OSSError(.invalidDigest, nil, ["ClientComputedContentMD5": declared, "OSSComputedContentMD5": MD5.hash(bytes).base64])
        }
        return bytes
    }

    /// Reads and parses the XML document of the request, with the given root element.
    /// - Throws: `MalformedXML`, and the errors of ``document(upTo:)``.
    func xmlDocument(_ root: String) async throws -> XMLElement {
        let bytes = try await document(upTo: Self.configurationLimit)
        guard let element = try? XMLElement(parsing: bytes), element.name == root else {
            throw OSSError(.malformedXML)
        }
        return element
    }

    /// Reads, parses and validates the XML document of the request.
    /// - Returns: the document with its boolean values in lowercase, which clients send in any case.
    func xmlDocument(_ root: String, holding schema: [DocumentSchema.Member]) async throws -> XMLElement {
        let element = DocumentSchema.withLowercaseBooleans(try await xmlDocument(root), .members(schema))
        guard DocumentSchema.holds(element, .members(schema)) else { throw OSSError(.malformedXML) }
        return element
    }

    /// Returns the text of a configuration to store.
    func storedText(_ element: XMLElement) -> String {
        var xml = XMLWriter()
        element.encode(into: &xml)
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Returns a response with a stored configuration.
    func answer(stored text: String) -> Response {
        var response = answer(.ok, [.contentType: "application/xml"])
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(text)"))
        return response
    }

    /// Changes the configuration of a bucket in one transaction.
    /// - Throws: `NoSuchBucket`, and the errors of the store.
    func configure(_ bucket: Bucket, _ change: @escaping @Sendable (inout BucketConfiguration) -> Void) async throws(OSSError) {
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in change(&configuration) }
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
    }

    /// Replaces or removes a configuration.
    func store(_ text: String?, as document: BucketDocument, in bucket: Bucket) async throws(OSSError) {
        try await configure(bucket) { $0.documents[document] = text }
    }

    /// Returns the access rules derived from the bucket's configuration.
    func rules(of bucket: Bucket) -> OSSBucketRules { face.bucketRules.rules(of: bucket) }

    /// Returns a configuration of a bucket as XML, parsed once for each revision; `nil` if the bucket has none.
    func configuration(_ document: BucketDocument, of bucket: Bucket) throws(OSSError) -> XMLElement? {
        try bucket.document(document) { try XMLElement(parsing: Array($0.utf8)) }
    }

    /// Performs an operation on a configuration of which a bucket has at most one.
    func perform(_ verb: DocumentVerb, _ kind: OSSDocumentKind, on bucket: Bucket) async throws -> Response {
        let row = kind.descriptor
        switch verb {
        case .get:
            try authorize(row.actions.get, on: bucket)
            if let text = bucket.configuration.documents[row.document] { return answer(stored: text) }
            switch row.missing {
            case .standard(let content): return answer(stored: "<\(row.root)>\(content)</\(row.root)>")
            case .error(let code): throw OSSError(code, nil, ["BucketName": bucket.name])
            }
        case .put:
            try authorize(row.actions.put, on: bucket)
            let element = try await xmlDocument(row.root, holding: row.schema)
            let text = storedText(try row.check(element, bucket, self))
            let (document, locksObjects) = (row.document, row.locksObjects)
            try await configure(bucket) { configuration in
                configuration.documents[document] = text
                if locksObjects { configuration.hasObjectLock = true }
            }
            return answer()
        case .delete:
            guard let action = row.actions.delete else { throw .methodNotAllowed(.delete, on: kind.rawValue) as OSSError }
            try authorize(action, on: bucket)
            try await store(nil, as: row.document, in: bucket)
            return answer(.noContent)
        }
    }
}
