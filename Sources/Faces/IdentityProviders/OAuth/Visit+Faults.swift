import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension Visit {
    /// Performs a route of OAuth, and converts what it throws.
    /// - Parameter finish: adds the headers that errors have, too.
    func respond(
        contentType: String = "application/json", _ route: () async throws -> Response, finish: (Response) -> Response
    ) async -> Response {
        await respond(
            route, refusing: { (error: OAuthError) in finish(answer(to: error, contentType: contentType)) },
            failing: { finish(answer(to: $0, contentType: contentType)) })
    }

    private func answer(to error: OAuthError, contentType: String) -> Response {
        call.note(errorCode: error.code.rawValue, message: error.description)
        return error.response(contentType: contentType)
    }

    private func answer(to failure: EndpointFailure, contentType: String) -> Response {
        switch failure {
        case .injected(let fault): answer(to: fault, contentType: contentType)
        case .form(let fault): answer(to: OAuthError(fault), contentType: contentType)
        case .removed(let refusal):
            answer(
                to: refusal.error(
                    unknownClient: OAuthError(.invalidClient, "The client is unknown."),
                    unknownPerson: OAuthError(.invalidGrant, "The user no longer exists.")) ?? .revokedGrant, contentType: contentType)
        case .unexpected(let error): answer(to: OAuthError(failure: error, code: serverError), contentType: contentType)
        }
    }

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
        case .openIDConnect, .facebook, .google, .github: .serverError
        }
    }

    /// The answer to a call that an error on demand struck, in the format of RFC 6749 section 5.2.
    private func answer(to fault: InjectedFault, contentType: String) -> Response {
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
