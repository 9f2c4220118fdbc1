import WireFormats

/// The form of a request for a token. Clients of the service write names and passwords into it without encoding them, so that a value is kept as
/// it was written beside what it decodes to.
struct TokenForm {
    /// What stands there by the rules; where a value breaks them, as it was written.
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

    /// User name and password, in each way in which they may be meant; none where one is missing.
    var credentials: [(username: String, password: String)] {
        [fields, written].compactMap { form in
            guard let username = form.value("username"), let password = form.value("password") else { return nil }
            return (username, password)
        }
    }
}
