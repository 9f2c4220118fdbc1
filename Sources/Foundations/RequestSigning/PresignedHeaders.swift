package import HTTPTypes
package import WireFormats

/// The header fields in the query of a presigned request, where SDKs put them so that the user of the URL need not send them.
/// (S3 API Reference, "Authenticating requests: using query parameters".)
///
/// A signature that covers these fields and the face that applies them both read them here.
package struct PresignedHeaders {
    /// One field.
    package struct Field: Equatable, Sendable {
        /// The decoded name of the parameter, in lowercase.
        package var name: String
        /// The decoded value of the parameter.
        package var value: String

        /// The header field; `nil` if no header can have this name or this value.
        package var header: HTTPField? {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { return nil }
            return HTTPField(name: name, value: value)
        }
    }

    /// Every field in the order of the query. A name may occur more than once.
    package var fields: [Field] = []

    /// Reads the query of a request. One without a signature has no such fields.
    package init(_ query: FormFields) {
        guard query.fields.contains(where: { $0.name == "X-Amz-Signature" || $0.name == "Signature" }) else { return }
        for field in query.fields where field.name.utf8.count > 6 {
            let name = field.name.lowercased()
            if name.hasPrefix("x-amz-") || others.contains(name) { fields.append(Field(name: name, value: field.value)) }
        }
    }

    /// Whether each field is a header field, and none is repeated. Otherwise several queries have one canonical form in Version 2.
    var isUnambiguous: Bool {
        fields.indices.allSatisfy { index in
            fields[index].header != nil && !fields[..<index].contains { $0.name == fields[index].name }
        }
    }
}

/// The names without `x-amz-`.
private let others: Set = ["content-md5", "content-type", "if-match", "if-none-match"]
