import HTTPTypes
import WireFormats

/// One call of the control API: a method at a path. The table ``all`` routes the calls, lists them, and is published as OpenAPI; schemas are
/// made when the document is asked for.
struct ControlCall: Sendable {
    var method: HTTPRequest.Method
    /// Below `/_virga`, with parameters in braces, such as `/faults/{id}`.
    var template: String
    /// What answers.
    var operation: ControlOperation
    /// What it does, in one sentence.
    var summary: String
    /// Parameters of the query: the name, and the schema with a description.
    var query: @Sendable () -> KeyValuePairs<String, JSONValue>
    var body: @Sendable () -> Body?
    /// The statuses of success, each with what it returns.
    var answers: @Sendable () -> KeyValuePairs<Int, Content>
    /// Statuses of refusals beside those of every call.
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

    /// What a request carries.
    enum Body: Sendable {
        case json(JSONValue)
        /// Content types that are text or files.
        case other([String])
    }

    /// What a response carries.
    enum Content: Sendable {
        case json(JSONValue)
        case other([String])
    }

    /// Every call, in the order in which they are listed.
    static let all: [ControlCall] = general + tokens + providers + diagnosis + mobile

    /// The calls at a path, one for each method; empty if there is no such path.
    /// - Parameter path: what follows `/_virga`.
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

    /// The names in braces.
    var pathParameters: [String] {
        template.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Path, method and purpose of each call.
    static var described: [JSONValue] {
        all.map { call in
            [
                "path": .string("/_virga" + call.template), "method": .string(call.method.rawValue), "purpose": .string(call.summary),
            ]
        }
    }
}
