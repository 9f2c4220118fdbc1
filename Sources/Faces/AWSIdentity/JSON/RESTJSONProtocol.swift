import Calls
import HTTPTypes
import WireFormats

/// The AWS REST JSON protocol: members in the path, in the query and in JSON documents. (Smithy, "AWS restJson1 protocol".)
struct RESTJSONProtocol: WireProtocol {
    /// The method and path of an operation. (Smithy, "HTTP bindings", trait `http`.)
    struct Binding: Sendable {
        let operation: String
        let method: HTTPRequest.Method
        /// The path, where a segment in braces is the value of a member.
        let path: String

        /// Returns the members in a path; `nil` for the path of another operation.
        func members(in path: String) -> FormFields? {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            let labels = self.path.split(separator: "/", omittingEmptySubsequences: false)
            guard segments.count == labels.count else { return nil }
            var members: FormFields = [:]
            for (segment, label) in zip(segments, labels) {
                guard label.hasPrefix("{") else {
                    guard segment == label else { return nil }
                    continue
                }
                guard !segment.isEmpty, let value = percentDecoded(segment) else { return nil }
                members.fields.append(FormFields.Field(name: String(label.dropFirst().dropLast()), value: value))
            }
            return members
        }
    }

    let bindings: [Binding]

    /// The document of a result.
    typealias Result = JSONValue

    func read(_ call: Call, body: [UInt8], form: QueryForm?) throws(ServiceError) -> ServiceCall {
        guard let inQuery = call.queryFields else { throw .malformedQuery }
        for binding in bindings where binding.method == call.method {
            guard var fields = binding.members(in: call.path) else { continue }
            fields.fields += inQuery.fields
            if call.method != .get { fields.fields += try FormFields(membersIn: body).fields }
            return ServiceCall(http: call, action: binding.operation, fields: fields, body: body)
        }
        throw Self.noOperation
    }

    func unknown(_ call: ServiceCall) -> ServiceError { Self.noOperation }

    private static let noOperation = ServiceError("UnknownOperationException", .notFound, "There is no such operation.")

    func response(_ result: JSONValue?, of operation: String, to call: Call) -> Response {
        .json(result ?? .object(JSONObject()), headers: [.amazonRequestID: call.id.uuid])
    }

    func translate(_ error: ServiceError) -> ServiceError { error.inJSON }

    func response(_ error: ServiceError, to call: Call) -> Response { error.responseInREST(requestID: call.id.uuid) }
}
