package import Policy
package import WireFormats

// The XML of tags, which is the same in both services and in the store. (S3 API Reference and OSS API Reference, "Tagging".)

extension XMLWriter {
    /// Writes a `TagSet`.
    package mutating func tagSet(_ tags: [Tag]) {
        element("TagSet") { xml in
            for tag in tags { xml.tag(tag) }
        }
    }

    /// Writes a `Tag`.
    package mutating func tag(_ tag: Tag) {
        element("Tag") { xml in
            xml.element("Key", tag.key)
            xml.element("Value", tag.value)
        }
    }
}

extension [Tag] {
    /// Reads a `TagSet` that was validated; `nil` has no tags.
    package init(tagSet element: XMLElement?) {
        self = (element?.children(named: "Tag") ?? []).map {
            Tag(key: $0.child("Key")?.text ?? "", value: $0.child("Value")?.text ?? "")
        }
    }

    /// Reads the stored text of a bucket's tags.
    init(stored text: String) { self.init(tagSet: (try? XMLElement(parsing: [UInt8](text.utf8)))?.child("TagSet")) }

    /// The text to store.
    var stored: String {
        var xml = XMLWriter()
        xml.element("Tagging") { $0.tagSet(self) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }
}
