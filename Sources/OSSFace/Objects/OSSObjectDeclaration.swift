import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// What a write says of the object that it makes, beside its body.
struct OSSObjectDeclaration: Hashable, Sendable {
    var attributes: ObjectAttributes
    var properties: ObjectProperties
}

extension OSSRequest {
    /// Reads what all operations that make an object say of it alike, and asks for what that takes beyond writing.
    /// (OSS API Reference, "PutObject", request headers and permissions.)
    /// - Parameter fields: the headers of the write, or what a form has in their place.
    func declaredObject(_ key: String, _ fields: HTTPFields, in bucket: Bucket) throws(OSSError) -> OSSObjectDeclaration {
        var attributes = try ObjectAttributes(ossWriting: fields)
        attributes.storageClass =
            if let text = fields.value(of: .ossStorageClass) {
                try OSSStorageClass(header: text).stored
            } else {
                BucketDefaults(of: bucket).storageClass?.stored
            }
        var properties = ObjectProperties(encryption: try encryption(ofWrite: fields, in: bucket))
        if let text = fields.value(of: .ossObjectACL) {
            properties.accessControl = try accessControl(ofObject: text, in: bucket)
        }
        if let text = fields.value(of: .ossTagging), !text.isEmpty {
            properties.tags = try [Tag](ossHeader: text)
            try authorize("oss:PutObjectTagging", on: bucket, key: key)
        }
        properties.lock = try lock(ofWrite: fields, in: bucket)
        return OSSObjectDeclaration(attributes: attributes, properties: properties)
    }

    /// Under which condition a write takes effect. Buckets that keep versions lose nothing to a write.
    /// (OSS API Reference, "PutObject", `x-oss-forbid-overwrite`.)
    /// - Throws: `FileImmutable` where the bucket is retained.
    func precondition(ofWrite fields: HTTPFields, to key: String, in bucket: Bucket) throws(OSSError) -> Precondition {
        try refuseRetained(key, in: bucket)
        guard bucket.configuration.versioning == .never else { return .none }
        return fields.value(of: .ossForbidOverwrite)?.lowercased() == "true" ? .ifNoneMatchAny : .none
    }

    /// The form of the store's refusals of a write.
    func refusal(_ error: ObjectStoreError, _ key: String, in bucket: Bucket, uploadID: String = "") -> OSSError {
        if error == .preconditionFailed { return OSSError(.fileAlreadyExists, nil, ["ObjectName": key]) }
        return OSSError(error, bucket: bucket.name, key: key, uploadID: uploadID)
    }
}

extension ObjectAttributes {
    private static let metadataPrefix = "x-oss-meta-"
    /// (OSS API Reference, "PutObject": names and values together.)
    private static let largestMetadata = 8 << 10

    /// What the headers of a write declare, without the storage class.
    /// - Throws: `InvalidArgument`.
    init(ossWriting fields: HTTPFields) throws(OSSError) {
        self.init()
        var size = 0
        for field in fields {
            let name = field.name.canonicalName
            switch name {
            case "content-type" where !field.value.isEmpty: contentType = field.value
            case "content-encoding" where !field.value.isEmpty: contentEncoding = field.value
            case "content-disposition" where !field.value.isEmpty: contentDisposition = field.value
            case "content-language" where !field.value.isEmpty: contentLanguage = field.value
            case "cache-control" where !field.value.isEmpty: cacheControl = field.value
            case "expires" where !field.value.isEmpty: expires = field.value
            default:
                guard name.hasPrefix(Self.metadataPrefix), name.utf8.count > Self.metadataPrefix.utf8.count else { continue }
                let key = String(name.dropFirst(Self.metadataPrefix.count))
                size += key.utf8.count + field.value.utf8.count
                metadata.removeAll { $0.name == key }
                metadata.append(MetadataField(name: key, value: field.value))
            }
        }
        guard size <= Self.largestMetadata else {
            throw .invalidArgument(
                "The total size of the user metadata exceeds the limit.", name: "x-oss-meta-*", value: String(size))
        }
    }

    /// Appends the headers that give the attributes back.
    /// - Parameter overrides: values that the reader asks for instead, by header name.
    func append(ossTo fields: inout HTTPFields, overrides: [HTTPField.Name: String] = [:]) {
        func append(_ name: HTTPField.Name, _ value: String?) {
            if let value = overrides[name] ?? value { fields.append(HTTPField(name: name, value: value)) }
        }
        append(.contentType, contentType ?? "application/octet-stream")
        append(.contentEncoding, contentEncoding)
        append(.contentDisposition, contentDisposition)
        append(.contentLanguage, contentLanguage)
        append(.cacheControl, cacheControl)
        append(.expires, expires)
        fields.append(HTTPField(name: .ossStorageClass, value: OSSStorageClass(stored: storageClass).rawValue))
        for field in metadata {
            if let name = HTTPField.Name(Self.metadataPrefix + field.name) {
                fields.append(HTTPField(name: name, value: field.value))
            }
        }
    }
}
