/// A name and a value that a client attaches to a bucket, an object, or somebody or something of the directory.
package struct Tag: Hashable, Sendable, Codable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
