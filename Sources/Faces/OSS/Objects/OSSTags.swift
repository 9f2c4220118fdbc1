import Cloud
import ObjectStore
import Policy
import WireFormats

extension [Tag] {
    /// Parses `x-oss-tagging`, a URL query of keys and values. The order is kept.
    /// - Throws: `InvalidArgument`, `InvalidTag`.
    init(ossHeader text: String) throws(OSSError) {
        guard let form = FormFields(parsing: text) else {
            throw .invalidArgument("The tagging header is not URL-encoded.", name: "x-oss-tagging", value: text)
        }
        try self.init(ossChecking: form.fields.map { Tag(key: $0.name, value: $0.value) })
    }

    /// Parses the document of PutObjectTagging.
    /// - Throws: `MalformedXML`, `InvalidTag`.
    init(oss element: XMLElement) throws(OSSError) {
        guard let set = element.child("TagSet"), set.children.allSatisfy({ $0.name == "Tag" && $0.child("Key") != nil }) else {
            throw OSSError(.malformedXML)
        }
        try self.init(ossChecking: [Tag](tagSet: set))
    }

    /// Validates tags. (OSS User Guide, "Object tagging": at most ten, each name once, 128 and 256 characters.)
    init(ossChecking tags: [Tag]) throws(OSSError) {
        guard tags.count <= 10 else { throw OSSError(.invalidTag, "Tags cannot be greater than 10") }
        for (index, tag) in tags.enumerated() {
            guard (1...128).contains(tag.key.unicodeScalars.count), Self.isPlain(tag.key) else {
                throw OSSError(.invalidTag, "The TagKey you have provided is invalid", ["TagKey": tag.key])
            }
            guard tag.value.unicodeScalars.count <= 256, Self.isPlain(tag.value) else {
                throw OSSError(
                    .invalidTag, "The TagValue you have provided is invalid", ["TagKey": tag.key, "TagValue": tag.value])
            }
            guard !tags[..<index].contains(where: { $0.key == tag.key }) else {
                throw OSSError(.invalidTag, "Cannot provide multiple Tags with the same key", ["TagKey": tag.key])
            }
        }
        self = tags
    }

    /// Whether a text has only allowed characters. Letters and digits can be of any script, as the tests of the SDK for Python expect of
    /// the real service.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil: true
            case " ", "+", "-", "=", ".", "_", ":", "/": true
            default: false
            }
        }
    }
}
