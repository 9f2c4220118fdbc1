import WireFormats

/// A key and a value that a client attaches to a bucket, an object or an entity of the directory.
package struct Tag: Hashable, Sendable, Codable {
    /// The key.
    package var key: String
    /// The value, which can be empty.
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// Returns whether two tags have the same bytes. The synthesized comparison would equate canonically equivalent texts.
    package static func == (left: Tag, right: Tag) -> Bool { left.key == right.key && left.value == right.value }
}
