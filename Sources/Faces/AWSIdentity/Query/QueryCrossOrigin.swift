import Calls
import HTTPTypes
import WireFormats

/// The CORS headers of STS, which pages of every origin may call. (AWS SDK for JavaScript, list of services that allow CORS; the
/// headers are those that AWS's services share.)
enum QueryCrossOrigin {
    /// Adds the headers that let a page read a response, if the request has an `Origin` header.
    static func append(to response: inout Response, for call: Call) {
        guard call.headers.contains(.origin) else { return }
        response.headers.append(HTTPField(name: .accessControlAllowOrigin, value: "*"))
        response.headers.append(
            HTTPField(name: .accessControlExposeHeaders, value: "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date"))
    }

    /// Responds to a preflight request.
    static func preflight(_ call: Call) -> Response {
        var response = Response(status: .ok, headers: [.amazonRequestID: call.id.uuid])
        append(to: &response, for: call)
        response.headers[.accessControlAllowMethods] = "GET,POST"
        if let asked = call.headers[.accessControlRequestHeaders] { response.headers[.accessControlAllowHeaders] = asked }
        response.headers[.accessControlMaxAge] = "172800"
        return response
    }
}
