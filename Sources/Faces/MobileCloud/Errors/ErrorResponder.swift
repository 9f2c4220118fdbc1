import Calls
import Cloud
import HTTPTypes
import WireFormats

/// How a call is answered that fails: in OAuth's words where tokens are issued, in the platform's elsewhere.
struct ErrorResponder {
    let call: Call

    /// Whether the clients of the path expect errors of RFC 6749 section 5.2.
    private var isOAuth: Bool {
        MobileTokenEndpoint.paths.contains(call.path) || call.path.hasPrefix("/mobile/platform/auth/")
    }

    /// - Returns: `nil` for an internal error.
    func response(to error: any Error) -> Response? {
        switch error {
        case let error as MobileError: platformResponse(to: error)
        case let error as OAuthError: oauthResponse(to: error, headers: [:])
        case let fault as FormFault where isOAuth && fault != .notPosted:
            oauthResponse(to: OAuthError(.invalidRequest, fault.explanation), headers: [:])
        case let fault as FormFault: platformResponse(to: MobileError(fault))
        case is ContentCutOff: platformResponse(to: MobileError(.malformedRequest, "The body ends early."))
        case let error as BodyTooLarge: platformResponse(to: MobileError(.bodyTooLarge, "The body may have at most \(error.limit) bytes."))
        case let fault as InjectedFault: injectedResponse(to: fault)
        case _ where FullStorage.isCause(of: error): platformResponse(to: MobileError(.storageFull, FullStorage.message(for: error)))
        default: nil
        }
    }

    /// The response to an internal error.
    var failure: Response { platformResponse(to: MobileError(.internalError, "The server failed.")) }

    private func platformResponse(to error: MobileError) -> Response {
        // OPTIONS asks for the methods of a resource, so it succeeds.
        if error.kind == .methodNotAllowed, call.method == .options { return Response(status: .ok, headers: error.headers) }
        if isOAuth {
            let code: OAuthError.Code = error.kind.status.kind == .serverError ? .serverError : .invalidRequest
            let challenge = error.kind.status == .unauthorized ? MobileTokenEndpoint.challenge : nil
            return oauthResponse(
                to: OAuthError(code, error.detail, status: error.kind.status, challenge: challenge), headers: error.headers)
        }
        call.note(errorCode: error.kind.code, message: error.detail)
        return error.response(to: call)
    }

    private func oauthResponse(to error: OAuthError, headers: HTTPFields) -> Response {
        call.note(errorCode: error.code.rawValue, message: error.description)
        var response = error.response(contentType: MobileTokenEndpoint.contentType)
        response.headers.append(contentsOf: headers)
        return response
    }

    /// Returns the response to an error on demand. Its code is one of ours, of OAuth, or one of AWS's common codes.
    private func injectedResponse(to fault: InjectedFault) -> Response {
        if isOAuth {
            let (code, status, description) = fault.spelledByOAuth
            call.note(errorCode: code, message: description)
            var headers = HTTPFields.unstored
            if status == .unauthorized { headers[.wwwAuthenticate] = MobileTokenEndpoint.challenge }
            return Response(
                status: status, contentType: MobileTokenEndpoint.contentType, headers: headers,
                text: JSONValue.object([
                    "error": .string(code), "error_description": .string(OAuthError.printable(description)),
                ]).serialized())
        }
        let failure = fault.failure
        let known =
            FaultCatalogue.oauthEntry(failure.code).map { ($0.status, $0.message) }
            ?? FaultCatalogue.entry(failure.code, in: .query).map { ($0.status.code, $0.message) }
        let kind = MobileErrorKind.allCases.first { $0.code == failure.code } ?? .injected
        let message = failure.message ?? known?.1 ?? failure.code
        call.note(errorCode: kind.code, message: message)
        let status = failure.status ?? known?.0 ?? kind.status.code
        return MobileError(kind, message).response(
            to: call, status: HTTPResponse.Status(code: status))
    }
}

extension MobileError {
    /// Creates the error for a body that is not the expected form.
    init(_ fault: FormFault) {
        switch fault {
        case .notPosted: self = .methodNotAllowed(.post)
        case .otherContentType: self.init(.unsupportedMediaType, fault.explanation)
        case .malformed, .cutOff: self.init(.malformedRequest, fault.explanation)
        case .tooLarge: self.init(.bodyTooLarge, fault.explanation)
        }
    }
}
