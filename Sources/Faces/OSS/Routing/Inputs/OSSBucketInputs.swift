import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// What PutBucket reads in the headers. (OSS API Reference, "PutBucket".)
struct PutBucketInput: OSSInput {
    /// `nil` if the request names none.
    var access: Parsed<OSSBucketAccess>?
    /// As sent.
    var accessName: String?
    /// Empty for the default group.
    var resourceGroup: String
    var encryption: OSSEncryptionFields

    init(_ fields: OSSFields) {
        accessName = fields.headers[.ossACL]
        access = accessName.map { name in Parsed { () throws(OSSError) in try OSSBucketAccess(header: name) } }
        resourceGroup = fields.headers[.ossResourceGroupID] ?? ""
        encryption = OSSEncryptionFields(fields.headers)
    }
}

/// What PutBucketAcl reads. (OSS API Reference, "PutBucketAcl".)
struct PutBucketACLInput: OSSInput {
    var access: OSSBucketAccess

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        guard let name = fields.headers[.ossACL] else {
            throw .invalidArgument("The x-oss-acl header is missing.", name: "x-oss-acl", value: "")
        }
        access = try OSSBucketAccess(header: name)
    }
}

/// What PutBucketLifecycle reads in the headers.
struct PutBucketLifecycleInput: OSSInput {
    /// Whether several rules may have the same action for one object.
    var allowsOverlap: Bool

    init(_ fields: OSSFields) { allowsOverlap = fields.headers[.ossAllowSameActionOverlap] == "true" }
}

/// The retention policy of the bucket that a request names.
struct BucketWormInput: OSSInput {
    /// `nil` if the request names none.
    var id: String?

    init(_ fields: OSSFields) { id = fields.query["wormId"] }
}

/// What DeleteBucketTags reads.
struct DeleteBucketTagsInput: OSSInput {
    /// The keys of the tags to delete; empty for all.
    var keys: [String]

    init(_ fields: OSSFields) { keys = (fields.query["tagging"] ?? "").split(separator: ",").map(String.init) }
}

/// What GetCnameToken reads.
struct CnameInput: OSSInput {
    /// In lower case.
    var host: String

    init(_ fields: OSSFields) { host = (fields.query["cname"] ?? "").lowercased() }
}

/// What the operations on the public access block of an access point read.
struct AccessPointInput: OSSInput {
    var name: String

    init(_ fields: OSSFields) { name = fields.query["x-oss-access-point-name"] ?? "" }
}

/// What the operations on named configurations read. A bucket can have several of each kind.
struct NamedConfigurationInput {
    /// `nil` if the request names none.
    var name: String?
    /// The name that a page of a listing begins after; empty for the first page.
    var token: String
    /// The category of a style.
    var category: String

    init(_ fields: OSSFields, _ kind: OSSNamedKind) {
        name = fields.query[kind.descriptor.parameter]
        token = fields.query["continuation-token"] ?? ""
        category = fields.query["category"] ?? "image"
    }

    /// Returns the name, which must consist of letters, digits and `-_.`. (OSS API Reference, "PutBucketInventory"; "PutStyle", `styleName`.)
    /// - Throws: `InvalidArgument`.
    func checkedName(_ parameter: String) throws(OSSError) -> String {
        let name = name ?? ""
        guard (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "-_.".utf8.contains($0) })
        else { throw .invalidArgument("The \(parameter) is invalid.", name: parameter, value: name) }
        return name
    }
}
