import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    func perform(_ operation: OSSServiceOperation) async throws -> Response {
        switch operation {
        case .listBuckets: return try listBuckets()
        case .describeRegions: return try describeRegions()
        case .getPublicAccessBlock: return try getAccountPublicAccessBlock()
        case .putPublicAccessBlock: return try await putAccountPublicAccessBlock()
        case .deletePublicAccessBlock: return try await deleteAccountPublicAccessBlock()
        case .listCloudBoxes:
            guard caller.account != nil else { throw Self.anonymousForbidden }
            throw OSSError(.accessDenied, "You are forbidden to oss-cloudbox:ListCloudBoxes")
        case .unimplemented(let subResource): throw Self.notImplemented(subResource)
        }
    }

    /// Performs an operation on a bucket. Not optimized: it only dispatches to many asynchronous calls.
    @_optimize(none)
    func perform(_ operation: OSSBucketOperation, on bucket: Bucket) async throws -> Response {
        switch operation {
        case .deleteBucket: try await deleteBucket(bucket)
        case .listObjects: try await listObjects(bucket)
        case .listObjectsV2: try await listObjectsV2(bucket)
        case .listObjectVersions: try await listObjectVersions(bucket)
        case .listMultipartUploads: try await listMultipartUploads(bucket)
        case .listLiveChannels: try listLiveChannels(bucket)
        case .getBucketInfo: try getBucketInfo(bucket)
        case .getBucketLocation: try getBucketLocation(bucket)
        case .getBucketStat: try await getBucketStat(bucket)
        case .getBucketAcl: try getBucketAcl(bucket)
        case .putBucketAcl: try await putBucketAcl(bucket)
        case .getBucketVersioning: try getBucketVersioning(bucket)
        case .putBucketVersioning: try await putBucketVersioning(bucket)
        case .getBucketTags: try getBucketTags(bucket)
        case .putBucketTags: try await putBucketTags(bucket)
        case .deleteBucketTags: try await deleteBucketTags(bucket)
        case .getBucketPolicy: try getBucketPolicy(bucket)
        case .putBucketPolicy: try await putBucketPolicy(bucket)
        case .deleteBucketPolicy: try await deleteBucketPolicy(bucket)
        case .getBucketPolicyStatus: try getBucketPolicyStatus(bucket)
        case .getBucketRequestPayment: try getBucketRequestPayment(bucket)
        case .putBucketRequestPayment: try await putBucketRequestPayment(bucket)
        case .getPublicAccessBlock: try getPublicAccessBlock(bucket)
        case .putPublicAccessBlock: try await putPublicAccessBlock(bucket)
        case .deletePublicAccessBlock: try await deletePublicAccessBlock(bucket)
        case .accessPointPublicAccessBlock:
            throw OSSError(.noSuchAccessPoint, nil, ["AccessPointName": try input(AccessPointInput.self).name])
        case .getBucketCors: try getBucketCors(bucket)
        case .putBucketCors: try await putBucketCors(bucket)
        case .deleteBucketCors: try await deleteBucketCors(bucket)
        case .getBucketLifecycle: try getBucketLifecycle(bucket)
        case .putBucketLifecycle: try await putBucketLifecycle(bucket)
        case .deleteBucketLifecycle: try await deleteBucketLifecycle(bucket)
        case .getBucketWorm: try getBucketWorm(bucket)
        case .initiateBucketWorm: try await initiateBucketWorm(bucket)
        case .abortBucketWorm: try await abortBucketWorm(bucket)
        case .completeBucketWorm: try await completeBucketWorm(bucket)
        case .extendBucketWorm: try await extendBucketWorm(bucket)
        case .document(let kind, let verb): try await perform(verb, kind, on: bucket)
        case .named(let kind, let verb): try await perform(verb, kind, on: bucket)
        case .getReplication: try getReplication(bucket)
        case .deleteMultipleObjects: try await deleteMultipleObjects(in: bucket)
        case .postObject: try await postObject(in: bucket)
        case .cname(let operation): try await perform(operation, on: bucket)
        case .unimplemented(let subResource): throw Self.notImplemented(subResource)
        }
    }

    /// Returns the error for an operation that OSS has and this process does not implement.
    private static func notImplemented(_ name: String) -> OSSError {
        OSSError(.notImplemented, "\(name) is not implemented.", ["Header": name])
    }

    /// DeleteBucket. The bucket must be empty and have no parts of unfinished uploads.
    private func deleteBucket(_ bucket: Bucket) async throws -> Response {
        try authorize(.deleteBucket, on: bucket)
        let uploads: UploadPage
        do { uploads = try await objects.uploads(UploadQuery(limit: 1), in: bucket.id) } catch {
            throw OSSError(error, bucket: bucket.name)
        }
        guard uploads.entries.isEmpty else { throw OSSError(.bucketNotEmpty, nil, ["BucketName": bucket.name]) }
        do { try await objects.deleteBucket(bucket.id) } catch { throw OSSError(error, bucket: bucket.name) }
        return answer(.noContent)
    }

    private func getBucketLocation(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketLocation, on: bucket)
        var xml = XMLWriter()
        xml.element("LocationConstraint", bucket.ossLocation)
        return answer(stored: String(decoding: xml.bytes, as: UTF8.self))
    }

    /// GetBucketReplication. Replication is not implemented, so there is never a rule.
    private func getReplication(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketReplication, on: bucket)
        throw OSSError(.noSuchReplicationRule, nil, ["BucketName": bucket.name])
    }

    /// ListLiveChannel. Live channels are not implemented, so the list is always empty.
    private func listLiveChannels(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.listLiveChannel, on: bucket)
        let input = try input(ListLiveChannelsInput.self)
        return answer(root: "ListLiveChannelResult") { xml in
            xml.element("Prefix", input.prefix)
            xml.element("Marker", input.marker)
            xml.element("MaxKeys", input.limit)
            xml.element("IsTruncated", false)
            xml.element("NextMarker", "")
        }
    }

    /// Writes the `Owner` element of a bucket or object: the bucket's owner owns its objects.
    func encodeOwner(_ account: String, into xml: inout XMLWriter) {
        xml.element("Owner") { xml in
            xml.element("ID", account)
            xml.element("DisplayName", account)
        }
    }

    /// The endpoint that the client used: the URL with the scheme and without the bucket.
    var endpoint: String {
        let origin = call.origin
        guard address.isHostStyle, let bucket = address.bucket else { return origin }
        return origin.replacing("://\(bucket).", with: "://", maxReplacements: 1)
    }
}

extension Bucket {
    /// The region in locations, such as `oss-cn-hangzhou`.
    var ossLocation: String { "oss-\(region)" }

    /// The name of the default storage class.
    var ossStorageClass: String { configuration.documents[.ossStorageClass] ?? OSSStorageClass.standard.rawValue }
}
