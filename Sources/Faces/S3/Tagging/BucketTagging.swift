import Calls
import Cloud
import Federation
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// The maximum size of the document in bytes: fifty tags of maximum length with every character escaped.
    private static let bucketTaggingLimit = 256 << 10

    func getBucketTagging(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketTagging, on: bucket)
        let tags = bucket.configuration.tags
        guard !tags.isEmpty else { throw S3Error(.noSuchTagSet, nil, ["BucketName": name]) }
        return answer(root: "Tagging") { xml in xml.tagSet(tags) }
    }

    func putBucketTagging(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketTagging, on: bucket)
        try checkTagging(of: bucket)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let body = try await document(upTo: Self.bucketTaggingLimit, declaration)
        try await set([Tag](tagging: try xml("Tagging", body), of: .bucket, dialect), of: bucket)
        return answer(dialect == .ceph ? .ok : .noContent)
    }

    /// DeleteBucketTagging. Succeeds even if there are no tags.
    func deleteBucketTagging(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketTagging, on: bucket)
        try checkTagging(of: bucket)
        try await set([], of: bucket)
        return answer(.noContent)
    }

    private func set(_ tags: [Tag], of bucket: Bucket) async throws(S3Error) {
        do {
            try await objects.configure(bucket.id) { $0.tags = tags }
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
    }
}
