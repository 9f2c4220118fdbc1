import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

/// The headers of a request that describe its body.
struct OSSBodyDeclaration: Hashable, Sendable {
    /// The maximum size of a request body in bytes: 5 GiB.
    static let maximumLength: Int64 = 5 << 30

    /// The length in bytes; `nil` for HTTP chunked transfer coding.
    var length: Int64?
    var md5: [UInt8]?

    /// Parses the headers.
    /// - Throws: `MissingContentLength`, `InvalidArgument`, `InvalidDigest`, `EntityTooLarge`.
    init(_ headers: HTTPFields) throws(OSSError) {
        // The chunk signatures of S3 are not supported by OSS.
        guard headers.value(of: .contentEncoding)?.lowercased().contains("aws-chunked") != true,
            headers.value(of: .amzContentSHA256)?.hasPrefix("STREAMING-") != true
        else {
            throw OSSError(
                .invalidArgument, "aws-chunked encoding is not supported with the specified x-amz-content-sha256 value.")
        }
        if let text = headers.value(of: .contentLength) {
            guard let length = Int64(digits: text) else {
                throw .invalidArgument("The Content-Length is not a number.", name: "Content-Length", value: text)
            }
            guard length <= Self.maximumLength else {
                throw OSSError(
                    .entityTooLarge, nil, ["MaxSizeAllowed": String(Self.maximumLength), "ProposedSize": String(length)])
            }
            self.length = length
        } else if headers.value(of: .transferEncoding)?.lowercased().contains("chunked") != true {
            throw OSSError(.missingContentLength)
        }
        if let text = headers.value(of: .contentMD5), !text.isEmpty {
            guard let digest = [UInt8](base64: text), digest.count == MD5.byteCount else {
                throw OSSError(.invalidDigest, nil, ["Content-MD5": text])
            }
            md5 = digest
        }
    }
}

extension OSSRequest {
    /// Streams the request's body into the store and computes its digests.
    func receive(_ declaration: OSSBodyDeclaration, for bucket: Bucket) async throws -> (writer: BodyWriter, body: ReceivedBody) {
        try await receive(
            length: declaration.length, md5: declaration.md5, from: call.request.body, for: bucket, at: try trafficLimit())
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
