import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The parameters that all operations which create an object have in common. (OSS API Reference, "PutObject", request headers.)
///
/// The operation checks them one after another, and permissions between them.
struct OSSObjectWriteInput: OSSInput {
    var attributes: Parsed<ObjectAttributes>
    /// `nil` if the request has none. This also holds for the other optional parameters.
    var storageClass: Parsed<OSSStorageClass>?
    var encryption: OSSEncryptionFields
    var access: Parsed<OSSObjectAccess>?
    var tags: Parsed<[Tag]>?
    var lock: ObjectLockFields
    var forbidsOverwrite: Bool

    init(_ fields: OSSFields) {
        let headers = fields.headers
        attributes = Parsed { () throws(OSSError) in try ObjectAttributes(ossWriting: headers) }
        storageClass = headers.value(of: .ossStorageClass).map { text in Parsed { () throws(OSSError) in try OSSStorageClass(header: text) }
        }
        encryption = OSSEncryptionFields(headers)
        access = headers.value(of: .ossObjectACL).map { text in Parsed { () throws(OSSError) in try OSSObjectAccess(header: text) } }
        if let text = headers.value(of: .ossTagging), !text.isEmpty {
            tags = Parsed { () throws(OSSError) in try [Tag](ossHeader: text) }
        }
        lock = ObjectLockFields(headers, named: .oss)
        forbidsOverwrite = headers.forbidsOverwrite
    }
}

/// The encryption headers for an object, or for the default of a new bucket.
struct OSSEncryptionFields: Equatable, Sendable {
    /// `x-oss-server-side-encryption`; `nil` if the request has none, like the others.
    var method: String?
    var keyID: String?
    var dataCipher: String?

    init(_ headers: HTTPFields) {
        method = headers.value(of: .ossEncryption)
        keyID = headers.value(of: .ossEncryptionKeyID)
        dataCipher = headers.value(of: .ossDataEncryption)
    }

    /// Rejects the headers in operations that continue an upload, whose encryption is already set.
    /// - Throws: `InvalidArgument`.
    static func refuse(_ headers: HTTPFields) throws(OSSError) {
        for name in [HTTPField.Name.ossEncryption, .ossEncryptionKeyID, .ossDataEncryption] {
            guard let value = headers.value(of: name) else { continue }
            throw .invalidArgument("The header is not supported here.", name: name.canonicalName, value: value)
        }
    }
}

extension ObjectLockFields.Names {
    /// The headers of OSS.
    static let oss = ObjectLockFields.Names(mode: .ossLockMode, until: .ossLockUntil, legalHold: .ossLegalHold) { $0.ossText }
}

/// What AppendObject and SealAppendObject read. (OSS API Reference, "AppendObject".)
struct AppendObjectInput: OSSInput {
    /// The length of the object before the append.
    var position: Int64

    /// - Throws: `MissingArgument`, `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        guard let text = fields.query["position"] else { throw OSSError(.missingArgument, nil, ["ArgumentName": "position"]) }
        guard let position = Int64(digits: text), (0...OSSBodyDeclaration.maximumLength).contains(position) else {
            throw .invalidArgument("The position is no length of an object.", name: "position", value: text)
        }
        self.position = position
    }
}

/// What CopyObject reads, besides the source. (OSS API Reference, "CopyObject".)
struct CopyObjectInput: OSSInput {
    var directives: OSSCopyDirectives
    var object: OSSObjectWriteInput

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        directives = try OSSCopyDirectives(fields.headers)
        object = OSSObjectWriteInput(fields)
    }
}

/// What PutSymlink reads. (OSS API Reference, "PutSymlink".)
struct PutSymlinkInput: OSSInput {
    /// The decoded key of the link's target.
    var target: String
    var object: OSSObjectWriteInput

    /// - Throws: `InvalidArgument`, `InvalidObjectName`.
    init(_ fields: OSSFields) throws(OSSError) {
        guard let text = fields.headers.value(of: .ossSymlinkTarget), !text.isEmpty else {
            throw .invalidArgument("The target of the link is missing.", name: "x-oss-symlink-target", value: "")
        }
        guard let target = percentDecoded(text) else {
            throw .invalidArgument("The target of the link is not URL-encoded.", name: "x-oss-symlink-target", value: text)
        }
        try OSSObjectOperation.check(target)
        self.target = target
        object = OSSObjectWriteInput(fields)
    }
}

/// What PutObjectACL reads. (OSS API Reference, "PutObjectACL".)
struct PutObjectACLInput: OSSInput {
    var access: Parsed<OSSObjectAccess>

    /// - Throws: `MissingArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        guard let text = fields.headers.value(of: .ossObjectACL) else {
            throw OSSError(.missingArgument, nil, ["ArgumentName": "x-oss-object-acl"])
        }
        access = Parsed { () throws(OSSError) in try OSSObjectAccess(header: text) }
    }
}

/// What DeleteMultipleObjects reads in query and headers. (OSS API Reference, "DeleteMultipleObjects".)
struct DeleteMultipleObjectsInput: OSSInput {
    var isEncoded: Bool

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        isEncoded = try fields.wantsURLEncoding(
            fields.query["encoding-type"] ?? fields.headers.value(of: HTTPField.Name(literal: "encoding-type")))
    }
}

/// Whether a request bypasses retentions in governance mode.
struct GovernanceInput: OSSInput {
    var bypasses: Bool

    init(_ fields: OSSFields) { bypasses = fields.headers.value(of: .ossBypassGovernance)?.lowercased() == "true" }
}

/// The callback that an upload requests. (OSS API Reference, "Callback".)
struct CallbackInput: OSSInput {
    /// The callback in base64; `nil` if the request has none.
    var callback: String?
    var variables: String?

    init(_ fields: OSSFields) {
        callback = fields.headers.value(of: .ossCallback) ?? fields.query["callback"]
        variables = fields.headers.value(of: .ossCallbackVariables) ?? fields.query["callback-var"]
    }
}

extension HTTPFields {
    /// Whether a write is rejected if the object exists. (OSS API Reference, "PutObject", `x-oss-forbid-overwrite`.)
    var forbidsOverwrite: Bool { value(of: .ossForbidOverwrite)?.lowercased() == "true" }
}
