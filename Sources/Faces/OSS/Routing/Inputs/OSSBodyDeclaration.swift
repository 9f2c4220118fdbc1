import Calls
import Cloud
import Cryptography
import HTTPTypes
import WireFormats

/// The headers of a request that describe its body.
struct OSSBodyDeclaration: OSSInput {
    /// The maximum size of a request body in bytes: 5 GiB.
    static let maximumLength: Int64 = 5 << 30

    /// The length in bytes; `nil` for HTTP chunked transfer coding.
    var length: Int64?
    var md5: [UInt8]?
    /// `nil` if the request names none.
    var limit: Parsed<TrafficLimit>?

    /// Parses the headers.
    /// - Throws: `MissingContentLength`, `InvalidArgument`, `InvalidDigest`, `EntityTooLarge`.
    init(_ fields: OSSFields) throws(OSSError) {
        let headers = fields.headers
        limit = fields.trafficLimit
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
