import Cloud
import Exchange
import HTTPTypes
import WireFormats

extension OSSRequest {
    /// GetBucketTags. A bucket without tags answers an empty set.
    func getBucketTags(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize("oss:GetBucketTagging", on: bucket)
        return answer(root: "Tagging", bucket.ossTags.encodeOSS)
    }

    /// PutBucketTags.
    func putBucketTags(_ bucket: Bucket) async throws -> Response {
        try authorize("oss:PutBucketTagging", on: bucket)
        let tags = try [Tag](oss: try await xmlDocument("Tagging"), most: 20)
        try await store(tags.storedText, as: .tagging, in: bucket)
        return answer()
    }

    /// DeleteBucketTags: those that the parameter names, or all.
    func deleteBucketTags(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize("oss:DeleteBucketTagging", on: bucket)
        let named = (query["tagging"] ?? "").split(separator: ",").map(String.init)
        let rest = named.isEmpty ? [] : bucket.ossTags.filter { !named.contains($0.key) }
        try await store(rest.storedText, as: .tagging, in: bucket)
        return answer(.noContent)
    }
}

extension Bucket {
    /// In the order in which they were given.
    var ossTags: [Tag] {
        guard let text = configuration.documents[.tagging], let element = try? XMLElement(parsing: Array(text.utf8)) else { return [] }
        return [Tag](stored: element)
    }
}

extension [Tag] {
    /// Reads what the store keeps of tags.
    init(stored element: XMLElement) {
        self = (element.child("TagSet")?.children ?? []).map {
            Tag(key: $0.child("Key")?.text ?? "", value: $0.child("Value")?.text ?? "")
        }
    }

    /// What the store keeps of tags; nothing where there is none.
    var storedText: String? {
        guard !isEmpty else { return nil }
        var xml = XMLWriter()
        xml.element("Tagging", encodeOSS)
        return String(decoding: xml.bytes, as: UTF8.self)
    }
}
