import WireFormats

extension UserPoolIdentityProvider {
    /// Why settings are refused.
    package struct Fault: Error, Equatable {
        /// Whether the service accepts them, and only Virga does not.
        package let isOfVirga: Bool
        /// The text of the service. Texts of which no public report is known are Virga's.
        package let message: String

        init(_ message: String, isOfVirga: Bool = false) { (self.message, self.isOfVirga) = (message, isOfVirga) }
    }

    /// The kinds that Virga serves.
    package static let served: [Kind] = [.facebook, .google, .amazon, .openIDConnect]

    /// The settings that have an effect.
    private static let known: [Kind: [String]] = [
        .facebook: ["client_id", "client_secret", "authorize_scopes", "api_version"],
        .google: ["client_id", "client_secret", "authorize_scopes"], .amazon: ["client_id", "client_secret", "authorize_scopes"],
        .openIDConnect: [
            "client_id", "client_secret", "authorize_scopes", "oidc_issuer", "attributes_request_method", "authorize_url", "token_url",
            "attributes_url", "jwks_uri",
        ],
    ]

    /// Checks the settings.
    package func check() throws(Fault) {
        guard Self.served.contains(kind), let known = Self.known[kind] else {
            throw Fault("identity providers of the type \(kind.rawValue)", isOfVirga: true)
        }
        guard kind == .openIDConnect || name == kind.rawValue else { throw Fault("Provider \(name) cannot be of type \(kind.rawValue).") }
        let isOfAnotherKind = kind == .openIDConnect && Kind.allCases.contains { $0.rawValue == name }
        guard name != UserPoolClient.OAuth.ownProvider, !isOfAnotherKind else {
            throw Fault("Provider \(name) cannot be of type \(kind.rawValue).")
        }
        if let other = details.first(where: { !known.contains($0.name) }) {
            throw Fault("the provider detail \(other.name)", isOfVirga: true)
        }
        var needed = ["client_id", "authorize_scopes"]
        if kind == .openIDConnect { needed += ["oidc_issuer", "attributes_request_method"] } else { needed.append("client_secret") }
        if let missing = needed.first(where: { self[$0] == nil }) { throw Fault("\(missing) is required for the provider \(name).") }
        // The endpoints of an issuer are those of its discovery document.
        if let given = ["authorize_url", "token_url", "attributes_url", "jwks_uri"].first(where: { self[$0] != nil }) {
            throw Fault("the provider detail \(given) beside oidc_issuer", isOfVirga: true)
        }
        switch self["attributes_request_method"] {
        case nil, "GET": break
        case "POST": throw Fault("attributes_request_method POST", isOfVirga: true)
        default: throw Fault("attributes_request_method must be GET or POST.")
        }
        guard identifiers.count <= 50 else { throw Fault("A provider can have at most 50 identifiers.") }
    }
}
