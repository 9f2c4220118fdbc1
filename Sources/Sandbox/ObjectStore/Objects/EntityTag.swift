/// The entity tag of an object: the MD5 of its body. For an object that was uploaded in parts, it is the MD5 of the parts' MD5s together
/// with the number of parts. Each face formats it in its own way.
package struct EntityTag: Hashable, Sendable {
    /// The MD5, 16 bytes.
    package var md5: [UInt8]
    /// The number of parts; `nil` unless the object was completed from parts.
    package var partCount: Int?

    package init(md5: [UInt8], partCount: Int? = nil) {
        self.md5 = md5
        self.partCount = partCount
    }
}
