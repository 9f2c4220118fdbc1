import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension OSSRequest {
    private static let taggingSchema: [DocumentSchema.Member] = [
        .init("TagSet", .members([.init("Tag", .members([.init("Key", .text), .init("Value", .text)]), .any)]))
    ]

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
        return answer(root: "Tagging") { $0.tagSet(bucket.ossTags) }
    }

    func putBucketTags(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketTagging, on: bucket)
        let tags = [Tag](stored: try await xmlDocument("Tagging", holding: Self.taggingSchema))
        try Self.checkBucketTags(tags)
        try await store(tags.storedText, as: .tagging, in: bucket)
        return answer()
    }

    /// DeleteBucketTags. Deletes the tags that the parameter names, or all tags.
    func deleteBucketTags(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.deleteBucketTagging, on: bucket)
        let named = try input(DeleteBucketTagsInput.self).keys
        let rest = named.isEmpty ? [] : bucket.ossTags.filter { !named.contains($0.key) }
        try await store(rest.storedText, as: .tagging, in: bucket)
        return answer(.noContent)
    }
}

extension Bucket {
    /// The tags in the order in which they were put.
    var ossTags: [Tag] {
        guard let text = configuration.documents[.tagging], let element = try? XMLElement(parsing: Array(text.utf8)) else { return [] }
        return [Tag](stored: element)
    }
}

extension [Tag] {
    /// Reads the stored tags.
    init(stored element: XMLElement) {
        self = (element.child("TagSet")?.children ?? []).map {
            Tag(key: $0.child("Key")?.text ?? "", value: $0.child("Value")?.text ?? "")
        }
    }

    /// The tags as text to store; `nil` if there are none.
    var storedText: String? {
        guard !isEmpty else { return nil }
        var xml = XMLWriter()
        xml.element("Tagging") { $0.tagSet(self) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }
}
