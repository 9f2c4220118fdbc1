package import HTTPTypes

extension Call {
    /// Returns the value of a cookie (RFC 6265 section 4.2.1); of several with one name, the first.
    package func cookie(named name: String) -> String? { headers.cookie(named: name) }
}

extension HTTPFields {
    /// Returns the value of a cookie (RFC 6265 section 4.2.1); of several with one name, the first.
    package func cookie(named name: String) -> String? {
        for field in self[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == name { return String(parts[1]) }
            }
        }
        return nil
    }
}
