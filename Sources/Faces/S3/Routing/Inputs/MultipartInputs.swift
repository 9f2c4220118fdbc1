import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The upload that a request names.
struct UploadInput: S3Input {
    var uploadID: String

    init(_ fields: S3Fields) { uploadID = fields.query["uploadId"] ?? "" }
}

/// What UploadPart and UploadPartCopy read of the part. (S3 API Reference, "UploadPart".)
struct UploadPartInput: S3Input {
    var uploadID: String
    var number: Int
    /// The client's encryption key for the upload.
    var customerKey: Parsed<CustomerKey?>

    /// - Throws: `InvalidArgument` for a number out of range.
    init(_ fields: S3Fields) throws(S3Error) {
        uploadID = fields.query["uploadId"] ?? ""
        let text = fields.query["partNumber"] ?? ""
        guard let number = Int(digits: text), (1...10_000).contains(number) else { throw .invalidPartNumber(text) }
        self.number = number
        let headers = fields.headers
        customerKey = Parsed { () throws(S3Error) in try CustomerKey(headers, .object) }
    }
}

/// What CompleteMultipartUpload reads in query and headers. (S3 API Reference, "CompleteMultipartUpload".)
struct CompleteMultipartUploadInput: S3Input {
    var uploadID: String
    var condition: Precondition
    var customerKey: Parsed<CustomerKey?>
    /// `x-amz-checksum-type`, in capitals.
    var checksumType: String?
    /// The checksums of the object in the headers, in their order.
    var checksums: [(algorithm: Checksum.Algorithm, text: String)]
    /// `x-amz-mp-object-size`; `nil` if the request has none.
    var objectSize: Parsed<Int64>?

    /// - Throws: `NotImplemented` for a condition that the dialect does not support.
    init(_ fields: S3Fields) throws(S3Error) {
        let headers = fields.headers
        uploadID = fields.query["uploadId"] ?? ""
        condition = try Precondition(write: headers, fields.dialect)
        customerKey = Parsed { () throws(S3Error) in try CustomerKey(headers, .object) }
        checksumType = headers[.checksumType]?.uppercased()
        checksums = headers.compactMap { field in
            Checksum.Algorithm(header: field.name.canonicalName).map { ($0, field.value) }
        }
        objectSize = headers[.multipartObjectSize].map { text in Parsed { () throws(S3Error) in try Self.size(text) } }
    }

    private static func size(_ text: String) throws(S3Error) -> Int64 {
        guard let size = Int64(decimal: text) else {
            throw S3Error(.invalidRequest, "Value for x-amz-mp-object-size header is invalid: '\(text)'")
        }
        guard size >= 0 else {
            throw S3Error(.invalidRequest, "Value for x-amz-mp-object-size header is less than zero: '\(text)'")
        }
        return size
    }
}

/// What UploadPartCopy reads. (S3 API Reference, "UploadPartCopy".)
struct UploadPartCopyInput: S3Input {
    var part: UploadPartInput
    var source: CopySourceAddress
    /// `nil` if all of the source is to be copied.
    var range: Parsed<Range>?

    /// The bytes of the source that become the part.
    struct Range: Equatable, Sendable {
        var first: Int64
        var last: Int64
        /// As sent.
        var text: String
    }

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        part = try UploadPartInput(fields)
        source = try CopySourceAddress(header: fields.headers[.copySource] ?? "")
        range = fields.headers[.copySourceRange].map { text in
            guard case .from(let first, through: let last?)? = ByteRange(header: text) else {
                return .failure(
                    .invalidArgument(
                        "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy",
                        name: "x-amz-copy-source-range", value: text))
            }
            return .success(Range(first: first, last: last, text: text))
        }
    }
}
