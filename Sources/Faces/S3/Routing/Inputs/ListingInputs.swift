import Cloud
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
        limit = try Self.limit(query)
        region = try Self.region(query)
        after = try query["continuation-token"].flatMap { token throws(S3Error) in
            token.isEmpty ? nil : try ContinuationToken.key(checking: token)
        }
        isDetailed = ["prefix", "max-buckets", "continuation-token", "bucket-region"].contains { query[$0] != nil }
    }

    static func limit(_ query: FormFields) throws(S3Error) -> Int {
        guard let number = try S3Number.parse(query["max-buckets"], name: "max-buckets") else { return 10_000 }
        guard (1...10_000).contains(number) else {
            throw .invalidArgument(
                "Argument max-buckets must be an integer between 1 and 10000", name: "max-buckets", value: String(number))
        }
        return Int(number)
    }

    static func region(_ query: FormFields) throws(S3Error) -> String? {
        guard let region = query["bucket-region"] else { return nil }
        guard AWSRegion.isKnown(region) else {
            throw S3Error(
                .invalidArgument, "Argument value \(region) is not a valid AWS Region", ["ArgumentName": "bucket-region"])
        }
        return region
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
        try ListingParameters.PageLimit.keys.check(parameters)
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
        after = try Self.place(in: token, fields.dialect) ?? startAfter
        if after?.isEmpty == true { after = nil }
        try ListingParameters.PageLimit.keys.check(parameters)
        fetchesOwners = query["fetch-owner"] == "true"
    }

    /// Returns the key in a continuation token; `nil` if the listing begins at the start, as it does with RADOS Gateway for an empty token.
    static func place(in token: String?, _ dialect: Dialect) throws(S3Error) -> String? {
        guard let token, !token.isEmpty || dialect == .aws else { return nil }
        return try ContinuationToken.key(checking: token)
    }
}

/// What HeadBucket reads: with S3, the parameters of a listing. (brekkylab/backlot, measured 2026-09-29.)
struct HeadBucketInput: S3Input {
    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        guard fields.dialect == .aws, !fields.query.fields.isEmpty else { return }
        let query = fields.query
        _ = try ListingParameters.encoding(query["encoding-type"], fields.dialect)
        if query["list-type"] == "2" { _ = try ListObjectsV2Input.place(in: query["continuation-token"], fields.dialect) }
    }
}

/// What ListObjectVersions reads. (S3 API Reference, "ListObjectVersions".)
struct ListObjectVersionsInput: S3Input {
    var parameters: ListingParameters
    var keyMarker: String
    var versionMarker: String
    /// The version that the page begins after; `nil` if it begins after all those of the key.
    var after: VersionSelector?
    /// Whether the response has a delimiter. S3 repeats even an empty one. (brekkylab/backlot, measured 2026-09-29.)
    var namesDelimiter: Bool
    /// Whether the page begins after a version of the empty key. S3 lists nothing then. (brekkylab/backlot, measured 2026-09-29.)
    var isPastEnd: Bool { after != nil && keyMarker.isEmpty }

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        let query = fields.query
        try Self.checkMarkers(query)
        keyMarker = query["key-marker"] ?? ""
        versionMarker = query["version-id-marker"] ?? ""
        after = try query["version-id-marker"].map { [keyMarker] text throws(S3Error) in
            guard let version = VersionID.selector(text, of: keyMarker) else {
                throw .invalidArgument("Invalid version id specified", name: "version-id-marker", value: text)
            }
            return version
        }
        namesDelimiter = fields.dialect == .aws && query["delimiter"] != nil
        parameters = try ListingParameters(fields, .versions)
        try ListingParameters.PageLimit.versions.check(parameters)
    }

    /// Refuses the marker of a version without that of its key, which can be empty, and an empty one.
    /// (brekkylab/backlot, OpenStack Swift.)
    static func checkMarkers(_ query: FormFields) throws(S3Error) {
        guard let text = query["version-id-marker"] else { return }
        guard query["key-marker"] != nil else {
            throw .invalidArgument(
                "A version-id marker cannot be specified without a key marker.", name: "version-id-marker", value: text)
        }
        guard !text.isEmpty else {
            throw .invalidArgument("A version-id marker cannot be empty.", name: "version-id-marker", value: text)
        }
    }
}

/// What ListMultipartUploads reads. (S3 API Reference, "ListMultipartUploads".)
struct ListMultipartUploadsInput: S3Input {
    var parameters: ListingParameters
    var keyMarker: String
    /// Empty without a key marker, because it has no meaning then.
    var idMarker: String
    /// Whether the response has a prefix. S3 leaves an empty one out. (brekkylab/backlot, measured.)
    var namesPrefix: Bool

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        parameters = try ListingParameters(fields, .uploads)
        try ListingParameters.PageLimit.uploads.check(parameters)
        keyMarker = fields.query["key-marker"] ?? ""
        idMarker = keyMarker.isEmpty ? "" : fields.query["upload-id-marker"] ?? ""
        namesPrefix = !parameters.prefix.isEmpty
    }
}

/// What ListParts reads besides the upload. (S3 API Reference, "ListParts".)
struct ListPartsInput: S3Input {
    var limit: Int
    /// The number that the page begins after.
    var marker: Int
    var encoding: KeyEncoding
    var encodingName: String

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        let parameters = try ListingParameters(fields, .parts)
        try ListingParameters.PageLimit.parts.check(parameters)
        (limit, encoding, encodingName) = (parameters.limit, parameters.encoding, parameters.encodingName)
        marker = try ListingParameters.partNumberMarker(fields.query["part-number-marker"], name: "part-number-marker")
    }
}
