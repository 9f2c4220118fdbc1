import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// What GetService (ListBuckets) reads. (OSS API Reference, "ListBuckets".)
struct ListBucketsInput: OSSInput {
    private static let mostBuckets = 1000

    var prefix: String
    /// The name that the page begins after; empty for the first page.
    var marker: String
    var limit: Int
    /// The tags that buckets must have; a missing value matches every value.
    var tags: [(key: String, value: String?)]
    /// Empty for any.
    var resourceGroup: String

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        prefix = fields.query["prefix"] ?? ""
        marker = fields.query["marker"] ?? ""
        limit = try ListingParameters.limit(fields.query["max-keys"], name: "max-keys", most: Self.mostBuckets)
        tags = try Self.tags(fields.query)
        resourceGroup = fields.headers[.ossResourceGroupID] ?? ""
    }

    private static func tags(_ query: FormFields) throws(OSSError) -> [(key: String, value: String?)] {
        if let key = query.value("tag-key") { return [(key, query.value("tag-value"))] }
        if let value = query.value("tag-value") {
            throw .invalidArgument("The tag-key is missing.", name: "tag-value", value: value)
        }
        guard let text = query.value("tagging") else { return [] }
        var tags: [(key: String, value: String?)] = []
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: ":", maxSplits: 1).map { $0.filter { $0 != "\"" } }
            guard !pair.hasPrefix(":"), let key = parts.first, !key.isEmpty else {
                throw .invalidArgument("The tagging is invalid.", name: "tagging", value: text)
            }
            tags.append((key, parts.count == 2 ? parts[1] : nil))
        }
        return tags
    }
}

/// What DescribeRegions reads.
struct DescribeRegionsInput: OSSInput {
    /// The location to describe; `nil` for all.
    var location: String?

    init(_ fields: OSSFields) { location = fields.query.value("regions") }
}

/// What GetBucket (ListObjects) reads. (OSS API Reference, "ListObjects".)
struct ListObjectsInput: OSSInput {
    /// The default page size.
    static let standardPage = 100

    var parameters: ListingParameters
    /// The key that the page begins after; empty for the first page.
    var marker: String

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        parameters = try ListingParameters(fields.query, limitName: "max-keys", standard: Self.standardPage)
        marker = fields.query["marker"] ?? ""
    }
}

/// What GetBucketV2 (ListObjectsV2) reads. (OSS API Reference, "ListObjectsV2".)
struct ListObjectsV2Input: OSSInput {
    var parameters: ListingParameters
    var startAfter: String
    var token: String
    /// The key that the page begins after; empty for the first page.
    var after: String
    var fetchesOwners: Bool

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        let query = fields.query
        parameters = try ListingParameters(query, limitName: "max-keys", standard: ListObjectsInput.standardPage)
        startAfter = query["start-after"] ?? ""
        token = query["continuation-token"] ?? ""
        after = token.isEmpty ? startAfter : try Self.key(ofContinuation: token)
        fetchesOwners = query["fetch-owner"] == "true"
    }

    private static func key(ofContinuation token: String) throws(OSSError) -> String {
        guard let key = ContinuationToken.key(of: token) else {
            throw .invalidArgument("The continuation token is invalid.", name: "continuation-token", value: token)
        }
        return key
    }
}

/// What ListObjectVersions reads. (OSS API Reference, "ListObjectVersions".)
struct ListObjectVersionsInput: OSSInput {
    var parameters: ListingParameters
    var keyMarker: String
    var versionMarker: String
    /// The version that the page begins after; `nil` if it begins after all those of the key.
    var after: VersionSelector?

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        parameters = try ListingParameters(fields.query, limitName: "max-keys", standard: ListObjectsInput.standardPage)
        keyMarker = fields.query["key-marker"] ?? ""
        versionMarker = fields.query["version-id-marker"] ?? ""
        guard !versionMarker.isEmpty else { return }
        guard !keyMarker.isEmpty, let version = OSSVersionID.selector(versionMarker, of: keyMarker) else {
            throw .invalidArgument("Invalid version id specified", name: "version-id-marker", value: versionMarker)
        }
        after = version
    }
}

/// What ListMultipartUploads reads. (OSS API Reference, "ListMultipartUploads".)
struct ListMultipartUploadsInput: OSSInput {
    /// The default page size.
    private static let standardPage = 1000

    var parameters: ListingParameters
    var keyMarker: String
    /// Empty without a key marker, because it has no meaning then.
    var idMarker: String

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        parameters = try ListingParameters(fields.query, limitName: "max-uploads", standard: Self.standardPage)
        keyMarker = fields.query["key-marker"] ?? ""
        idMarker = keyMarker.isEmpty ? "" : fields.query["upload-id-marker"] ?? ""
    }
}

/// What ListParts reads. (OSS API Reference, "ListParts".)
struct ListPartsInput: OSSInput {
    var uploadID: String
    var isEncoded: Bool
    var limit: Int
    /// The number that the page begins after.
    var marker: Int

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        uploadID = fields.query["uploadId"] ?? ""
        isEncoded = try fields.wantsURLEncoding(fields.query["encoding-type"])
        limit = try fields.number("max-parts", in: 1...1000, otherwise: 1000)
        marker = try fields.number("part-number-marker", in: 0...Int(Int32.max), otherwise: 0)
    }
}

/// What ListLiveChannel reads, in the form in which the response repeats it.
struct ListLiveChannelsInput: OSSInput {
    var prefix: String
    var marker: String
    var limit: String

    init(_ fields: OSSFields) {
        prefix = fields.query["prefix"] ?? ""
        marker = fields.query["marker"] ?? ""
        limit = fields.query["max-keys"] ?? "100"
    }
}
