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
}
