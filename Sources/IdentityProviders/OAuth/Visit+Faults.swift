import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension Visit {
    /// The response to an error that an endpoint of OAuth throws. An unexpected error is noted and not shown.
    func answer(toError error: any Error, contentType: String = "application/json") -> Response {
        switch error {
        case let error as OAuthError:
            call.note(errorCode: error.code.rawValue, message: error.description)
            return error.response(contentType: contentType)
        case let fault as InjectedFault: return answer(to: fault, contentType: contentType)
        case let fault as FormFault: return answer(toError: OAuthError(fault), contentType: contentType)
        case let refusal as GrantRefusal:
            let error = refusal.error(
                unknownClient: OAuthError(.invalidClient, "The client is unknown."),
                unknownPerson: OAuthError(.invalidGrant, "The user no longer exists."))
            guard let error else { return unknownProvider }
            return answer(toError: error, contentType: contentType)
        default:
            let failure = OAuthError(failure: error, code: serverError)
            if failure.status != .insufficientStorage { call.note(failure: error) }
            return answer(toError: failure, contentType: contentType)
        }
    }

    /// The response to a request whose provider was removed while it was handled: the one for an unknown provider.
    var unknownProvider: Response { .unknownProvider(of: call, isRealm: isRealm) }

    /// Performs a request to an endpoint, and throws the endpoint's own errors for a client or a person who was removed in the meantime.
    func refusing<T>(
        unknownClient: @autoclosure () -> OAuthError, unknownPerson: @autoclosure () -> OAuthError, _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let refusal as GrantRefusal {
            guard let error = refusal.error(unknownClient: unknownClient(), unknownPerson: unknownPerson()) else { throw refusal }
            throw error
        }
    }

    /// Returns whether the provider still has a client, as the request has read it.
    /// - Throws: `GrantRefusal.provider`.
    func has(_ client: Client) throws -> Bool {
        do {
            try grantIssuer.check(provider: provider.name, client: client.id)
            return true
        } catch GrantRefusal.client {
            return false
        }
    }

    /// The code of an unexpected error, as the provider spells it.
    private var serverError: OAuthError.Code {
        switch provider.kind {
        case .amazon: .amazonServerError
        case .openIDConnect, .facebook, .google: .serverError
        }
    }

    /// The answer to a call that an error on demand struck, in the format of RFC 6749 section 5.2.
    func answer(to fault: InjectedFault, contentType: String = "application/json") -> Response {
        var (code, status, description) = fault.spelledByOAuth
        if code == OAuthError.Code.serverError.rawValue { code = serverError.rawValue }
        call.note(errorCode: code, message: description)
        var headers = HTTPFields.unstored
        if status == .unauthorized {
            headers[.wwwAuthenticate] = "Bearer realm=\"\(provider.name)\", error=\"\(OAuthError.printable(code))\""
        }
        let body: JSONValue = ["error": .string(code), "error_description": .string(OAuthError.printable(description))]
        return Response(status: status, contentType: contentType, headers: headers, text: body.serialized())
    }
}

extension GrantRefusal {
    /// Returns the error of an endpoint; `nil` for a removed provider.
    func error(unknownClient: OAuthError, unknownPerson: OAuthError) -> OAuthError? {
        switch self {
        case .provider: nil
        case .client: unknownClient
        case .person: unknownPerson
        case .access: .revokedGrant
        }
    }
}

extension OAuthError {
    /// The error for a form that cannot be read.
    init(_ fault: FormFault) {
        let status: HTTPResponse.Status? =
            switch fault {
            case .notPosted: .methodNotAllowed
            case .tooLarge: .contentTooLarge
            case .otherContentType, .malformed, .cutOff: nil
            }
        self.init(.invalidRequest, fault.explanation, status: status, allow: fault == .notPosted ? "POST" : nil)
    }

    /// The error for a grant that was revoked while the request was handled.
    static let revokedGrant = OAuthError(.invalidGrant, "The grant was revoked.")
}
