import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

/// An error of S3, sent as an XML error document. (S3 API Reference, "Error responses", "REST error responses".)
struct S3Error: Error, Equatable {
    /// An element of the document beyond code and message, such as `BucketName`.
    struct Detail: Equatable {
        var name: String
        var value: String
    }

    typealias Code = S3ErrorCode

    var code: Code
    /// A code of SelectObjectContent that is sent instead of `code`; the status is that of `code`.
    var selectCode: SelectErrorCode?
    /// A code of the key management service that is sent instead of `code`; the status is that of `code`.
    var keyServiceCode: String?
    /// The message in the document.
    var message: String
    /// Further elements in document order, before `RequestId` and `HostId`.
    var details: [Detail]
    /// The methods in the `Allow` header of a 405 response; empty for other responses.
    var allowedMethods: [HTTPRequest.Method] = []
    /// Further header fields of the response, such as those that describe a delete marker.
    var fields: HTTPFields = [:]
    /// The cause of an internal error, for the log.
    var cause: FailureCause?

    init(_ code: Code, _ message: String? = nil, _ details: KeyValuePairs<String, String> = [:]) {
        self.code = code
        self.message = message ?? code.message
        self.details = details.map { Detail(name: $0.key, value: $0.value) }
    }

    /// Creates the response to an unexpected error.
    init(failure: any Error) {
        let isFull = FullStorage.isCause(of: failure)
        self.init(isFull ? .quotaExceeded : .internalError, isFull ? FullStorage.message(for: failure) : nil)
        if code == .internalError { cause = FailureCause(failure) }
    }

    init(_ code: SelectErrorCode, _ message: String? = nil) {
        self.init(.badRequest, message ?? code.message)
        selectCode = code
    }

    /// The code in the document.
    var wireCode: String { selectCode?.rawValue ?? keyServiceCode ?? code.rawValue }

    /// Returns the error document.
    /// - Parameters:
    ///   - requestID: the value of `x-amz-request-id`.
    ///   - hostID: the value of `x-amz-id-2`.
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

    /// - Parameter condition: the failed conditional header, in S3's spelling.
    static func preconditionFailed(_ condition: String) -> S3Error {
        S3Error(.preconditionFailed, nil, ["Condition": condition])
    }

    /// - Parameter header: the header or sub-resource that is not implemented.
    static func notImplemented(header: String) -> S3Error { S3Error(.notImplemented, nil, ["Header": header]) }

    /// Returns the error for a method that a resource does not have. S3 does not even parse methods of which it knows none.
    /// (brekkylab/backlot, measured in S3 2026-09-22.)
    static func methodNotAllowed(
        _ method: HTTPRequest.Method, on resourceType: String, allowed: [HTTPRequest.Method]
    ) -> S3Error {
        guard methods.contains(method) || method == .patch || method == .options else {
            return S3Error(.badRequest, "An error occurred when parsing the HTTP request.")
        }
        var error = S3Error(.methodNotAllowed, nil, ["Method": method.rawValue, "ResourceType": resourceType])
        error.allowedMethods = methods.filter(allowed.contains)
        return error
    }

    /// The methods in S3's order in `Allow`. (brekkylab/backlot#230, brekkylab/backlot#312, aws-amplify/amplify-hosting#3152.)
    private static let methods: [HTTPRequest.Method] = [.head, .delete, .post, .get, .put]

    static var noKey: S3Error { S3Error(.invalidRequest, "Object must have a valid key name.") }
}
