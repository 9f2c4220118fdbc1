import WireFormats

/// The environment policies: named values with the defaults that the service ships.
package struct EnvironmentPolicies: Hashable, Sendable, Codable {
    /// Changes to the defaults, by name. A policy that was removed has the value `nil`.
    private var changes: [String: String?] = [:]

    package init() {}

    /// The defaults of the service. (The policies of system version 18.2.3, as exported.)
    package static let defaults: [String: String] = [
        "Database_CreateTablesPolicy": "explicitOnly", "Database_MaxRows": "1000",
        "Diagnostics_ExcludedHttpHeadersInLogs": "Authorization, Cookie, Oracle-Mobile-Social-Access-Token",
        "Network_HttpConnectTimeout": "20000", "Network_HttpReadTimeout": "20000", "Network_HttpRequestTimeout": "40000",
        "Routing_DefaultImplementation": "system/MockService(1.0)", "Security_AllowOrigin": "disallow", "Security_ExposeHeaders": "",
        "Security_IdentityProviders":
            #"[{"identityProviderName":"facebook","properties":{"graphApiUrl":"https://graph.facebook.com/v2.5/"}}]"#,
        "Security_IgnoreHostnameVerification": "false", "Security_TokenExchangeTimeoutSecs": "21600",
        "User_DefaultUserRealm": "Default(1.0)",
    ]

    /// The value of a policy. Setting `nil` removes the policy, even if it has a default.
    package subscript(name: String) -> String? {
        get { changes[name] ?? Self.defaults[name] }
        set { changes[name] = .some(newValue) }
    }

    /// Whether tokens of external issuers must have an audience. The service does not require one; this policy exists only in Virga.
    package var requiresTokenAudience: Bool { self["Virga_RequireTokenAudience"] == "true" }

    /// Merges the changes of other policies; they take precedence.
    mutating func add(_ other: EnvironmentPolicies) { changes.merge(other.changes) { $1 } }

    /// All policies that have a value, by name.
    package var all: [(name: String, value: String)] {
        Set(Self.defaults.keys).union(changes.keys).sorted().compactMap { name in self[name].map { (name, $0) } }
    }
}
