import Calls
import HTTPTypes
import WireFormats

/// One call of a batch.
struct GraphBatchOperation {
    var method: HTTPRequest.Method
    /// The path without a leading slash, and the query.
    var relativeURL: String
    /// The form of a POST.
    var body: String?
    /// The name by which other calls refer to the result.
    var name: String?
    /// Whether a successful result is omitted; `nil` for the default: it is omitted if another call refers to it.
    var omitsOnSuccess: Bool?
    /// The name of a call that must succeed first.
    var dependency: String?
    /// The access token; `nil` for that of the batch.
    var accessToken: String?

    private static let members = [
        "method", "relative_url", "body", "name", "omit_response_on_success", "depends_on", "access_token",
    ]

    /// - Throws: `GraphError` for an element that is not a call, or has a member that Virga does not perform.
    init(_ element: JSONValue) throws(GraphError) {
        guard let call = element.objectValue, let relativeURL = call["relative_url"]?.stringValue else {
            throw GraphError(message: "(#100) Each element of batch must be an object with a relative_url", code: 100)
        }
        if let other = call.names.first(where: { !Self.members.contains($0) }) {
            throw GraphError(message: "(#100) The member \(other) of a batched call is not supported", code: 100)
        }
        self.relativeURL = relativeURL
        guard let method = HTTPRequest.Method(rawValue: (call["method"]?.stringValue ?? "GET").uppercased()),
            [.get, .post, .put, .delete].contains(method)
        else { throw GraphError(message: "(#100) The method of a batched call must be GET, POST, PUT or DELETE", code: 100) }
        self.method = method
        body = call["body"]?.stringValue
        name = call["name"]?.stringValue
        omitsOnSuccess = call["omit_response_on_success"]?.boolValue
        dependency = call["depends_on"]?.stringValue
        accessToken = call["access_token"]?.stringValue
    }

    /// The path with a leading slash, and the parameters of the query.
    var pathAndQuery: (path: String, query: FormFields) {
        let path = relativeURL.prefix { $0 != "?" && $0 != "#" }
        let query = relativeURL.dropFirst(path.count + 1).prefix { $0 != "#" }
        return (path.hasPrefix("/") ? String(path) : "/\(path)", FormFields(parsing: String(query)) ?? [:])
    }

    /// The names of the calls whose results the call needs.
    var references: [String] {
        [relativeURL, body ?? ""].flatMap { Self.places(in: $0).map(\.name) } + (dependency.map { [$0] } ?? [])
    }

    /// Returns the call with values in place of its references to results.
    /// - Parameter result: returns the result of a call by its name.
    func resolved(_ result: (String) -> JSONValue?) -> GraphBatchOperation {
        var operation = self
        operation.relativeURL = Self.filled(relativeURL, result)
        operation.body = body.map { Self.filled($0, result) }
        return operation
    }

    /// A reference to a result: `{result=<name>:<JSONPath>}`.
    private struct Place {
        var range: Range<String.Index>
        var name: String
        var path: String
    }

    private static func places(in text: String) -> [Place] {
        let mark = "{result="
        var places: [Place] = []
        var rest = text[...]
        while let start = rest.firstRange(of: mark), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let reference = rest[start.upperBound..<end].split(separator: ":", maxSplits: 1).map(String.init)
            let next = rest.unicodeScalars.index(after: end)
            if reference.count == 2 { places.append(Place(range: start.lowerBound..<next, name: reference[0], path: reference[1])) }
            rest = rest[next...]
        }
        return places
    }

    private static func filled(_ text: String, _ result: (String) -> JSONValue?) -> String {
        var filled = text
        for place in places(in: text).reversed() {
            let found = result(place.name).map { values(at: place.path, in: $0) } ?? []
            filled.replaceSubrange(place.range, with: percentEncoded(found.joined(separator: ",")))
        }
        return filled
    }

    /// Returns the values that a JSONPath selects: members by name, elements by `[number]` or `.number`, and all of them by `*`.
    private static func values(at path: String, in result: JSONValue) -> [String] {
        let steps = path.replacing("[", with: ".").replacing("]", with: "").split(separator: ".").drop { $0 == "$" }
        var selected = [result]
        for step in steps { selected = selected.flatMap { members(of: $0, at: step) } }
        return selected.map { $0.stringValue ?? $0.serialized() }
    }

    private static func members(of value: JSONValue, at step: Substring) -> [JSONValue] {
        if step == "*" { return value.arrayValue ?? value.objectValue?.members.map { $0.value } ?? [] }
        if let elements = value.arrayValue {
            guard let place = Int(digits: String(step)), place < elements.count else { return [] }
            return [elements[place]]
        }
        return value[String(step)].map { [$0] } ?? []
    }
}
