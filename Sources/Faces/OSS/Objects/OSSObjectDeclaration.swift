import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The properties of a new object in the headers of a write.
struct OSSObjectDeclaration: Hashable, Sendable {
    var attributes: ObjectAttributes
    var properties: ObjectProperties
}

extension OSSRequest {
    /// Parses the headers that all operations for creating objects share, and checks the permissions that they require in addition to
    /// writing.
    /// (OSS API Reference, "PutObject", request headers and permissions.)
    func declaredObject(_ key: String, _ input: OSSObjectWriteInput, in bucket: Bucket) throws(OSSError) -> OSSObjectDeclaration {
        var attributes = try input.attributes.get()
        attributes.storageClass =
            if let named = input.storageClass { try named.get().stored } else { BucketDefaults(of: bucket).storageClass?.stored }
        var properties = ObjectProperties(encryption: try encryption(ofWrite: input.encryption, in: bucket))
        if let access = input.access { properties.accessControl = try accessControl(try access.get(), in: bucket) }
        if let tags = input.tags {
            properties.tags = try tags.get()
            try authorize(.putObjectTagging, on: bucket, key: key)
        }
        properties.lock = try lock(ofWrite: input.lock, in: bucket)
        return OSSObjectDeclaration(attributes: attributes, properties: properties)
    }

    /// Returns the condition of a write. With versioning a write overwrites nothing, so there is none.
    /// (OSS API Reference, "PutObject", `x-oss-forbid-overwrite`.)
    /// - Throws: `FileImmutable` if the bucket has a retention policy.
    func precondition(forbidsOverwrite: Bool, to key: String, in bucket: Bucket) throws(OSSError) -> Precondition {
        try refuseRetained(key, in: bucket)
        guard bucket.configuration.versioning == .never else { return .none }
        return forbidsOverwrite ? .ifNoneMatchAny : .none
    }

    /// Returns the OSS error for an error of the store during a write.
    func refusal(_ error: ObjectStoreError, _ key: String, in bucket: Bucket, uploadID: String = "") -> OSSError {
        if error == .preconditionFailed { return OSSError(.fileAlreadyExists, nil, ["ObjectName": key]) }
        return OSSError(error, bucket: bucket.name, key: key, uploadID: uploadID)
    }
}

extension ObjectAttributes {
    private static let metadataPrefix = "x-oss-meta-"
    /// The maximum size of the metadata in bytes. (OSS API Reference, "PutObject": names and values together.)
    private static let largestMetadata = 8 << 10

    /// Parses the attributes in the headers of a write, except the storage class.
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

    /// Appends the headers for the attributes.
    /// - Parameter overrides: values from the query that override headers, by header name.
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
