import WireFormats

/// Conversion of responses to JSON, for clients that send `Accept: application/json`. This format is undocumented. Programs that forward a
/// signed `GetCallerIdentity`, such as `aws-iam-authenticator`, rely on it. Times are seconds since 1970.
struct QueryJSON: Sendable {
    var moments: Set<String>
    var numbers: Set<String>

    /// Returns the content of an element that contains no lists.
    func value(of element: XMLElement) -> JSONValue {
        let children = element.children
        guard children.isEmpty else { return .object(JSONObject(children.map { ($0.name, value(of: $0)) })) }
        if moments.contains(element.name), let moment = Timestamp(iso8601: element.text) { return .integer(moment.seconds) }
        if numbers.contains(element.name), let number = Int64(element.text) { return .integer(number) }
        return .string(element.text)
    }
}
