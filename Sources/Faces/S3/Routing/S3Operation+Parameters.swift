import Cloud
import WireFormats

extension S3Operation {
    /// Refuses the parameters that S3 refuses before it verifies the signature and looks for the bucket.
    ///
    /// Other faults of parameters, such as numbers out of range, are refused after the permission. RADOS Gateway refuses all of them
    /// there. (brekkylab/backlot, measured in S3 from 2026-09-11 to 2026-09-30, with signed, unsigned and badly signed requests.)
    /// - Throws: `InvalidArgument`.
    func check(_ query: FormFields) throws(S3Error) {
        switch self {
        case .listBuckets:
            _ = try ListBucketsInput.limit(query)
            _ = try ListBucketsInput.region(query)
        case .bucket(_, .listObjects): try Self.checkListing(query, isVersion2: false)
        case .bucket(_, .listObjectsV2): try Self.checkListing(query, isVersion2: true)
        case .bucket(_, .headBucket): try Self.checkListing(query, isVersion2: query["list-type"] == "2")
        case .bucket(_, .listObjectVersions):
            try Self.checkNumbers(["max-keys"], query)
            try ListObjectVersionsInput.checkMarkers(query)
        case .bucket(_, .listMultipartUploads): try Self.checkNumbers(["max-uploads"], query)
        case .object(_, .listParts): try Self.checkNumbers(["max-parts", "part-number-marker"], query)
        default: break
        }
        guard let version = query["versionId"] else { return }
        switch self {
        case .bucket(_, .getBucketAcl): throw .invalidVersionID(version)
        case .object(_, let operation) where operation.readsVersion:
            guard !version.isEmpty else { throw .emptyVersionID }
        // PutBucketAcl and the restoration of a bucket look for the bucket first. Forms are checked without their query.
        case .listBuckets, .postObject, .preflight, .bucket(_, .putBucketAcl), .refused(_, _, .restorationWithoutKey): break
        case .unimplemented(_, "annotation"): break
        case .bucket, .document, .configuration, .object, .refused, .unimplemented: throw .noVersionAccepted(version)
        }
    }

    /// Refuses the parameters that `check(_:)` refuses whatever the operation is, for a method that the resource does not have.
    /// - Parameter isOfKey: whether the path has a key.
    static func checkRefusedMethod(_ query: FormFields, isOfKey: Bool) throws(S3Error) {
        guard let version = query["versionId"] else { return }
        guard isOfKey else { throw .noVersionAccepted(version) }
        guard !version.isEmpty else { throw .emptyVersionID }
    }

    /// Each version of ListObjects refuses the parameters of the other.
    private static func checkListing(_ query: FormFields, isVersion2: Bool) throws(S3Error) {
        try checkNumbers(["max-keys"], query)
        if isVersion2 {
            guard query["marker"] == nil else { throw .foreign("marker", "Marker unsupported with REST.GET.BUCKET in list-type=2") }
            return
        }
        for (name, shown) in [("continuation-token", "continuation-token"), ("start-after", "startAfter")] where query[name] != nil {
            throw .foreign(name, "\(shown) only supported in REST.GET.BUCKET with list-type=2")
        }
    }

    private static func checkNumbers(_ names: [String], _ query: FormFields) throws(S3Error) {
        for name in names { _ = try S3Number.parse(query[name], name: name) }
    }
}

extension S3ObjectOperation {
    /// Whether the operation reads `versionId`. SelectObjectContent reads it in order to refuse it.
    var readsVersion: Bool {
        switch self {
        case .getObject, .headObject, .deleteObject, .getObjectAcl, .putObjectAcl, .getObjectRetention, .putObjectRetention,
            .getObjectLegalHold, .putObjectLegalHold, .getObjectTagging, .putObjectTagging, .deleteObjectTagging, .getObjectAttributes,
            .restoreObject, .updateObjectEncryption, .selectObjectContent:
            true
        case .putObject, .copyObject, .createMultipartUpload, .uploadPart, .uploadPartCopy, .completeMultipartUpload,
            .abortMultipartUpload, .listParts:
            false
        }
    }
}

extension S3Error {
    static let emptyVersionID = S3Error.invalidArgument("Version id cannot be the empty string", name: "versionId", value: "")

    static func noVersionAccepted(_ version: String) -> S3Error {
        .invalidArgument("This operation does not accept a version-id.", name: "versionId", value: version)
    }

    /// The error for a parameter of the other version of ListObjects.
    fileprivate static func foreign(_ name: String, _ message: String) -> S3Error {
        S3Error(.invalidArgument, message, ["ArgumentName": name])
    }
}
