import WireFormats

/// The same answers as JSON, for clients that ask for them with `Accept: application/json`: an undocumented form that many rely on who pass
/// a signed `GetCallerIdentity` on, such as `aws-iam-authenticator`. Moments are seconds since 1970.
struct QueryJSON: Sendable {
    var moments: Set<String>
    var numbers: Set<String>

    /// The content of an element that has no lists in it.
    func value(of element: XMLElement) -> JSONValue {
        let children = element.children
        guard children.isEmpty else { return .object(JSONObject(children.map { ($0.name, value(of: $0)) })) }
        if moments.contains(element.name), let moment = Timestamp(iso8601: element.text) { return .integer(moment.seconds) }
        if numbers.contains(element.name), let number = Int64(element.text) { return .integer(number) }
        return .string(element.text)
    }
}
