import Cloud
import ObjectServing
import WireFormats

/// Parsing of the documents that configure a bucket. Deviations from the published schema cause `MalformedXML`.
/// (S3 API Reference, "Error responses", `MalformedXML`.)
extension XMLElement {
    /// Writes the elements inside this one.
    func encodeChildren(into xml: inout XMLWriter) {
        for child in children { child.encode(into: &xml) }
    }

    /// Returns the document if it conforms to a schema.
    /// - Throws: `MalformedXML`.
    func holding(_ schema: [DocumentSchema.Member]) throws(S3Error) -> XMLElement {
        guard DocumentSchema.holds(self, .members(schema)) else { throw S3Error(.malformedXML) }
        return self
    }

    /// Refuses elements that the schema does not have inside this one.
    func allow(only names: Set<String>) throws(S3Error) {
        for child in children where !names.contains(child.name) { throw S3Error(.malformedXML) }
    }

    /// Returns the child element with this name; `nil` if there is none.
    /// - Throws: `MalformedXML` if there are several.
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

    /// Returns the text of the child element with this name; `nil` if there is none.
    func text(of name: String) throws(S3Error) -> String? { try optional(name)?.leafText() }

    /// Returns the texts of the child elements with this name, in order.
    func texts(of name: String) throws(S3Error) -> [String] {
        var texts: [String] = []
        for child in children where child.name == name { texts.append(try child.leafText()) }
        return texts
    }

    /// Returns the integer in the child element with this name; `nil` if there is none.
    func integer(of name: String) throws(S3Error) -> Int64? {
        guard let text = try text(of: name) else { return nil }
        guard let number = Int64(decimal: text.trimmed) else { throw S3Error(.malformedXML) }
        return number
    }

    /// Returns the text of an element without children.
    func leafText() throws(S3Error) -> String {
        guard children.isEmpty else { throw S3Error(.malformedXML) }
        return text
    }
}
