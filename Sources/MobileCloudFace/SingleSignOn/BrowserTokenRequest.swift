import Cloud
import Directory
import WireFormats

/// What a browser asks for: a token for the app whose client the URL names, shown, read by an SDK, or posted to the app's own page.
struct BrowserTokenRequest {
    var backend: MobileBackend
    var realm: Realm
    var provider: SignOnProvider
    /// Where the token is posted to; absent where it is shown.
    var redirectURI: RedirectURI?
    /// What the app gets back with it.
    var state: String?
    /// Whether an SDK reads the page.
    var wantsJSON: Bool

    /// - Throws: ``MobileError`` for whatever nobody is sent to a login for.
    init(_ fields: FormFields, of call: MobileCall) throws(MobileError) {
        // Two readers of one URL must not take it for two requests.
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
    /// *Enable Single Sign-On* stands under OAuth Consumer and goes with it; a backend for Facebook is for nothing else.
    var allowsBrowserSignOn: Bool { allowsSingleSignOn && allowsOAuth && facebook == nil }
}
