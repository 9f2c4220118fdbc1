package import WireFormats

extension XMLElement {
    /// The whole number inside the element of this name, around which white space may stand; `nil` if there is none.
    package func integer(_ name: String) -> Int64? { child(name).flatMap { Int64(decimal: $0.text.trimmed) } }
}
