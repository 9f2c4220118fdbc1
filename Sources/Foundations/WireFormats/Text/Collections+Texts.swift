// Searches for texts among others, by their bytes; see `String+Bytes.swift`.

extension Sequence<String> {
    /// Returns whether a text with the same bytes is among the elements.
    @inlinable
    package func contains(_ text: String) -> Bool { contains { $0.equals(text) } }
}

extension Sequence<Substring> {
    /// Returns whether a text with the same bytes is among the elements.
    @inlinable
    package func contains(_ text: Substring) -> Bool { contains { $0.hasBytes(of: text) } }
}

extension Collection<String> {
    /// Returns the index of the first text with the same bytes.
    @inlinable
    package func firstIndex(of text: String) -> Index? { firstIndex { $0.equals(text) } }
}

extension Set<String> {
    /// Returns whether a text with the same bytes is in the set. Of texts that are canonically equivalent, a set has only the first.
    @inlinable
    package func contains(_ text: String) -> Bool { firstIndex(of: text).map { self[$0].equals(text) } ?? false }
}
