extension String {
    /// Concatenates the parts in one allocation. An interpolation may reallocate for each part.
    ///
    /// The parts are parameters of their own, since an array of them would be a second allocation.
    package init(
        joining first: String, _ second: String, _ third: String = "", _ fourth: String = "", _ fifth: String = "", _ sixth: String = ""
    ) {
        let start = first.utf8.count + second.utf8.count + third.utf8.count
        self.init(unsafeUninitializedCapacity: start + fourth.utf8.count + fifth.utf8.count + sixth.utf8.count) { text in
            var end = 0
            func put(_ part: String) {
                guard !part.isEmpty else { return }
                var part = part
                part.withUTF8 { part in
                    UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: text[end...])).copyMemory(
                        from: UnsafeRawBufferPointer(part))
                    end += part.count
                }
            }
            put(first)
            put(second)
            put(third)
            put(fourth)
            put(fifth)
            put(sixth)
            return end
        }
    }
}
