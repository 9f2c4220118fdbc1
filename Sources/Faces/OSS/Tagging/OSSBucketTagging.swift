import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension OSSRequest {
    /// Validates the tags of a bucket. They can contain any character. (OSS API Reference, "PutBucketTags": at most twenty, each name
    /// once.)
    private static func checkBucketTags(_ tags: [Tag]) throws(OSSError) {
        guard tags.count <= 20 else { throw OSSError(.invalidTag, "Tags cannot be greater than 20") }
        for (index, tag) in tags.enumerated() {
            guard (1...128).contains(tag.key.unicodeScalars.count), tag.value.unicodeScalars.count <= 256,
                !tags[..<index].contains(where: { $0.key.utf8.elementsEqual(tag.key.utf8) })
            else { throw OSSError(.invalidTag, nil, ["TagKey": tag.key]) }
        }
    }

    /// GetBucketTags. Returns an empty set for a bucket without tags.
    func getBucketTags(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketTagging, on: bucket)
        return answer(root: "Tagging") { $0.tagSet(bucket.configuration.tags) }
    }

    func putBucketTags(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketTagging, on: bucket)
        let tags = [Tag](tagSet: try await xmlDocument("Tagging", holding: DocumentSchema.tagging).child("TagSet"))
        try Self.checkBucketTags(tags)
        try await configure(bucket) { $0.tags = tags }
        return answer()
    }

    /// DeleteBucketTags. Deletes the tags that the parameter names, or all tags.
    func deleteBucketTags(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.deleteBucketTagging, on: bucket)
        let named = try input(DeleteBucketTagsInput.self).keys
        try await configure(bucket) { configuration in configuration.tags.removeAll { named.isEmpty || named.contains($0.key) } }
        return answer(.noContent)
    }
}
