import Calls
import Cloud
import HTTPTypes
import WireFormats

/// An error in GitHub's words.
struct GitHubError: Error, Equatable {
    /// The parts of GitHub that word errors in their own way.
    enum Surface {
        /// The OAuth endpoints of `github.com`: `error`, `error_description` and `error_uri`, mostly with the status 200.
        case oauth
        /// The REST API: `message`, `documentation_url` and `status`.
        case api
    }

    var surface: Surface
    /// `error`, and the code in the journal.
    var code: String
    /// `error_description` or `message`.
    var message: String
    /// The page of the documentation, relative to its host.
    var page: String
    var status: HTTPResponse.Status
    /// The number of seconds between polls of a device, which an error can extend.
    var interval: Int64?
    /// Further headers of the response.
    var headers: HTTPFields = [:]

    private static let documentation = "https://docs.github.com"
    private static let tokenRequests = "/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/"
    private static let authorizationRequests = "/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/"
    private static let deviceFlow = "/developers/apps/authorizing-oauth-apps#error-codes-for-the-device-flow"

    private static func oauth(
        _ code: String, _ message: String, _ page: String = "", status: HTTPResponse.Status = .ok
    ) -> GitHubError {
        GitHubError(surface: .oauth, code: code, message: message, page: page, status: status)
    }

    private static func api(_ code: String, _ message: String, _ page: String, _ status: HTTPResponse.Status) -> GitHubError {
        GitHubError(surface: .api, code: code, message: message, page: page, status: status)
    }

    // MARK: Token requests (GitHub Docs, "Troubleshooting OAuth app access token request errors")

    static let incorrectCredentials = oauth(
        "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.",
        tokenRequests + "#incorrect-client-credentials")

    static let badVerificationCode = oauth(
        "bad_verification_code", "The code passed is incorrect or expired.", tokenRequests + "#bad-verification-code")

    static let redirectMismatch = oauth(
        "redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application.",
        authorizationRequests + "#redirect-uri-mismatch2")

    static let unverifiedEmail = oauth(
        "unverified_user_email", "The user must have a verified primary email.", tokenRequests + "#unverified_user_email")

    static func unsupportedGrantType(_ type: String) -> GitHubError {
        oauth("unsupported_grant_type", "The grant type \(type) is not supported.", deviceFlow)
    }

    // MARK: Devices (GitHub Docs, "Authorizing OAuth apps", "Error codes for the device flow")

    static let deviceFlowDisabled = oauth("device_flow_disabled", "Device Flow must be explicitly enabled for this App", deviceFlow)
    static let authorizationPending = oauth("authorization_pending", "The authorization request is still pending.", deviceFlow)
    static let incorrectDeviceCode = oauth("incorrect_device_code", "The device_code provided is not valid.", deviceFlow)
    static let expiredDeviceCode = oauth("expired_token", "The `device_code` has expired.", deviceFlow)
    static let deniedDevice = oauth("access_denied", "The authorization request was denied.", deviceFlow)

    static func slowDown(interval: Int64) -> GitHubError {
        var error = oauth("slow_down", "Too many requests have been made in the same timeframe.", deviceFlow)
        error.interval = interval
        return error
    }

    // MARK: REST API (GitHub Docs, "Troubleshooting the REST API")

    /// The token is unknown, expired or revoked.
    static let badCredentials = api("bad_credentials", "Bad credentials", "/rest", .unauthorized)

    static func requiresAuthentication(_ page: String) -> GitHubError {
        api("requires_authentication", "Requires authentication", page, .unauthorized)
    }

    static let tokenInQuery = api(
        "token_in_query",
        "Must specify access token via Authorization header. "
            + "https://developer.github.com/changes/2020-02-10-deprecating-auth-through-query-param", "/v3/#oauth2-token-sent-in-a-header",
        .badRequest)

    static func malformedBody(_ page: String) -> GitHubError { api("malformed_body", "Problems parsing JSON", page, .badRequest) }

    static func missing(_ name: String, _ page: String) -> GitHubError {
        api("missing_field", "Invalid request.\n\n\"\(name)\" wasn't supplied.", page, .unprocessableContent)
    }

    /// There is nothing at the path, or nothing that the caller may see.
    static func notFound(_ page: String = "/rest") -> GitHubError { api("not_found", "Not Found", page, .notFound) }

    static func notFound(at surface: Surface) -> GitHubError {
        switch surface {
        case .oauth: oauth("Not Found", "", status: .notFound)
        case .api: notFound()
        }
    }

    // MARK: Responses

    /// Returns the response.
    /// - Parameter format: the format of the answers of the OAuth endpoints.
    func response(_ format: GitHubFormat) -> Response {
        switch surface {
        case .oauth:
            var members: JSONObject = ["error": .string(code)]
            if !message.isEmpty { members["error_description"] = .string(message) }
            if !page.isEmpty { members["error_uri"] = .string(Self.documentation + page) }
            if let interval { members["interval"] = .integer(interval) }
            return format.response(members, status: status)
        case .api:
            var all = HTTPFields.unstored
            for field in headers { all.append(field) }
            return Response(
                status: status, contentType: GitHubAPICall.contentType, headers: all,
                body: JSONValue.object([
                    "message": .string(message), "documentation_url": .string(Self.documentation + page),
                    "status": .string(String(status.code)),
                ]).serializedBytes())
        }
    }
}

extension GitHubError {
    /// Creates the error for a failure that is not one of GitHub's own.
    init(_ failure: EndpointFailure, at surface: Surface) {
        func error(_ code: String, _ message: String, _ status: HTTPResponse.Status) -> GitHubError {
            GitHubError(surface: surface, code: code, message: message, page: surface == .api ? "/rest" : "", status: status)
        }
        switch failure {
        case .injected(let fault):
            let spelled = fault.spelledByOAuth
            self = error(spelled.code, spelled.description, spelled.status)
        case .form(let fault): self = error("invalid_request", fault.explanation, fault == .tooLarge ? .contentTooLarge : .badRequest)
        case .removed(let refusal):
            self =
                switch (surface, refusal) {
                case (.oauth, .client): .incorrectCredentials
                case (.oauth, .provider), (.oauth, .person), (.oauth, .access): .badVerificationCode
                case (.api, _): .badCredentials
                }
        case .unexpected(let cause):
            let isFull = FullStorage.isCause(of: cause)
            self = error(
                "server_error", isFull ? FullStorage.message(for: cause) : "Server Error",
                isFull ? .insufficientStorage : .internalServerError)
        }
    }
}
