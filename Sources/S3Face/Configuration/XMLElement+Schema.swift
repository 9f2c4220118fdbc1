import ObjectServing
import WireFormats

/// How the documents that configure a bucket are read: what the published schema does not have there is `MalformedXML`.
/// (S3 API Reference, "Error responses", `MalformedXML`.)
extension XMLElement {
    /// Writes the elements inside this one.
    func encodeChildren(into xml: inout XMLWriter) {
        for child in children { child.encode(into: &xml) }
    }

    /// Refuses elements that the schema does not have inside this one.
    func allow(only names: Set<String>) throws(S3Error) {
        for child in children where !names.contains(child.name) { throw S3Error(.malformedXML) }
    }

    /// The element of this name; `nil` if there is none.
    /// - Throws: `MalformedXML` where there are several.
    func optional(_ name: String) throws(S3Error) -> XMLElement? {
        var found: XMLElement?
        for child in children where child.name == name {
            guard found == nil else { throw S3Error(.malformedXML) }
            found = child
        }
        return found
    }

    func required(_ name: String) throws(S3Error) -> XMLElement {
        guard let found = try optional(name) else { throw S3Error(.malformedXML) }
        return found
    }

    /// The text inside the element of this name; `nil` if there is none.
    func text(of name: String) throws(S3Error) -> String? { try optional(name)?.leafText() }

    /// The texts inside the elements of this name, in order.
    func texts(of name: String) throws(S3Error) -> [String] {
        var texts: [String] = []
        for child in children where child.name == name { texts.append(try child.leafText()) }
        return texts
    }

    /// The whole number inside the element of this name; `nil` if there is none.
    func integer(of name: String) throws(S3Error) -> Int64? {
        guard let text = try text(of: name) else { return nil }
        guard let number = Int64(decimal: text.trimmed) else { throw S3Error(.malformedXML) }
        return number
    }

    /// The text of an element that has nothing else inside.
    func leafText() throws(S3Error) -> String {
        guard children.isEmpty else { throw S3Error(.malformedXML) }
        return text
    }
}
