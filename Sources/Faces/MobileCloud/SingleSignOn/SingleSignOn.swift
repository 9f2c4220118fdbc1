import Calls
import Federation
import HTTPTypes
import WireFormats

/// The requests below `/mobile/platform/sso/`: the token relay for tokens that a request presents, and browser single sign-on. For the
/// latter the relay is a relying party of the realm's identity provider. (Using Oracle Mobile Cloud Service, "Authentication in MCS",
/// "Enterprise Single Sign-On".)
struct SingleSignOn {
    let call: MobileCall

    /// The path of tokens for browsers. The documentation names ``exchangePath`` for them, the SDKs call this one.
    static let tokenPath = "/mobile/platform/sso/token"
    static let exchangePath = "/mobile/platform/sso/exchange-token"
    /// The path to which OpenID Connect providers redirect browsers.
    static let redirectPath = "/mobile/platform/sso/redirect"
    /// The path to which browsers post the responses of SAML identity providers.
    static let consumerPath = "/mobile/platform/sso/redirect/saml"

    func respond() async throws -> Response {
        let path = Array(call.path.dropFirst(3))
        switch path {
        case ["token"], ["exchange-token"], ["redirect"], ["redirect", "saml", "metadata"]:
            guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
        case ["redirect", "saml"]:
            guard call.method == .get || call.method == .post else { throw MobileError.methodNotAllowed(.get, .post) }
        default: throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        return switch (path.first, path.count) {
        case ("redirect", 1): try await shown { try await redirect() }
        case ("redirect", 2): try await shown { try await consumer() }
        case ("redirect", _): try await metadata()
        default: try await token()
        }
    }

    /// Handles both uses of the URL: a request with a bearer token exchanges it, a browser names its client.
    private func token() async throws -> Response {
        guard call.query["clientID"] != nil, !presentsBearerToken else { return try await AssertionExchange(call: call).respond() }
        return try await shown {
            try await call.enter("ssoToken")
            return try await BrowserSignOn(call: call).token()
        }
    }

    private var presentsBearerToken: Bool {
        let scheme = call.http.headers.value(of: .authorization)?.prefix { $0 != " " }
        return scheme?.lowercased() == "bearer"
    }

    private func redirect() async throws -> Response {
        try await call.enter("ssoRedirect")
        guard let answer = call.http.queryFields else {
            throw MobileError(.malformedRequest, "The query is not well-formed.")
        }
        if ["code", "error"].contains(where: { answer[$0] != nil }) {
            return try await OpenIDCallback(call: call, answer: answer).respond()
        }
        return try await BrowserSignOn(call: call).login()
    }

    private func consumer() async throws -> Response {
        try await call.enter("ssoConsume")
        if call.method == .post { return try await AssertionConsumer(call: call).respond() }
        return try await BrowserSignOn(call: call).login(bySAML: true)
    }

    private func metadata() async throws -> Response {
        try await call.enter("ssoMetadata")
        let metadata = try await RelayServiceProvider(call: call).metadata()
        return Response(
            status: .ok, contentType: "application/samlmetadata+xml", headers: [.cacheControl: "no-cache"], body: metadata.serialized())
    }

    /// Returns errors as an HTML page, unless an SDK reads the response and expects JSON.
    private func shown(_ answer: () async throws -> Response) async throws -> Response {
        do {
            return try await answer()
        } catch let error as MobileError where call.query["format"] != "json" {
            call.http.note(errorCode: error.kind.code, message: error.detail)
            return RelayPage.refusal(error, to: call.http)
        }
    }
}
