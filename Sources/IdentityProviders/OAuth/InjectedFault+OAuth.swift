import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension Visit {
    /// Returns the response for an injected error, in the format of RFC 6749 section 5.2.
    func answer(to fault: InjectedFault, contentType: String = "application/json") -> Response {
        var (code, status, description) = fault.spelledByOAuth
        // Amazon's own spelling.
        if provider.kind == .amazon, code == "server_error" { code = OAuthError.Code.amazonServerError.rawValue }
        call.note(errorCode: code, message: description)
        var headers = HTTPFields.unstored
        if status == .unauthorized {
            headers[.wwwAuthenticate] = "Bearer realm=\"\(provider.name)\", error=\"\(OAuthError.printable(code))\""
        }
        let body: JSONValue = ["error": .string(code), "error_description": .string(OAuthError.printable(description))]
        return Response(status: status, contentType: contentType, headers: headers, text: body.serialized())
    }
}
