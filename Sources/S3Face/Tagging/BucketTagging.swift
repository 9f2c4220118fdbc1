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
    /// Fifty tags of the longest kind, every character escaped.
    private static let bucketTaggingLimit = 256 << 10

    /// GetBucketTagging.
    func getBucketTagging(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketTagging, on: bucket)
        guard let tags = bucket.tags, !tags.isEmpty else { throw S3Error(.noSuchTagSet, nil, ["BucketName": name]) }
        return answer(root: "Tagging") { xml in xml.tagSet(tags) }
    }

    /// PutBucketTagging.
    func putBucketTagging(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketTagging, on: bucket)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let body = try await document(upTo: Self.bucketTaggingLimit, declaration)
        try await set([Tag](try xml("Tagging", body), of: .bucket, dialect), of: bucket)
        return answer(dialect == .ceph ? .ok : .noContent)
    }

    /// DeleteBucketTagging. Tags that are not there are deleted as well.
    func deleteBucketTagging(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketTagging, on: bucket)
        try await set([], of: bucket)
        return answer(.noContent)
    }

    private func set(_ tags: [Tag], of bucket: Bucket) async throws(S3Error) {
        let text = tags.isEmpty ? nil : tags.document
        do {
            try await objects.configure(bucket.id) { $0.documents[.tagging] = text }
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
    }
}

extension Bucket {
    /// In the order in which they were given; `nil` if nobody gave any.
    var tags: [Tag]? {
        guard let text = configuration.documents[.tagging], let element = try? XMLElement(parsing: Array(text.utf8)) else {
            return nil
        }
        // What they may be was settled when they were put.
        return try? [Tag](element, of: .bucket, .ceph)
    }
}

extension [Tag] {
    /// As a bucket's configuration keeps them.
    var document: String {
        var xml = XMLWriter()
        xml.element("Tagging") { $0.tagSet(self) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }
}
