import Calls
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The upload that a request names.
struct UploadInput: OSSInput {
    var uploadID: String

    init(_ fields: OSSFields) { uploadID = fields.query["uploadId"] ?? "" }
}

/// What InitiateMultipartUpload reads. (OSS API Reference, "InitiateMultipartUpload".)
struct InitiateMultipartUploadInput: OSSInput {
    var isEncoded: Bool
    var object: OSSObjectWriteInput

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        isEncoded = try fields.wantsURLEncoding(fields.query["encoding-type"])
        object = OSSObjectWriteInput(fields)
    }
}

/// What UploadPart reads. (OSS API Reference, "UploadPart".)
struct UploadPartInput: OSSInput {
    var uploadID: String
    var number: Int

    /// - Throws: `InvalidArgument`, also for encryption headers, which only InitiateMultipartUpload accepts.
    init(_ fields: OSSFields) throws(OSSError) {
        try OSSEncryptionFields.refuse(fields.headers)
        uploadID = fields.query["uploadId"] ?? ""
        number = try fields.partNumber()
    }
}

/// What UploadPartCopy reads, besides the source. (OSS API Reference, "UploadPartCopy".)
struct UploadPartCopyInput: OSSInput {
    var uploadID: String
    var number: Int
    /// The range of the source; `nil` for the whole source, and for a text that is not a range.
    var range: ByteRange?

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        uploadID = fields.query["uploadId"] ?? ""
        number = try fields.partNumber()
        range = fields.headers.value(of: .ossCopySourceRange).flatMap { ByteRange(header: $0) }
    }
}

/// What CompleteMultipartUpload reads in query and headers. (OSS API Reference, "CompleteMultipartUpload".)
struct CompleteMultipartUploadInput: OSSInput {
    var uploadID: String
    var isEncoded: Bool
    /// Whether the object consists of all uploaded parts instead of the listed ones.
    var takesAll: Parsed<Bool>
    /// `nil` if the request names none.
    var access: Parsed<OSSObjectAccess>?
    var forbidsOverwrite: Bool

    /// - Throws: `InvalidArgument`, also for encryption headers, which only InitiateMultipartUpload accepts.
    init(_ fields: OSSFields) throws(OSSError) {
        let headers = fields.headers
        uploadID = fields.query["uploadId"] ?? ""
        isEncoded = try fields.wantsURLEncoding(fields.query["encoding-type"])
        try OSSEncryptionFields.refuse(headers)
        takesAll = Parsed { () throws(OSSError) in try Self.takesAll(headers.value(of: .ossCompleteAll)) }
        access = headers.value(of: .ossObjectACL).map { text in Parsed { () throws(OSSError) in try OSSObjectAccess(header: text) } }
        forbidsOverwrite = headers.forbidsOverwrite
    }

    private static func takesAll(_ text: String?) throws(OSSError) -> Bool {
        switch text?.lowercased() {
        case nil: return false
        case "yes": return true
        default: throw .invalidArgument("The value is yes or absent.", name: "x-oss-complete-all", value: text ?? "")
        }
    }
}

extension OSSFields {
    fileprivate func partNumber() throws(OSSError) -> Int {
        let text = query["partNumber"] ?? ""
        guard let number = Int(digits: text), (1...10_000).contains(number) else {
            throw .invalidArgument("Part number must be an integer between 1 and 10000, inclusive.", name: "partNumber", value: text)
        }
        return number
    }
}
