import Calls
import HTTPTypes
import WireFormats

/// A service of the AWS Query protocol.
typealias QueryService = Service<QueryProtocol>

/// The AWS Query protocol: parameters in a query or form, and XML documents. (Smithy, "AWS query protocol".)
struct QueryProtocol: WireProtocol {
    /// The only accepted `Version`.
    let version: String
    /// The namespace of responses and errors.
    let namespace: String
    /// The elements that are not strings in JSON responses; `nil` for a service that responds only in XML.
    var membersInJSON: QueryJSON?

    /// Writes the result of an operation inside `<…Result>`.
    typealias Result = (inout XMLWriter) -> Void

    func read(_ call: Call, body: [UInt8], form: QueryForm?) throws(ServiceError) -> ServiceCall {
        guard call.method == .post || call.method == .get else {
            throw ServiceError("InvalidAction", .badRequest, "Only GET and POST are allowed.")
        }
        // Parameters are in the query or in the form; some SDKs mix both.
        guard let inQuery = call.queryFields, var fields = (form ?? QueryForm(body)).fields else {
            throw .malformedQuery
        }
        if !inQuery.fields.isEmpty { fields.fields = inQuery.fields + fields.fields }
        guard let action = fields.first("Action"), !action.isEmpty else {
            throw ServiceError("MissingAction", .badRequest, "Request is missing an Action")
        }
        let call = ServiceCall(http: call, action: action, fields: fields, body: body)
        guard fields.first("Version") == version else { throw unknown(call) }
        return call
    }

    func unknown(_ call: ServiceCall) -> ServiceError {
        ServiceError(
            "InvalidAction", .badRequest,
            "Could not find operation \(call.action) for version \(call.fields.first("Version") ?? "NO_VERSION_SPECIFIED")")
    }

    func response(_ result: Result?, of operation: String, to call: Call) -> Response {
        var xml = XMLWriter(capacity: 4096)
        let requestID = call.id.uuid
        xml.element(operation + "Response", namespace: namespace) { xml in
            if let result { xml.element(operation + "Result") { result(&$0) } }
            xml.element("ResponseMetadata") { $0.element("RequestId", requestID) }
        }
        let headers: HTTPFields = [.amazonRequestID: requestID]
        if let members = json(for: call), let element = try? XMLElement(parsing: xml.bytes) {
            return .json([element.name: members.value(of: element)], headers: headers)
        }
        return Response(status: .ok, contentType: "text/xml", headers: headers, xml: xml)
    }

    func translate(_ error: ServiceError) -> ServiceError { error }

    func response(_ error: ServiceError, to call: Call) -> Response {
        json(for: call) == nil
            ? error.response(namespace: namespace, requestID: call.id.uuid) : error.jsonResponse(requestID: call.id.uuid)
    }

    /// Returns how to respond in JSON, if the client accepts it.
    private func json(for call: Call) -> QueryJSON? {
        guard let members = membersInJSON, call.headers.value(of: .accept)?.contains("application/json") == true else { return nil }
        return members
    }
}
