import Calls
import HTTPTypes
import WireFormats

/// The value of the policy `Security_AuthTokenConfiguration`, for which the service had no form.
struct JWTConfiguration {
    static let policy = "Security_AuthTokenConfiguration"

    /// The reload intervals of the root object, with their defaults in seconds.
    static let intervals: [(name: String, value: Int64, meaning: String)] = [
        ("policyMinReloadInterval", 10, "An unknown issuer reloads the policy, but not more often than this."),
        ("policyMaxReloadInterval", 120, "The policy is reloaded when it is older."),
        ("certificatesMinReloadInterval", 10, "A missing certificate reloads the certificates, but not more often than this."),
        ("certificatesMaxReloadInterval", 300, "The certificates are reloaded when they are older."),
    ]

    /// The text of the policy; `nil` if it has no value.
    let text: String?
    /// The object; `nil` if the text is none.
    let root: JSONObject?

    init(_ text: String?) {
        self.text = text
        root = text.map { (try? JSONValue(parsing: $0))?.objectValue } ?? [:]
    }

    var issuers: [JSONValue] { root?["issuers"]?.arrayValue ?? [] }

    /// Saves the configuration on one line.
    /// - Throws: ``FormRefusal`` if the relay would reject it.
    static func save(_ root: JSONObject, _ site: MobileSite) async throws {
        let check = JWTConfigurationCheck(.object(root))
        guard check.faults.isEmpty else { throw FormRefusal(code: "malformed_configuration", faults: check.faults) }
        try await site.change(.put, "policies/\(policy)", ["value": .string(JSONValue.object(root).serialized())])
    }
}
