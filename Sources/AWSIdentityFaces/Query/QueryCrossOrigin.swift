import Exchange
import HTTPTypes

/// How STS answers pages of other origins: every origin may call it. (AWS SDK for JavaScript, list of services that allow CORS; the
/// fields are those of AWS's services in common.)
enum QueryCrossOrigin {
    /// Lets a page read an answer; appended where the request names an origin.
    static func append(to response: inout Response, for exchange: Exchange) {
        guard exchange.headers.contains(.origin) else { return }
        response.headers.append(HTTPField(name: .accessControlAllowOrigin, value: "*"))
        response.headers.append(
            HTTPField(name: .accessControlExposeHeaders, value: "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date"))
    }

    /// Answers the question before a page's call.
    static func preflight(_ exchange: Exchange) -> Response {
        var response = Response(status: .ok, headers: [.amazonRequestID: exchange.id.uuid])
        append(to: &response, for: exchange)
        response.headers[.accessControlAllowMethods] = "GET,POST"
        if let asked = exchange.headers[.accessControlRequestHeaders] { response.headers[.accessControlAllowHeaders] = asked }
        response.headers[.accessControlMaxAge] = "172800"
        return response
    }
}
