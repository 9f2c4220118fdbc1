import Calls
import HTTPTypes

/// How STS answers pages of other origins: every origin may call it. (AWS SDK for JavaScript, list of services that allow CORS; the
/// fields are those of AWS's services in common.)
enum QueryCrossOrigin {
    /// Lets a page read an answer; appended where the request names an origin.
    static func append(to response: inout Response, for call: Call) {
        guard call.headers.contains(.origin) else { return }
        response.headers.append(HTTPField(name: .accessControlAllowOrigin, value: "*"))
        response.headers.append(
            HTTPField(name: .accessControlExposeHeaders, value: "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date"))
    }

    /// Answers the question before a page's call.
    static func preflight(_ call: Call) -> Response {
        var response = Response(status: .ok, headers: [.amazonRequestID: call.id.uuid])
        append(to: &response, for: call)
        response.headers[.accessControlAllowMethods] = "GET,POST"
        if let asked = call.headers[.accessControlRequestHeaders] { response.headers[.accessControlAllowHeaders] = asked }
        response.headers[.accessControlMaxAge] = "172800"
        return response
    }
}
