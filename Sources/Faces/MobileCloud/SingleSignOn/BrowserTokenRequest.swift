import Cloud
import Directory
import WireFormats

/// A browser's request for a token for the app whose client ID is in the URL.
///
/// The token is shown, returned to an SDK, or posted to the app's page.
struct BrowserTokenRequest {
    var backend: MobileBackend
    var realm: Realm
    var provider: SignOnProvider
    /// The URL that the token is posted to; `nil` if it is shown.
    var redirectURI: RedirectURI?
    /// The value that is posted to the app with the token.
    var state: String?
    /// Whether an SDK reads the response.
    var wantsJSON: Bool

    /// - Throws: ``MobileError`` if the request is invalid; the browser is then not sent to a login.
    init(_ fields: FormFields, of call: MobileCall) throws(MobileError) {
        // Repeated parameters are rejected, since two parsers could choose different values.
        for name in ["clientID", "redirect_uri", "format", "state"] where fields.all(named: name).count > 1 {
            throw MobileError(.malformedRequest, "The parameter \(name) is repeated.")
        }
        let mobile = call.mobile
        guard let clientID = fields["clientID"], let backend = mobile.backend(clientID: clientID) else {
            throw MobileError(.unknownBackend, "No mobile backend has the client ID \(fields["clientID"] ?? "").")
        }
        guard let realm = mobile.realms[backend.realm], let provider = realm.signOn else {
            throw MobileError(.singleSignOnNotSetUp, "SSO is not set up for the Oracle Cloud account.")
        }
        guard backend.allowsBrowserSignOn else {
            throw MobileError(.authenticationMethodOff, "Single sign-on is not enabled for the mobile backend \(backend.key).")
        }
        self.backend = backend
        self.realm = realm
        self.provider = provider
        state = fields["state"]
        wantsJSON = fields["format"] == "json"
        redirectURI = try fields["redirect_uri"].map { text throws(MobileError) in
            try RedirectURI(text, listedIn: mobile.environment.policies["Security_SsoRedirectWhitelist"])
        }
    }
}

extension MobileBackend {
    /// Whether single sign-on is enabled.
    /// *Enable Single Sign-On* belongs to OAuth Consumer and requires it. A backend for Facebook has no other logins.
    var allowsBrowserSignOn: Bool { allowsSingleSignOn && allowsOAuth && facebook == nil }
}
