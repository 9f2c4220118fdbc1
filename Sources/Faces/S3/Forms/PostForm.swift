import Cloud
import HTTPTypes
import ObjectServing
import Policy
import WireFormats

// The form fields of S3. (S3 API Reference, "POST Object", "Form fields".)
extension PostedForm {
    /// Returns the key of the object. `${filename}` is replaced by the name of the file.
    /// - Throws: `InvalidArgument`, `UserKeyMustBeSpecified`, `KeyTooLongError`.
    func key() throws(S3Error) -> String {
        guard let template = self["key"] else { throw .missingField("key") }
        let key = insertingFilename(in: template)
        guard !key.isEmpty else { throw S3Error(.userKeyMustBeSpecified) }
        guard key.utf8.count <= 1024 else {
            throw S3Error(.keyTooLong, nil, ["Size": String(key.utf8.count), "MaxSizeAllowed": "1024"])
        }
        return key
    }

    /// Converts the fields to the headers of the equivalent PUT request.
    /// - Throws: `MalformedXML` for tags that are not valid XML.
    func headers() throws(S3Error) -> HTTPFields {
        var headers = HTTPFields()
        for field in fields {
            let name = field.name.lowercased()
            let value: String
            let header: String
            switch name {
            case "acl": (header, value) = ("x-amz-acl", field.value)
            case "tagging": (header, value) = ("x-amz-tagging", try Self.tags(field.value))
            case "cache-control", "content-type", "content-disposition", "content-encoding", "content-language", "content-md5",
                "expires":
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: HeaderText.latin1(field.value))) }
                continue
            default:
                guard name.hasPrefix("x-amz-"), !Self.signing.contains(name) else { continue }
                // Form fields are UTF-8 and can contain control characters, leading or trailing space, and text that looks like an encoded
                // word.
                let isLiteral = name.hasPrefix(metadataPrefix) && (field.value.contains("=?") || !field.value.isHeaderText)
                (header, value) = (name, isLiteral ? "=?UTF-8?B?\(Array(field.value.utf8).base64)?=" : field.value)
            }
            guard let header = HTTPField.Name(header) else { continue }
            headers.append(HTTPField(name: header, value: value))
        }
        return headers
    }

    private static let signing: Set = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-security-token", "x-amz-signature",
    ]

    /// Converts the document `<Tagging><TagSet><Tag>…` to the value of `x-amz-tagging`.
    private static func tags(_ document: String) throws(S3Error) -> String {
        guard let root = try? XMLElement(parsing: Array(document.utf8)) else { throw S3Error(.malformedXML) }
        var form: FormFields = [:]
        form.fields = try [Tag](tagging: root).map { .init(name: $0.key, value: $0.value) }
        return form.encoded
    }
}

extension String {
    /// Whether the text is a valid header value: without control characters, leading and trailing space.
    /// (RFC 9110 section 5.5.)
    fileprivate var isHeaderText: Bool {
        utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            && [utf8.first, utf8.last].allSatisfy { $0 != 0x20 && $0 != 0x09 }
    }
}
