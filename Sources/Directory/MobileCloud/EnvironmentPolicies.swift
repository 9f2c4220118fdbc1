/// The environment policies: named values with the defaults that the service ships.
package struct EnvironmentPolicies: Hashable, Sendable, Codable {
    /// What was set, and what was taken away from the defaults (then nothing is the value), by name.
    private var changes: [String: String?] = [:]

    package init() {}

    /// What the service ships. (The policies of system version 18.2.3, as exported.)
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

    /// The value of a policy; setting nothing removes it, its default included.
    package subscript(name: String) -> String? {
        get { changes[name] ?? Self.defaults[name] }
        set { changes[name] = .some(newValue) }
    }

    /// Whether tokens of issuers elsewhere must say whom they are for, which the service does not ask; a policy of our own.
    package var requiresTokenAudience: Bool { self["Virga_RequireTokenAudience"] == "true" }

    /// Takes over what was set and removed in others.
    mutating func add(_ other: EnvironmentPolicies) { changes.merge(other.changes) { $1 } }

    /// All that have a value, by name.
    package var all: [(name: String, value: String)] {
        Set(Self.defaults.keys).union(changes.keys).sorted().compactMap { name in self[name].map { (name, $0) } }
    }
}
