import Cloud
import HTTPTypes
import WireFormats

/// Operations on an object. (OSS API Reference, "Operations on objects".)
enum OSSObjectOperation: Hashable {
    case putObject
    case copyObject
    case appendObject
    case sealAppendObject
    case getObject
    case headObject
    case getObjectMeta
    case deleteObject
    case restoreObject
    case cleanRestoredObject
    case putSymlink
    case getSymlink
    case getObjectACL
    case putObjectACL
    case getObjectTagging
    case putObjectTagging
    case deleteObjectTagging
    case getObjectRetention
    case putObjectRetention
    case getObjectLegalHold
    case putObjectLegalHold
    case initiateMultipartUpload
    case uploadPart
    case uploadPartCopy
    case completeMultipartUpload
    case abortMultipartUpload
    case listParts
    case selectObject(isJSON: Bool)
    case createSelectObjectMeta(isJSON: Bool)
    /// An operation of OSS that this process does not implement, by its sub-resource.
    case unimplemented(String)

    /// Determines the operation.
    /// - Throws: `MethodNotAllowed`, `InvalidObjectName`, `InvalidArgument`.
    init(_ method: HTTPRequest.Method, _ key: String, _ query: FormFields, _ headers: HTTPFields) throws(OSSError) {
        try Self.check(key)
        if method == .post, let operation = query["x-oss-process"].flatMap(Self.process) {
            self = operation
            return
        }
        if let name = Self.unimplemented(query) {
            self = .unimplemented(name)
            return
        }
        if let operation = Self.bySubResource(method, query, headers) {
            self = operation
            return
        }
        // A PUT or DELETE with an unsupported sub-resource must not write or delete the object itself.
        if method == .put || method == .delete, let part = query.fields.first(where: { Self.parts.contains($0.name) }) {
            throw .methodNotAllowed(method, on: part.name)
        }
        guard let operation = Self.plain(method, headers) else { throw .methodNotAllowed(method, on: "Object") }
        self = operation
    }

    /// Sub-resources that are not the object itself. `symlink` is not one of them: the tests of the SDK for Python delete versions of a
    /// link with that sub-resource, which the service allows.
    private static let parts: Set<String> = [
        "acl", "append", "cleanRestoredObject", "legalHold", "objectMeta", "restore", "retention", "seal", "tagging", "uploadId", "uploads",
    ]

    /// Validates a key. (OSS User Guide, "Object naming conventions": 1 to 1,023 bytes, not beginning with a slash or a backslash.)
    static func check(_ key: String) throws(OSSError) {
        guard (1...1023).contains(key.utf8.count), key.utf8.first != UInt8(ascii: "/"), key.utf8.first != UInt8(ascii: "\\") else {
            throw OSSError(.invalidObjectName, nil, ["ObjectName": key])
        }
    }

    private static let lacking = [
        "x-oss-process", "x-oss-async-process", "live", "vod", "udf", "asyncFetch", "x-oss-write-get-object-response", "objectInfo",
        "processConfiguration", "rtc",
    ]

    /// Returns the operation for the value of `x-oss-process` in a POST. (OSS API Reference, "SelectObject" and "CreateSelectObjectMeta".)
    private static func process(_ name: String) -> OSSObjectOperation? {
        switch name.lowercased() {
        case "csv/select": .selectObject(isJSON: false)
        case "json/select": .selectObject(isJSON: true)
        case "csv/meta": .createSelectObjectMeta(isJSON: false)
        case "json/meta": .createSelectObjectMeta(isJSON: true)
        default: nil
        }
    }

    private static func unimplemented(_ query: FormFields) -> String? {
        guard !query.fields.isEmpty else { return nil }
        return lacking.first { query[$0] != nil }
    }

    private static func bySubResource(
        _ method: HTTPRequest.Method, _ query: FormFields, _ headers: HTTPFields
    ) -> OSSObjectOperation? {
        guard !query.fields.isEmpty else { return nil }
        func has(_ name: String) -> Bool { query[name] != nil }
        switch method {
        case .get where has("uploadId"): return .listParts
        case .get where has("acl"): return .getObjectACL
        case .get where has("tagging"): return .getObjectTagging
        case .get where has("symlink"): return .getSymlink
        case .get where has("objectMeta"), .head where has("objectMeta"): return .getObjectMeta
        case .get where has("retention"): return .getObjectRetention
        case .get where has("legalHold"): return .getObjectLegalHold
        case .put where has("uploadId") && has("partNumber"):
            return headers.contains(.ossCopySource) ? .uploadPartCopy : .uploadPart
        case .put where has("acl"): return .putObjectACL
        case .put where has("tagging"): return .putObjectTagging
        case .put where has("symlink"): return .putSymlink
        case .put where has("retention"): return .putObjectRetention
        case .put where has("legalHold"): return .putObjectLegalHold
        case .post where has("append"): return .appendObject
        case .post where has("seal"): return .sealAppendObject
        case .post where has("uploads"): return .initiateMultipartUpload
        case .post where has("uploadId"): return .completeMultipartUpload
        case .post where has("restore"): return .restoreObject
        case .post where has("cleanRestoredObject"): return .cleanRestoredObject
        case .delete where has("uploadId"): return .abortMultipartUpload
        case .delete where has("tagging"): return .deleteObjectTagging
        default: return nil
        }
    }

    private static func plain(_ method: HTTPRequest.Method, _ headers: HTTPFields) -> OSSObjectOperation? {
        switch method {
        case .put: headers.contains(.ossCopySource) ? .copyObject : .putObject
        case .get: .getObject
        case .head: .headObject
        case .delete: .deleteObject
        default: nil
        }
    }

    /// The name of the operation in the API Reference and the journal.
    var name: String {
        switch self {
        case .putObject: "PutObject"
        case .copyObject: "CopyObject"
        case .appendObject: "AppendObject"
        case .sealAppendObject: "SealAppendObject"
        case .getObject: "GetObject"
        case .headObject: "HeadObject"
        case .getObjectMeta: "GetObjectMeta"
        case .deleteObject: "DeleteObject"
        case .restoreObject: "RestoreObject"
        case .cleanRestoredObject: "CleanRestoredObject"
        case .putSymlink: "PutSymlink"
        case .getSymlink: "GetSymlink"
        case .getObjectACL: "GetObjectACL"
        case .putObjectACL: "PutObjectACL"
        case .getObjectTagging: "GetObjectTagging"
        case .putObjectTagging: "PutObjectTagging"
        case .deleteObjectTagging: "DeleteObjectTagging"
        case .getObjectRetention: "GetObjectRetention"
        case .putObjectRetention: "PutObjectRetention"
        case .getObjectLegalHold: "GetObjectLegalHold"
        case .putObjectLegalHold: "PutObjectLegalHold"
        case .initiateMultipartUpload: "InitiateMultipartUpload"
        case .uploadPart: "UploadPart"
        case .uploadPartCopy: "UploadPartCopy"
        case .completeMultipartUpload: "CompleteMultipartUpload"
        case .abortMultipartUpload: "AbortMultipartUpload"
        case .listParts: "ListParts"
        case .selectObject: "SelectObject"
        case .createSelectObjectMeta: "CreateSelectObjectMeta"
        case .unimplemented(let name): name
        }
    }
}
