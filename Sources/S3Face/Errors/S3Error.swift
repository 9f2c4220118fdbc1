import Calls
import HTTPTypes
import ObjectStore
import WireFormats

/// A refusal by S3, sent as its XML error document. (S3 API Reference, "Error responses", "REST error responses".)
struct S3Error: Error, Equatable {
    /// An element of the document beyond code and message, such as `BucketName`.
    struct Detail: Equatable {
        var name: String
        var value: String
    }

    var code: Code
    /// A code of SelectObjectContent in the place of `code`, whose status it has.
    var selectCode: SelectErrorCode?
    /// A code of the key management service in the place of `code`, whose status it has.
    var keyServiceCode: String?
    /// What the developer reads.
    var message: String
    /// In document order, before `RequestId` and `HostId`.
    var details: [Detail]
    /// What `Allow` says beside a 405; empty otherwise.
    var allowedMethods: [HTTPRequest.Method] = []
    /// Further header fields of the answer, such as those that tell of a delete marker.
    var fields: HTTPFields = [:]
    /// What failed where the code is an internal error, for the log.
    var cause: FailureCause?

    init(_ code: Code, _ message: String? = nil, _ details: KeyValuePairs<String, String> = [:]) {
        self.code = code
        self.message = message ?? code.message
        self.details = details.map { Detail(name: $0.key, value: $0.value) }
    }

    /// The answer to an error that was not expected.
    init(failure: any Error) {
        self.init(.internalError)
        cause = FailureCause(failure)
    }

    init(_ code: SelectErrorCode, _ message: String? = nil) {
        self.init(.badRequest, message ?? code.message)
        selectCode = code
    }

    /// The code as the document has it.
    var wireCode: String { selectCode?.rawValue ?? keyServiceCode ?? code.rawValue }

    /// The error document.
    /// - Parameters:
    ///   - requestID: what `x-amz-request-id` says.
    ///   - hostID: what `x-amz-id-2` says.
    func document(requestID: String, hostID: String) -> [UInt8] {
        var xml = XMLWriter()
        xml.declaration()
        xml.element("Error") { xml in
            xml.element("Code", wireCode)
            xml.element("Message", message)
            for detail in details { xml.element(detail.name, detail.value) }
            xml.element("RequestId", requestID)
            xml.element("HostId", hostID)
        }
        return xml.bytes
    }
}

extension S3Error {
    static func noSuchBucket(_ name: String) -> S3Error { S3Error(.noSuchBucket, nil, ["BucketName": name]) }

    static func noSuchKey(_ key: String) -> S3Error { S3Error(.noSuchKey, nil, ["Key": key]) }

    static func noSuchUpload(_ id: String) -> S3Error { S3Error(.noSuchUpload, nil, ["UploadId": id]) }

    /// - Parameter value: as the client sent it.
    static func invalidArgument(_ message: String, name: String, value: String) -> S3Error {
        S3Error(.invalidArgument, message, ["ArgumentName": name, "ArgumentValue": value])
    }

    /// - Parameter condition: the header that did not hold, in S3's spelling.
    static func preconditionFailed(_ condition: String) -> S3Error {
        S3Error(.preconditionFailed, nil, ["Condition": condition])
    }

    /// - Parameter header: the header, or the sub-resource, that asks for what this face does not do.
    static func notImplemented(header: String) -> S3Error { S3Error(.notImplemented, nil, ["Header": header]) }

    static func methodNotAllowed(
        _ method: HTTPRequest.Method, on resourceType: String, allowed: [HTTPRequest.Method]
    ) -> S3Error {
        var error = S3Error(.methodNotAllowed, nil, ["Method": method.rawValue, "ResourceType": resourceType])
        error.allowedMethods = allowed
        return error
    }
}
