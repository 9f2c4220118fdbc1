import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import RequestSigning
import WireFormats

/// The headers of a request that describe its body: length, coding and digests. They are read before the body arrives.
/// (S3 User Guide, "Checking object integrity"; S3 API Reference, "Authenticating requests", on `x-amz-content-sha256`.)
struct BodyDeclaration {
    /// The location and value of the checksum in the request.
    enum DeclaredChecksum: Hashable {
        case none
        case header(Checksum)
        /// A trailer after the last chunk.
        case trailer(Checksum.Algorithm)
    }

    /// The subject of the `x-amz-checksum-…` headers of a request.
    enum ChecksumSubject {
        case body
        /// The object that CompleteMultipartUpload assembles; the body is a document that lists its parts.
        case completedObject
    }

    /// Length of the payload in bytes, without chunk framing; `nil` if a plain request does not state it.
    var length: Int64?
    /// Whether the body uses HTTP chunked transfer coding and has no stated length.
    private var isOpenEnded = false
    /// The value of `x-amz-content-sha256`: a digest, no digest, or chunks.
    var payload: PayloadHash
    /// The value of `Content-MD5`.
    var md5: [UInt8]?
    var checksum: DeclaredChecksum
    /// Whether the body is a part of a multipart upload.
    var isOfPart = false

    /// The maximum size of a request body in bytes.
    static let maximumLength: Int64 = 5 << 30

    /// Parses the headers.
    /// - Parameter payload: the payload hash from the verified signature; `nil` for an unsigned request, whose own header applies.
    init(
        _ headers: HTTPFields, payload: PayloadHash?, checksumSubject: ChecksumSubject = .body, dialect: Dialect = .aws
    ) throws(S3Error) {
        self.payload = if let payload { payload } else { try Self.unsignedPayload(headers) }
        switch self.payload {
        case .sha256, .unsigned, .other:
            // S3 accepts HTTP chunked transfer coding only together with aws-chunked.
            isOpenEnded = headers.has(.transferEncoding)
            if isOpenEnded, dialect == .aws { throw .notImplemented(header: "Transfer-Encoding") }
            length = headers.value(of: .contentLength).flatMap { Int64(digits: $0) }
            if case .other(let text) = self.payload, (try? PayloadHash(text)) != nil { try Self.checkUnusedChunks(headers, length) }
        case .signedChunks, .signedChunksWithTrailer, .unsignedChunksWithTrailer:
            guard let length = headers.value(of: .decodedContentLength).flatMap({ Int64(digits: $0) }) else {
                throw S3Error(.missingContentLength)
            }
            self.length = length
        }
        if let text = headers.value(of: .contentMD5) {
            guard let digest = [UInt8](base64: text), digest.count == 16 else {
                throw S3Error(.invalidDigest, nil, ["Content-MD5": text])
            }
            md5 = digest
        }
        checksum = checksumSubject == .body ? try Self.checksum(headers, dialect) : .none
    }

    /// Checks a request that announces chunks, and whose body S3 reads as one piece.
    /// - Parameter length: the length of the body.
    private static func checkUnusedChunks(_ headers: HTTPFields, _ length: Int64?) throws(S3Error) {
        guard let decoded = headers.value(of: .decodedContentLength).flatMap({ Int64(digits: $0) }) else {
            throw S3Error(.missingContentLength)
        }
        if let length, length > decoded { throw .incompleteBody(expected: decoded, provided: length) }
    }

    /// Returns the length of the body of an object or part, or the maximum length if it is not known.
    /// - Throws: `MissingContentLength`, `EntityTooLarge`.
    func objectLength() throws(S3Error) -> Int64 {
        if isOpenEnded { return Self.maximumLength }
        guard let length, length >= 0 else { throw S3Error(.missingContentLength) }
        guard length <= Self.maximumLength else {
            throw S3Error(
                .entityTooLarge, nil, ["ProposedSize": String(length), "MaxSizeAllowed": String(Self.maximumLength)])
        }
        return length
    }

    /// Whether the request has an MD5 digest or a checksum of the body.
    var hasDigest: Bool { md5 != nil || checksum != .none }

    /// The checksum algorithm that the client declares in a header or trailer.
    var algorithm: Checksum.Algorithm? {
        switch checksum {
        case .none: nil
        case .header(let checksum): checksum.algorithm
        case .trailer(let algorithm): algorithm
        }
    }

