/// What identifies an object's content to HTTP: the MD5 of its body, or, for one that was uploaded in parts, the MD5 of
/// its parts' MD5s together with how many parts there were. Each face spells it in its own way.
package struct EntityTag: Hashable, Sendable {
    /// 16 bytes.
    package var md5: [UInt8]
    /// Nil unless the object was completed from parts.
    package var partCount: Int?

    package init(md5: [UInt8], partCount: Int? = nil) {
        self.md5 = md5
        self.partCount = partCount
    }
}
