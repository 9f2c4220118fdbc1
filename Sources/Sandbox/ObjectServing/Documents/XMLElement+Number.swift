package import WireFormats

extension XMLElement {
    /// Returns the integer in the child element with this name, ignoring surrounding white space; `nil` if there is none.
    package func integer(_ name: String) -> Int64? { child(name).flatMap { Int64(decimal: $0.text.trimmed) } }
}
