package import Policy
package import WireFormats

extension XMLWriter {
    /// Writes a `TagSet`, which is the same in both services. (S3 API Reference and OSS API Reference, "Tagging".)
    package mutating func tagSet(_ tags: [Tag]) {
        element("TagSet") { xml in
            for tag in tags {
                xml.element("Tag") { xml in
                    xml.element("Key", tag.key)
                    xml.element("Value", tag.value)
                }
            }
        }
    }
}
