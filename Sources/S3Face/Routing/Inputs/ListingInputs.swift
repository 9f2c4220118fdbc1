import Federation
import ObjectServing
import ObjectStore
import WireFormats

/// What ListBuckets reads. (S3 API Reference, "ListBuckets".)
struct ListBucketsInput: S3Input {
    /// `nil` if the query has none.
    var prefix: String?
    var limit: Int
    /// The name that the page begins after.
    var after: String?
    var region: String?
    /// Whether the query has a parameter of the API's later version, whose responses contain regions.
    var isDetailed: Bool

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        let query = fields.query
        prefix = query["prefix"]
        limit = try Self.limit(query["max-buckets"])
        after = try query["continuation-token"].flatMap { token throws(S3Error) in
            token.isEmpty ? nil : try ContinuationToken.key(checking: token)
        }
        region = query["bucket-region"].flatMap { $0.isEmpty ? nil : $0 }
        if let region, !AWSRegion.isKnown(region) {
            throw S3Error(
                .invalidArgument, "Argument value \(region) is not a valid AWS Region", ["ArgumentName": "bucket-region"])
        }
        isDetailed = ["prefix", "max-buckets", "continuation-token", "bucket-region"].contains { query[$0] != nil }
    }

    private static func limit(_ text: String?) throws(S3Error) -> Int {
        guard let text, !text.isEmpty else { return 10_000 }
        guard let limit = Int(digits: text), (1...10_000).contains(limit) else {
            throw .invalidArgument(
                "Argument max-buckets must be an integer between 1 and 10000.", name: "max-buckets", value: text)
        }
        return limit
    }
}

/// What ListObjects reads. (S3 API Reference, "ListObjects".)
struct ListObjectsInput: S3Input {
    var parameters: ListingParameters
    var marker: String

    /// Where the page begins; `nil` for the beginning.
    var after: String? { marker.isEmpty ? nil : parameters.place(of: marker) }

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        parameters = try ListingParameters(fields, .keys)
        marker = fields.query["marker"] ?? ""
    }
}

/// What ListObjectsV2 reads. (S3 API Reference, "ListObjectsV2".)
struct ListObjectsV2Input: S3Input {
    var parameters: ListingParameters
    /// `nil` if the query has none.
    var startAfter: String?
    /// `nil` if the query has none.
    var token: String?
    /// Where the page begins; `nil` for the beginning.
    var after: String?
    var fetchesOwners: Bool

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        let query = fields.query
        parameters = try ListingParameters(fields, .keys)
        startAfter = query["start-after"]
        token = query["continuation-token"]
        let isStart = token.map { $0.isEmpty && fields.dialect == .ceph } ?? true
        after = if let token, !isStart { try ContinuationToken.key(checking: token) } else { startAfter }
        if after?.isEmpty == true { after = nil }
        fetchesOwners = query["fetch-owner"] == "true"
    }
}

/// What ListObjectVersions reads. (S3 API Reference, "ListObjectVersions".)
struct ListObjectVersionsInput: S3Input {
    var parameters: ListingParameters
    var keyMarker: String
    var versionMarker: String
    /// The version that the page begins after; `nil` if it begins after all those of the key.
    var after: VersionSelector?
    /// Whether the page begins after a version of the empty key. S3 lists nothing then. (brekkylab/backlot, measured 2026-09-29.)
    var isPastEnd: Bool { after != nil && keyMarker.isEmpty }

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        let marker = fields.query["key-marker"]
        after = try fields.query["version-id-marker"].map { text throws(S3Error) in try Self.version(text, of: marker) }
        parameters = try ListingParameters(fields, .versions)
        keyMarker = marker ?? ""
        versionMarker = fields.query["version-id-marker"] ?? ""
    }

    /// - Parameter key: the key marker, which can be empty; `nil` if the query has none. (brekkylab/backlot, OpenStack Swift.)
    private static func version(_ text: String, of key: String?) throws(S3Error) -> VersionSelector {
        guard let key else {
            throw .invalidArgument(
                "A version-id marker cannot be specified without a key marker.", name: "version-id-marker", value: text)
        }
        guard !text.isEmpty else {
            throw .invalidArgument("A version-id marker cannot be empty.", name: "version-id-marker", value: text)
        }
        guard let version = VersionID.selector(text, of: key) else {
            throw .invalidArgument("Invalid version id specified", name: "version-id-marker", value: text)
        }
        return version
    }
}

/// What ListMultipartUploads reads. (S3 API Reference, "ListMultipartUploads".)
struct ListMultipartUploadsInput: S3Input {
    var parameters: ListingParameters
    var keyMarker: String
    /// Empty without a key marker, because it has no meaning then.
    var idMarker: String
    /// Whether the query has a prefix, which the response then contains.
    var namesPrefix: Bool

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        parameters = try ListingParameters(fields, .uploads)
        keyMarker = fields.query["key-marker"] ?? ""
        idMarker = keyMarker.isEmpty ? "" : fields.query["upload-id-marker"] ?? ""
        namesPrefix = fields.query["prefix"] != nil
    }
}

/// What ListParts reads. (S3 API Reference, "ListParts".)
struct ListPartsInput: S3Input {
    var uploadID: String
    var limit: Int
    /// The number that the page begins after.
    var marker: Int
    var encoding: KeyEncoding

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        uploadID = fields.query["uploadId"] ?? ""
        let parameters = try ListingParameters(fields, .parts)
        (limit, encoding) = (parameters.limit, parameters.encoding)
        marker = try ListingParameters.partNumberMarker(fields.query["part-number-marker"], name: "part-number-marker")
    }
}
