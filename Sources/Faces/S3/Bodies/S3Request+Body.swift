import Calls
import Cloud
import Federation
import NIOCore
import ObjectServing
import ObjectStore
import RequestSigning
import WireFormats

extension S3Request {
    /// Returns the declarations of the request about its body.
    func declaredBody(checksumSubject: BodyDeclaration.ChecksumSubject = .body) throws(S3Error) -> BodyDeclaration {
        var payload = authenticated?.payload
        if payload == nil, authenticated != nil, let text = call.headers.value(of: .contentSHA256) {
            payload = PayloadHash(outsideHeaderSignature: text)
        }
        return try BodyDeclaration(call.headers, payload: payload, checksumSubject: checksumSubject, dialect: dialect)
    }

    /// Returns the verifier of the request's body.
    private func verifier(
        _ declaration: BodyDeclaration, default algorithm: Checksum.Algorithm, further: [Checksum.Algorithm] = [],
        isOfDocument: Bool = false
    ) throws(S3Error) -> BodyVerifier {
        try BodyVerifier(
            declaration, authenticated, default: algorithm, further: further, isOfDocument: isOfDocument,
            canonicalRequest: canonicalRequest(of: declaration))
    }

    /// Returns a function that computes the canonical request of the seed signature of signed chunks; `nil` for another body.
    private func canonicalRequest(of declaration: BodyDeclaration) -> (@Sendable () -> [UInt8])? {
        guard declaration.payload.hasSignedChunks, case .v4(let presented, let payload, _)? = authenticated?.signature else { return nil }
        let request = call.signable
        return { presented.canonicalRequest(of: request, payload: payload, path: .asReceived) }
    }

    /// Streams the request's body into the store as an object or part and verifies it.
    func receive(
        _ declaration: BodyDeclaration, length: Int64, default algorithm: Checksum.Algorithm,
        further: [Checksum.Algorithm] = []
    ) async throws -> (writer: BodyWriter, body: VerifiedBody) {
        if let whole = call.request.body.whole,
            let received = try receive(whole: whole, declaration, length: length, default: algorithm, further: further)
        {
            return received
        }
        return try await receive(
            declaration, length: length, default: algorithm, further: further, from: call.request.body)
    }

    /// Receives a body that has arrived, without suspending; `nil` if it is longer than one piece. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func receive(
        whole buffer: ByteBuffer, _ declaration: BodyDeclaration, length: Int64, default algorithm: Checksum.Algorithm,
        further: [Checksum.Algorithm]
    ) throws -> (writer: BodyWriter, body: VerifiedBody)? {
        var verifier = try verifier(declaration, default: algorithm, further: further)
        let writer = objects.stage(expecting: length)
        if buffer.readableBytes > 0 {
            for content in try verifier.take(buffer) where try !writer.appendIfRoom(content) { return nil }
        }
        return (writer, try verifier.finish())
    }

    /// Streams the body of an object or part into the store and verifies it.
    /// - Parameters:
    ///   - algorithm: the checksum to compute if the client declares none.
    ///   - further: checksums to compute in any case.
    ///   - source: the source of the body.
    /// - Returns: the body, ready to be published.
    func receive(
        _ declaration: BodyDeclaration, length: Int64, default algorithm: Checksum.Algorithm,
        further: [Checksum.Algorithm] = [], from source: some AsyncSequence<ByteBuffer, any Error>
    ) async throws -> (writer: BodyWriter, body: VerifiedBody) {
        var verifier = try verifier(declaration, default: algorithm, further: further)
        let writer = try await objects.receive(source, expecting: length) { try verifier.take($0) }
        return (writer, try verifier.finish())
    }

    /// Reads and verifies the whole body of a request that carries a document.
    /// - Parameters:
    ///   - limit: the maximum size in bytes.
    ///   - declaration: the declarations of the request about its body.
    /// - Throws: `MaxMessageLengthExceeded`, and the errors of ``BodyVerifier``.
    func document(upTo limit: Int, _ declaration: BodyDeclaration) async throws -> [UInt8] {
        var verifier = try verifier(declaration, default: .crc32, isOfDocument: true)
        var bytes: [UInt8] = []
        for try await buffer in call.request.body {
            for payload in try verifier.take(buffer) {
                guard bytes.count + payload.readableBytes <= limit else {
                    throw S3Error(.maxMessageLengthExceeded, nil, ["MaxMessageLengthBytes": String(limit)])
                }
                bytes.append(contentsOf: payload.readableBytesView)
            }
        }
        _ = try verifier.finish()
        return bytes
    }

    /// Parses an XML document with the given root element. The namespace is optional.
    /// - Throws: `MalformedXML`.
    func xml(_ root: String, _ document: [UInt8]) throws(S3Error) -> XMLElement {
        guard let element = try? XMLElement(parsing: document), element.name == root,
            element.namespace.isEmpty || element.namespace == S3Face.namespace
        else { throw S3Error(.malformedXML) }
        return element
    }
}
