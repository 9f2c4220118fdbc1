import WireFormats

/// A valid authorization request for each provider of the Personal File Store.
enum Requests {
    static let company: FormFields = [
        "client_id": "web-app", "redirect_uri": Visitor.redirectURI, "response_type": "code", "scope": "openid profile",
        "state": "s t&te",
    ]
    static let facebook: FormFields = ["client_id": "1234567890123456", "redirect_uri": Visitor.redirectURI, "state": "s"]
    static let amazon: FormFields = [
        "client_id": "amzn1.application-oa2-client.personalfiles", "redirect_uri": Visitor.redirectURI, "response_type": "code",
        "scope": "profile", "state": "s",
    ]
    static let google: FormFields = [
        "client_id": "1234567890.apps.googleusercontent.com", "redirect_uri": Visitor.redirectURI, "response_type": "code",
        "scope": "openid email profile", "state": "s", "nonce": "n",
    ]
    static let github: FormFields = [
        "client_id": "Ov23liPersonalFiles1", "redirect_uri": Visitor.redirectURI, "scope": "read:user user:email", "state": "s",
    ]

    /// RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
}

extension FormFields {
    mutating func set(_ name: String, _ value: String) {
        fields.removeAll { $0.name == name }
        fields.append(.init(name: name, value: value))
    }

    /// Returns these fields, with `others` in place of those with the same name.
    func with(_ others: FormFields) -> FormFields {
        others.fields.reduce(into: self) { $0.set($1.name, $1.value) }
    }
}
