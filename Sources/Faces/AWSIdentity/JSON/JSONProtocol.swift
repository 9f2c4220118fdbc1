import Calls
import HTTPTypes
import WireFormats

/// The AWS JSON 1.1 protocol: the operation in a header, and JSON documents. (Smithy, "AWS JSON 1.1 protocol".)
struct JSONProtocol: WireProtocol {
    /// The text before the operation in `X-Amz-Target`.
    let target: String
    /// The member of the service's errors with the message.
    let messageMember: String
    /// Whether errors are also in headers, the message of a denial is in `Message`, and a result without a document is empty, as those of
    /// Amazon Cognito.
    var hasErrorHeaders = false

    /// The document of a result.
    typealias Result = JSONValue

    private static let contentType = "application/x-amz-json-1.1"

    func read(_ call: Call, body: [UInt8], form: QueryForm?) throws(ServiceError) -> ServiceCall {
        let prefix = target + "."
        let name = call.headers[.amazonTarget] ?? ""
        guard call.method == .post, name.hasPrefix(prefix) else { throw Self.unknown(name) }
        let fields = try FormFields(membersIn: body)
        return ServiceCall(http: call, action: String(name.dropFirst(prefix.count)), fields: fields, body: body)
    }

    func unknown(_ call: ServiceCall) -> ServiceError { Self.unknown("\(target).\(call.action)") }

    /// - Parameter target: the value of `X-Amz-Target`; the message is Virga's wording.
    private static func unknown(_ target: String) -> ServiceError {
        ServiceError("UnknownOperationException", .badRequest, "Virga does not serve the operation '\(target)'.")
    }

    func response(_ result: JSONValue?, of operation: String, to call: Call) -> Response {
        let empty = hasErrorHeaders ? [] : JSONValue.object(JSONObject()).serializedBytes()
        return Response(
            status: .ok, contentType: Self.contentType, headers: [.amazonRequestID: call.id.uuid],
            body: result.map { $0.serializedBytes() } ?? empty)
    }

    /// Errors of clients have the status 400, whatever they have in other protocols.
    func translate(_ error: ServiceError) -> ServiceError {
        var error = error.inJSON
        if error.status == .forbidden { error.status = .badRequest }
        return error
    }

    func response(_ error: ServiceError, to call: Call) -> Response {
        guard hasErrorHeaders else {
            return error.response(inJSON: Self.contentType, messageMember: messageMember, requestID: call.id.uuid)
        }
        let member = error.code == "AccessDeniedException" ? "Message" : messageMember
        var response = error.response(inJSON: Self.contentType, messageMember: member, requestID: call.id.uuid)
        response.appendErrorHeaders(code: error.code, message: error.message)
        return response
    }
}
