import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Streams the request's body into the store and computes its digests.
    func receive(_ declaration: OSSBodyDeclaration, for bucket: Bucket) async throws -> (writer: BodyWriter, body: ReceivedBody) {
        try await receive(
            length: declaration.length, md5: declaration.md5, from: call.request.body, for: bucket,
            at: try declaration.limit?.get())
    }

    /// Streams a body into the store and computes its digests.
    /// - Parameters:
    ///   - length: the length of the body, if it is known.
    ///   - md5: the MD5 that the client declares.
    ///   - limit: the maximum bandwidth.
    /// - Returns: the body, ready to be published.
    /// - Throws: `IncompleteBody`, `InvalidDigest`, `EntityTooLarge`.
    func receive(
        length: Int64?, md5 declared: [UInt8]?, from source: some AsyncSequence<ByteBuffer, any Error>, for bucket: Bucket,
        at limit: TrafficLimit? = nil
    ) async throws -> (writer: BodyWriter, body: ReceivedBody) {
        var digests = BodyDigests(bucket.standardChecksums)
        let transfer = limit.map { LimitedTransfer($0, wait: face.wait) }
        let writer = try await objects.receive(source, expecting: length) { buffer in
            digests.update(buffer)
            guard digests.size <= OSSBodyDeclaration.maximumLength else { throw OSSError(.entityTooLarge) }
            try await transfer?.wait(until: digests.size)
            return [buffer]
        }
        let body = digests.finish()
        if let length, length != body.size { throw OSSError(.incompleteBody) }
        if let declared, declared != body.md5 {
            throw OSSError(
                .invalidDigest, "The Content-MD5 you specified did not match what we received.",
                ["ExpectedDigest": declared.base64, "CalculatedDigest": body.md5.base64])
        }
        return (writer, body)
    }

    /// Reads the whole body of a request that must have a `Content-MD5`.
    /// - Throws: `MissingArgument`, and the errors of ``document(upTo:)``.
    func digestedDocument(upTo limit: Int) async throws -> [UInt8] {
        guard headers.contains(.contentMD5) else { throw OSSError(.missingArgument, nil, ["ArgumentName": "Content-MD5"]) }
        return try await document(upTo: limit)
    }

    /// Parses an XML document with the given root element.
    /// - Throws: `MalformedXML`.
    func xml(_ root: String, _ document: [UInt8]) throws(OSSError) -> XMLElement {
        guard let element = try? XMLElement(parsing: document), element.name == root else { throw OSSError(.malformedXML) }
        return element
    }
}
