extension String {
    /// Concatenates the parts in one allocation. An interpolation may reallocate for each part.
    package init(joining parts: String...) {
        let count = parts.reduce(0) { $0 + $1.utf8.count }
        self.init(unsafeUninitializedCapacity: count) { text in
            var end = 0
            for var part in parts {
                part.withUTF8 { part in
                    UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: text[end...])).copyMemory(
                        from: UnsafeRawBufferPointer(part))
                    end += part.count
                }
            }
            return end
        }
    }
}