    private static func unsignedPayload(_ headers: HTTPFields) throws(S3Error) -> PayloadHash {
        guard let text = headers.value(of: .contentSHA256) else { return .unsigned }
        guard let payload = try? PayloadHash(text) else {
            throw S3Error(.invalidRequest, "The value of x-amz-content-sha256 header is invalid.")
        }
        switch payload {
        case .signedChunks, .signedChunksWithTrailer:
            throw S3Error(
                .invalidRequest,
                "Anonymous requests don't support this x-amz-content-sha256 value. Please use UNSIGNED-PAYLOAD or STREAMING-UNSIGNED-PAYLOAD-TRAILER."
            )
        case .sha256, .unsigned, .unsignedChunksWithTrailer, .other: return payload
        }
    }

    private static func checksum(_ headers: HTTPFields, _ dialect: Dialect) throws(S3Error) -> DeclaredChecksum {
        var inHeader: Checksum?
        var inTrailer: Checksum.Algorithm?
        for field in headers {
            let name = field.name.canonicalName
            guard name.begins(with: "x-amz-") else { continue }
            if name.begins(with: "x-amz-checksum-") {
                let value: Checksum?
                do { value = try checksum(name, field.value, dialect) } catch {
                    // The value of one of several checksum headers is not validated.
                    let count = headers.count { Checksum.Algorithm(header: $0.name.canonicalName) != nil }
                    throw count < 2 ? error : .severalChecksums
                }
                guard let value else { continue }
                guard inHeader == nil else { throw .severalChecksums }
                inHeader = value
            } else if name == "x-amz-trailer" {
                guard inTrailer == nil else { throw .severalChecksums }
                inTrailer = try trailer(field.value)
            }
        }
        let found: DeclaredChecksum
        switch (inHeader, inTrailer) {
        case (nil, nil): found = .none
        case (let checksum?, nil): found = .header(checksum)
        case (nil, let algorithm?): found = .trailer(algorithm)
        case (_?, _?): throw S3Error(.invalidRequest, "Expecting a single x-amz-checksum- header")
        }
        if let announced = headers.value(of: .sdkChecksumAlgorithm) { try check(announced, found) }
        return found
    }

    /// Parses `x-amz-trailer`, a list that must name one checksum. Commas at its end are ignored; elsewhere they must separate names.
    /// (OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS.)
    private static func trailer(_ text: String) throws(S3Error) -> Checksum.Algorithm {
        var names = text.lowercased().utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        while names.count > 1, names.last?.isEmpty == true { names.removeLast() }
        var algorithms: [Checksum.Algorithm] = []
        for name in names {
            guard let algorithm = Checksum.Algorithm(header: name.trimmed) else {
                throw S3Error(.invalidRequest, "The value specified in the x-amz-trailer header is not supported")
            }
            algorithms.append(algorithm)
        }
        guard algorithms.count == 1 else { throw .severalChecksums }
        return algorithms[0]
    }

    /// Parses a checksum header; `nil` for headers with the same prefix that contain no checksum.
    private static func checksum(_ name: String, _ text: String, _ dialect: Dialect) throws(S3Error) -> Checksum? {
        switch name {
        case "x-amz-checksum-algorithm", "x-amz-checksum-type", "x-amz-checksum-mode": return nil
        default: break
        }
        guard let algorithm = Checksum.Algorithm(header: name) else {
            throw S3Error(.invalidRequest, "The algorithm type you specified in x-amz-checksum- header is invalid.")
        }
        let bytes = [UInt8](base64: text)
        if bytes == nil, dialect == .ceph {
            throw S3Error(.badDigest, "The \(algorithm.name) you specified did not match the calculated checksum.")
        }
        guard let bytes, bytes.count == algorithm.byteCount else {
            throw S3Error(.invalidRequest, "Value for \(name) header is invalid.")
        }
        return Checksum(algorithm, bytes: bytes)
    }

    private static func check(_ announced: String, _ found: DeclaredChecksum) throws(S3Error) {
        let algorithm: Checksum.Algorithm
        switch found {
        case .none:
            throw S3Error(
                .invalidRequest,
                "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found."
            )
        case .header(let checksum): algorithm = checksum.algorithm
        case .trailer(let trailer): algorithm = trailer
        }
        guard announced.uppercased() == algorithm.name else {
            throw S3Error(.invalidRequest, "Value for x-amz-sdk-checksum-algorithm header is invalid.")
        }
    }
}

extension S3Error {
    fileprivate static var severalChecksums: S3Error {
        S3Error(.invalidRequest, "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.")
    }
}
