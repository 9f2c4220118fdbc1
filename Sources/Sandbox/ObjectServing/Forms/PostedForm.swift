package import HTTPTypes
import WireFormats

/// The fields of a form before its file. Their names are case-insensitive, and occur once in a form that ``FormUpload`` has read.
package struct PostedForm: Equatable, Sendable {
    /// A field; the name as sent.
    package struct Field: Equatable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in the order in which they arrived.
    package var fields: [Field]
    /// The name of the file; `nil` if it has none.
    package var filename: String?
    /// The content type of the file; `nil` if it has none.
    package var fileType: String?

    package init(fields: [Field] = [], filename: String? = nil) {
        self.fields = fields
        self.filename = filename
    }

    /// Returns the value of a field.
    /// - Parameter name: the name in lowercase.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// Replaces each `${filename}` in a text by the name of the file. The text is unchanged if the file has no name.
    package func insertingFilename(in template: String) -> String {
        guard let filename else { return template }
        let variable = "${filename}"
        var result = ""
        var rest = template[...]
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix(variable) {
                result += filename
                rest = rest.dropFirst(variable.count)
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}

extension HTTPFields {
    /// The boundary in `Content-Type`: 1 to 70 characters (RFC 2046 section 5.1.1).
    package var formBoundary: String? {
        guard let contentType = self[.contentType] else { return nil }
        var scanner = ParameterScanner(rest: Array(contentType.utf8)[...])
        guard scanner.token() != nil else { return nil }
        while let (name, value) = scanner.parameter() {
            if name == "boundary" { return (1...70).contains(value.utf8.count) ? value : nil }
        }
        return nil
    }
}
