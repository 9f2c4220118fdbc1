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
        guard let tags = bucket.tags, !tags.isEmpty else { throw S3Error(.noSuchTagSet, nil, ["BucketName": name]) }
        return answer(root: "Tagging") { xml in xml.tagSet(tags) }
    }

    func putBucketTagging(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketTagging, on: bucket)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let body = try await document(upTo: Self.bucketTaggingLimit, declaration)
        try await set([Tag](try xml("Tagging", body), of: .bucket, dialect), of: bucket)
        return answer(dialect == .ceph ? .ok : .noContent)
    }

    /// DeleteBucketTagging. Succeeds even if there are no tags.
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
    /// The tags in the order in which they were put; `nil` if there are none.
    var tags: [Tag]? {
        guard let text = configuration.documents[.tagging], let element = try? XMLElement(parsing: Array(text.utf8)) else {
            return nil
        }
        // The tags were validated when they were put; the Ceph dialect accepts all of them.
        return try? [Tag](element, of: .bucket, .ceph)
    }
}

extension [Tag] {
    /// The tags as a document to store in a bucket's configuration.
    var document: String {
        var xml = XMLWriter()
        xml.element("Tagging") { $0.tagSet(self) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }
}
