package import HTTPTypes
import WireFormats

extension Call {
    /// Returns the value of a cookie (RFC 6265 section 4.2.1); of several with one name, the first.
    package func cookie(named name: String) -> String? { headers.cookie(named: name) }
}

extension HTTPFields {
    /// Returns the value of a cookie (RFC 6265 section 4.2.1); of several with one name, the first.
    package func cookie(named name: String) -> String? { cookies(named: name).first }

    /// Returns the values of all cookies with a name, for example of several paths.
    package func cookies(named name: String) -> [String] {
        self[values: .cookie].flatMap { field in
            field.split(separator: ";").compactMap { pair in
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
            }
        }
    }
}
