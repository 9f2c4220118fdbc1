import Cloud
import Directory
import Federation
import WireFormats

/// The external issuers whose JWTs are exchanged: the value of the environment policy `Security_AuthTokenConfiguration`.
/// (Using Oracle Mobile Cloud Service, "JWT Tokens and Virtual Users", configuration reference.)
struct AuthTokenConfiguration: Sendable {
    static let policy = "Security_AuthTokenConfiguration"

    /// How long the policy is cached.
    private(set) var policyReload = ReloadInterval(least: 10, most: 120)
    /// How long the certificates are cached.
    private(set) var certificatesReload = ReloadInterval(least: 10, most: 300)
    private var issuers: TextDictionary<Result<TrustedIssuer, ConfigurationFault>> = [:]
    /// The faults that do not belong to a single named issuer.
    private(set) var faults: [ConfigurationFault] = []

    /// The reason why an issuer's tokens are rejected.
    enum Refusal: Error {
        case notConfigured
        case malformed(ConfigurationFault)
    }

    /// - Parameter policy: the policy's value, if it has one.
    init(parsing policy: String?) {
        guard let policy else { return }
        do throws(ConfigurationFault) {
            let root: ConfigurationReader
            do {
                root = try ConfigurationReader(JSONValue(parsing: policy), place: "")
            } catch {
                throw ConfigurationFault(place: Self.policy, expected: "a JSON object")
            }
            try read(root)
        } catch {
            // An unreadable configuration is ignored completely: both issuers and intervals.
            self = Self(parsing: nil)
            faults = [error]
        }
    }

    private mutating func read(_ root: ConfigurationReader) throws(ConfigurationFault) {
        policyReload = try ReloadInterval(
            root, least: "policyMinReloadInterval", most: "policyMaxReloadInterval", or: policyReload)
        certificatesReload = try ReloadInterval(
            root, least: "certificatesMinReloadInterval", most: "certificatesMaxReloadInterval", or: certificatesReload)
        guard let elements = try root.list("issuers") else { throw root.fault("issuers", "a list of issuers") }
        for (index, element) in elements.enumerated() {
            let place = "issuers[\(index)]"
            let name: String
            let reader: ConfigurationReader
            do throws(ConfigurationFault) {
                reader = try ConfigurationReader(element, place: place)
                guard let text = try reader.text("issuerName") else { throw reader.fault("issuerName", "a string") }
                name = text
            } catch {
                faults.append(error)
                continue
            }
            guard issuers[name] == nil else {
                // It is unknown which of the two is meant.
                issuers[name] = .failure(reader.fault("issuerName", "no other issuer's name"))
                continue
            }
            issuers[name] = Result { () throws(ConfigurationFault) in try TrustedIssuer(reader, name: name) }
        }
    }

    /// Returns whether the configuration has no entry for an issuer.
    func lacks(_ name: String, directory: Directory, names: HostNames) -> Bool { entry(name, directory, names) == nil }

    /// Returns the issuer that a token's `iss` names. Every spelling of the name of one of our own issuers is accepted.
    func issuer(_ name: String, directory: Directory, names: HostNames) throws(Refusal) -> TrustedIssuer {
        switch entry(name, directory, names) {
        case .success(let issuer): return issuer
        case .failure(let fault): throw .malformed(fault)
        case nil: throw .notConfigured
        }
    }

    private func entry(_ name: String, _ directory: Directory, _ names: HostNames) -> Result<TrustedIssuer, ConfigurationFault>? {
        if let entry = issuers[name] { return entry }
        guard let provider = directory.provider(issuer: name, names: names) else { return nil }
        return issuers.first { directory.provider(issuer: $0.key, names: names)?.name == provider.name }?.value
    }
}
