import Calls
import WireFormats

/// A test of an endpoint: what was entered, and what came back.
struct APITest: KeptInMemory {
    let id: String
    let generation: Int64
    let created: Timestamp
    /// The form, with the names of its fields.
    var fields: FormFields
    /// The requests that got or exchanged the token.
    var preparation: [Exchange] = []
    /// The request to the endpoint.
    var answer: Exchange?
    /// Why the test was not sent, at a field of the form.
    var refusal: FormRefusal?
}

/// An API that the tester calls: a custom one, or the platform's.
struct TestableAPI {
    struct Endpoint {
        var method: String
        var path: String
        var description: String
        /// An example of the body; `nil` if none is known.
        var bodyExample: String?
        /// The names of the query's parameters that the endpoint reads.
        var query: [String]
        var roles: [String] = []

        /// The names in the path, such as `id` of `/lifts/{id}`; `*` for the rest.
        var parameters: [String] {
            path.split(separator: "/").compactMap { segment in
                if segment == "*" { return "*" }
                return segment.hasPrefix("{") && segment.hasSuffix("}") ? String(segment.dropFirst().dropLast()) : nil
            }
        }

        /// Whether a request has a body.
        func takesBody(_ method: String) -> Bool { ["POST", "PUT", "PATCH"].contains(method) }
    }

    var name: String
    var version: String
    /// The path that all endpoints share.
    var base: String
    var security: HTML
    var endpoints: [Endpoint]

    /// - Parameter api: the document of a custom API.
    init(_ api: JSONObject) {
        name = api.string("name")
        version = api.string("version")
        base = "/mobile/custom/\(percentEncoded(name))"
        security = APISecurity(api).summary
        endpoints = (api["endpoints"]?.arrayValue?.compactMap(\.objectValue) ?? []).map { endpoint in
            let template = endpoint.string("template")
            let kind =
                endpoint["caller"] != nil
                ? "Returns the caller."
                : endpoint["forward"] != nil
                    ? "Custom code answers."
                    : template.isEmpty
                        ? "Returns a fixed response." : "Returns a response made from a template."
            return Endpoint(
                method: endpoint.string("method"), path: endpoint.string("path"), description: kind,
                bodyExample: Self.bodyExample(template), query: Self.names("query.", in: template), roles: endpoint.texts("roles"))
        }
    }

    /// The platform APIs that apps call without a selection.
    init() {
        name = "platform"
        version = "1.0"
        base = "/mobile/platform"
        security = "Users: Login Required. App Policies, Devices, Analytics and Location: the anonymous key is enough."
        endpoints = [
            Endpoint(method: "GET", path: "/users/~", description: "The user of the token.", bodyExample: nil, query: []),
            Endpoint(method: "GET", path: "/appconfig/client", description: "The backend's app policies.", bodyExample: nil, query: []),
            Endpoint(method: "GET", path: "/storage/collections", description: "The collections.", bodyExample: nil, query: ["limit"]),
            Endpoint(
                method: "GET", path: "/storage/collections/{collection}/objects", description: "The objects of a collection.",
                bodyExample: nil, query: ["limit", "user"]),
            Endpoint(
                method: "POST", path: "/analytics/events", description: "Sends events of an app.",
                bodyExample: #"[{"name":"sessionStart","type":"system","timestamp":"2026-01-01T00:00:00.000Z"}]"#, query: []),
            Endpoint(method: "GET", path: "/location/places", description: "The places.", bodyExample: nil, query: ["name"]),
        ]
    }

    /// Returns a body with each member that a template reads.
    private static func bodyExample(_ template: String) -> String? {
        let names = Self.names("body.", in: template)
        guard !names.isEmpty else { return nil }
        return JSONValue.object(JSONObject(names.map { ($0.split(separator: ".").first.map(String.init) ?? $0, .string("example")) }))
            .serialized(pretty: true)
    }

    /// Returns the names in placeholders that begin with a prefix, such as `{{body.title}}`.
    private static func names(_ prefix: String, in template: String) -> [String] {
        var names: [String] = []
        var rest = template[...]
        while let opening = rest.firstRange(of: "{{"), let closing = rest[opening.upperBound...].firstRange(of: "}}") {
            let name = rest[opening.upperBound..<closing.lowerBound].trimmed
            if name.hasPrefix(prefix), !names.contains(String(name.dropFirst(prefix.count))) {
                names.append(String(name.dropFirst(prefix.count)))
            }
            rest = rest[closing.upperBound...]
        }
        return names
    }
}
