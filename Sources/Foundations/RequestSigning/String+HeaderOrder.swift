import WireFormats

extension String {
    /// Returns whether the bytes of the text are those of another one, which usually has another length.
    @inline(__always)
    func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && equals(other) }
}
