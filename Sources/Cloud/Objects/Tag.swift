/// A name and a value that a client attaches to a bucket or an object beside its metadata.
package struct Tag: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
