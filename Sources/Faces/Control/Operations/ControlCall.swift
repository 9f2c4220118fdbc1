import ControlDocuments
import HTTPTypes
import WireFormats

/// One call of the control API: a method and a path. The table ``all`` is used for routing, for the list of calls, and for the OpenAPI
/// document. Schemas are created only when the document is requested.
struct ControlCall: Sendable {
    var method: HTTPRequest.Method
    /// The path below `/_virga`, with parameters in braces, such as `/faults/{id}`.
    var template: String
    /// The operation that handles the call.
    var operation: ControlOperation
    /// A one-sentence description.
    var summary: String
    /// The query parameters: each name with a schema and description.
    var query: @Sendable () -> KeyValuePairs<String, JSONValue>
    var body: @Sendable () -> Body?
    /// The statuses of success, each with the content of the response.
    var answers: @Sendable () -> KeyValuePairs<Int, Content>
    /// The error statuses, in addition to those of every call.
    var refusals: [Int]

    init(
        method: HTTPRequest.Method, template: String, operation: ControlOperation, summary: String,
        query: @autoclosure @escaping @Sendable () -> KeyValuePairs<String, JSONValue> = [:],
        body: @autoclosure @escaping @Sendable () -> Body? = nil,
        answers: @autoclosure @escaping @Sendable () -> KeyValuePairs<Int, Content> = [200: .json(Schemas.status)],
        refusals: [Int] = []
    ) {
        (self.method, self.template, self.operation, self.summary) = (method, template, operation, summary)
        (self.query, self.body, self.answers, self.refusals) = (query, body, answers, refusals)
    }

    /// The content of a request.
    enum Body: Sendable {
        case json(JSONValue)
        /// Content types other than JSON: text or files.
        case other([String])
    }

    /// The content of a response.
    enum Content: Sendable {
        case json(JSONValue)
        case other([String])

        static func document<Members: DocumentMembers>(_: Members.Type) -> Self { .json(Document<Members>.schema) }
    }

    /// All calls, in listing order.
    static let all: [ControlCall] =
        general + contents + tokens + providers + requests + diagnosis + usage + sandboxes + classroom + mobile

    /// Returns the calls at a path, one for each method; empty for an unknown path.
    /// - Parameter path: the path after `/_virga`.
    static func at(_ path: String) -> [ControlCall] {
        if let calls = withoutParameters[path] { return calls }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        return withParameters.filter { $0.fits(segments) }
    }

    private static let withoutParameters = Dictionary(grouping: all.filter(\.pathParameters.isEmpty), by: \.template)
    private static let withParameters = all.filter { !$0.pathParameters.isEmpty }

    private func fits(_ segments: [Substring]) -> Bool {
        let parts = template.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == segments.count
            && zip(parts, segments).allSatisfy { part, segment in part.hasPrefix("{") ? !segment.isEmpty : part == segment }
    }

    /// The names of the path parameters.
    var pathParameters: [String] {
        template.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The path, method and summary of each call.
    static var described: [JSONValue] {
        all.map { call in
            [
                "path": .string("/_virga" + call.template), "method": .string(call.method.rawValue), "purpose": .string(call.summary),
            ]
        }
    }
}
