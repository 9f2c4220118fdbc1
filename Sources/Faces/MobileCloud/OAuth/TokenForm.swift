import WireFormats

/// The form of a token request.
///
/// Clients of the service send names and passwords without encoding, so each value is kept both decoded and as received.
struct TokenForm {
    /// The decoded fields; a value with invalid encoding is kept as received.
    private(set) var fields: FormFields = [:]
    private var written: FormFields = [:]

    init(_ text: String) {
        for part in text.split(separator: "&") {
            let name = part.prefix { $0 != "=" }
            let raw = FormFields.Field(name: String(name), value: String(part.dropFirst(name.count + 1)))
            written.fields.append(raw)
            fields.fields.append(FormFields(parsing: String(part))?.fields.first ?? raw)
        }
    }

    /// The user name and password in each possible reading; empty if one is missing.
    var credentials: [(username: String, password: String)] {
        [fields, written].compactMap { form in
            guard let username = form.value("username"), let password = form.value("password") else { return nil }
            return (username, password)
        }
    }
}
