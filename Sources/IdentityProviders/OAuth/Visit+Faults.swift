import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension Visit {
    /// The response to an error that an endpoint throws. An unexpected error is noted and not shown.
    func answer(toError error: any Error, contentType: String = "application/json") -> Response {
        switch error {
        case let error as OAuthError:
            call.note(errorCode: error.code.rawValue, message: error.description)
            return error.response(contentType: contentType)
        case let fault as InjectedFault: return answer(to: fault, contentType: contentType)
        default:
            return answer(toFailure: error, code: .serverError)
        }
    }

    /// The response to an unexpected error.
    /// - Parameter code: as the provider writes it.
    func answer(toFailure error: any Error, code: OAuthError.Code, contentType: String = "application/json") -> Response {
        let failure = OAuthError(failure: error, code: code)
        if failure.status != .insufficientStorage { call.note(failure: error) }
        call.note(errorCode: failure.code.rawValue, message: failure.description)
        return failure.response(contentType: contentType)
    }

    /// The answer to a call that an error on demand struck, in the format of RFC 6749 section 5.2.
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
