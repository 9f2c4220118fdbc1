import Directory
import WireFormats

extension UserPoolClient.OAuth {
    /// Reads the settings for hosted pages that a call gives; those that it omits are empty.
    init(_ input: inout UserPoolInput) throws(UserPoolError) {
        self.init()
        isEnabled = try input.flag("AllowedOAuthFlowsUserPoolClient") ?? false
        // In the order in which the service lists them.
        let names = ["implicit", "client_credentials", "code"]
        flows = try input.texts("AllowedOAuthFlows", of: names)?.compactMap { Flow(rawValue: $0) } ?? []
        scopes = try input.texts("AllowedOAuthScopes") ?? []
        callbackURLs = try input.texts("CallbackURLs") ?? []
        logoutURLs = try input.texts("LogoutURLs") ?? []
        defaultRedirectURI = try input.text("DefaultRedirectURI", length: 1...1024)
        providers = try input.texts("SupportedIdentityProviders") ?? []
    }

    /// The members of a client's document. Empty settings are left out, except whether the grants are on.
    var members: JSONObject {
        var members: JSONObject = ["AllowedOAuthFlowsUserPoolClient": .bool(isEnabled)]
        if !providers.isEmpty { members["SupportedIdentityProviders"] = .array(providers.map { .string($0) }) }
        if !callbackURLs.isEmpty { members["CallbackURLs"] = .array(callbackURLs.map { .string($0) }) }
        if !logoutURLs.isEmpty { members["LogoutURLs"] = .array(logoutURLs.map { .string($0) }) }
        if let defaultRedirectURI { members["DefaultRedirectURI"] = .string(defaultRedirectURI) }
        if !flows.isEmpty { members["AllowedOAuthFlows"] = .array(flows.map { .string($0.rawValue) }) }
        if !scopes.isEmpty { members["AllowedOAuthScopes"] = .array(scopes.map { .string($0) }) }
        return members
    }
}
