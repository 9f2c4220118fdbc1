import Calls
import Federation
import HTTPTypes
import WireFormats

/// The value of the policy `Security_AuthTokenConfiguration`, for which the service had no form.
struct JWTConfiguration {
    static let policy = AuthTokenConfiguration.policy

    private static let usual = AuthTokenConfiguration()

    /// The reload intervals of the root object, with their defaults in seconds.
    static let intervals: [(name: String, value: Int, meaning: String)] = [
        ("policyMinReloadInterval", usual.policyReload.least, "An unknown issuer reloads the policy, but not more often than this."),
        ("policyMaxReloadInterval", usual.policyReload.most, "The policy is reloaded when it is older."),
        (
            "certificatesMinReloadInterval", usual.certificatesReload.least,
            "A missing certificate reloads the certificates, but not more often than this."
        ),
        ("certificatesMaxReloadInterval", usual.certificatesReload.most, "The certificates are reloaded when they are older."),
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
        let faults = JWTFindings(root).faults
        guard faults.isEmpty else { throw FormRefusal(code: "malformed_configuration", faults: faults) }
        try await site.change(.put, "policies/\(policy)", ["value": .string(JSONValue.object(root).serialized())])
    }
}
