import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

/// An error of OSS, sent as an XML error document. (OSS API Reference, "Error responses".)
struct OSSError: Error, Equatable {
    /// An element of the document in addition to the common ones, such as `BucketName`.
    struct Detail: Equatable {
        var name: String
        var value = ""
        /// The child elements, if the element contains no text.
        var members: [Detail] = []

        fileprivate func encode(into xml: inout XMLWriter) {
            if members.isEmpty {
                xml.element(name, value)
            } else {
                xml.element(name) { xml in for member in members { member.encode(into: &xml) } }
            }
        }
    }

    typealias Code = OSSErrorCode

    /// The code in the document.
    var code: String
    var status: HTTPResponse.Status
    /// The message in the document.
    var message: String
    /// The value of `EC`: the number of the exact cause.
    var subcode: String
    /// Further elements in document order, after `HostId`.
    var details: [Detail]
    /// Further header fields of the response, such as those that describe a delete marker.
    var fields: HTTPFields = [:]
    /// The cause of an internal error, for the log.
    var cause: FailureCause?

    init(
        _ code: Code, _ message: String? = nil, _ details: KeyValuePairs<String, String> = [:], subcode: String? = nil,
        fields: HTTPFields = [:]
    ) {
        self.fields = fields
        self.code = code.rawValue
        status = code.status
        self.message = message ?? code.message
        self.subcode = subcode ?? code.row.subcode
        self.details = details.map { Detail(name: $0.key, value: $0.value) }
    }

    /// Creates the response to an unexpected error.
    init(failure: any Error) {
        let isFull = FullStorage.isCause(of: failure)
        self.init(isFull ? .quotaExceeded : .internalError, isFull ? FullStorage.message(for: failure) : nil)
        if code == Code.internalError.rawValue { cause = FailureCause(failure) }
    }

    /// Creates the error for an injected fault. Its code need not be one of OSS's.
    init(_ fault: InjectedFault) {
        code = fault.failure.code
        (status, message) = fault.entry(in: .oss)
        subcode = (Code(rawValue: fault.failure.code) ?? .internalError).row.subcode
        details = []
    }

    /// Returns the error document.
    /// - Parameters:
    ///   - requestID: the value of `x-oss-request-id`.
    ///   - hostID: the host of the request.
    func document(requestID: String, hostID: String) -> [UInt8] {
        var xml = XMLWriter()
        xml.declaration()
        xml.element("Error") { xml in
            xml.element("Code", code)
            xml.element("Message", message)
            xml.element("RequestId", requestID)
            xml.element("HostId", hostID)
            for detail in details { detail.encode(into: &xml) }
            xml.element("EC", subcode)
        }
        return xml.bytes
    }
}

extension OSSError {
    static func noSuchBucket(_ name: String) -> OSSError { OSSError(.noSuchBucket, nil, ["BucketName": name]) }

    static func noSuchKey(_ key: String) -> OSSError { OSSError(.noSuchKey, nil, ["Key": key]) }

    static func noSuchUpload(_ id: String) -> OSSError { OSSError(.noSuchUpload, nil, ["UploadId": id]) }

    /// - Parameter value: as the client sent it.
    static func invalidArgument(_ message: String, name: String, value: String) -> OSSError {
        OSSError(.invalidArgument, message, ["ArgumentName": name, "ArgumentValue": value])
    }

    static func methodNotAllowed(_ method: HTTPRequest.Method, on resourceType: String) -> OSSError {
        OSSError(.methodNotAllowed, nil, ["Method": method.rawValue, "ResourceType": resourceType])
    }

    /// Creates the OSS error for an error of the store.
    /// - Parameters:
    ///   - key: the key of the request; empty for a bucket.
    ///   - uploadID: the upload of the request; empty for none.
    init(_ error: ObjectStoreError, bucket: String, key: String = "", uploadID: String = "") {
        self =
            switch error {
            case .noSuchBucket: .noSuchBucket(bucket)
            case .bucketExists: OSSError(.bucketAlreadyExists, nil, ["BucketName": bucket])
            case .bucketNotEmpty: OSSError(.bucketNotEmpty, nil, ["BucketName": bucket])
            case .noSuchKey, .isDeleteMarker: .noSuchKey(key)
            case .preconditionFailed: OSSError(.preconditionFailed)
            case .overwritingForbidden: OSSError(.fileAlreadyExists, nil, ["ObjectName": key])
            case .locked: OSSError(.fileImmutable)
            case .notAppendable: OSSError(.objectNotAppendable)
            case .sealed: OSSError(.appendSealedObjectNotAllowed)
            case .wrongPosition(let length):
                OSSError(
                    .positionNotEqualToLength, nil, ["ObjectLength": String(length)],
                    fields: [.ossNextAppendPosition: String(length)])
            case .noSuchUpload: .noSuchUpload(uploadID)
            case .invalidPart(let number): OSSError(.invalidPart, nil, ["UploadId": uploadID, "PartNumber": String(number)])
            case .invalidPartOrder: OSSError(.invalidPartOrder, nil, ["UploadId": uploadID])
            case .partTooSmall(let number, let size):
                OSSError(
                    .entityTooSmall, nil,
                    ["ProposedSize": String(size), "MinSizeAllowed": "102400", "PartNumber": String(number)])
            case .bodyTooLarge: OSSError(.entityTooLarge)
            case .storage where FullStorage.isCause(of: error): OSSError(.quotaExceeded, FullStorage.message(for: error))
            case .bodyDiscarded, .storage, .closed: OSSError(.internalError)
            }
        if code == Code.internalError.rawValue { cause = FailureCause(error) }
    }
}
