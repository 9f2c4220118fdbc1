package import Directory
package import WireFormats

/// The external issuers whose JWTs are exchanged: the value of the environment policy `Security_AuthTokenConfiguration`.
/// (Using Oracle Mobile Cloud Service, "JWT Tokens and Virtual Users", configuration reference.)
package struct AuthTokenConfiguration: Sendable {
    /// The name of the policy.
    package static let policy = "Security_AuthTokenConfiguration"

    /// How long the policy is cached.
    package private(set) var policyReload = ReloadInterval(least: 10, most: 120)
    /// How long the certificates are cached.
    package private(set) var certificatesReload = ReloadInterval(least: 10, most: 300)
    private var issuers: TextDictionary<Result<TrustedIssuer, ConfigurationFault>> = [:]
    /// The faults that do not belong to a single named issuer.
    package private(set) var faults: [ConfigurationFault] = []
    /// Every fault, in the order in which the configuration is read. The tokens of an issuer are rejected with its first one.
    package private(set) var allFaults: [ConfigurationFault] = []
    /// What is accepted, although it matches nothing or has no effect.
    package private(set) var warnings: [ConfigurationWarning] = []

    /// The reason why an issuer's tokens are rejected.
    package enum Refusal: Error {
        case notConfigured
        case malformed(ConfigurationFault)
    }

    /// The configuration of an environment without the policy.
    package init() {}

    /// - Parameter policy: the policy's value, if it has one.
    package init(parsing policy: String?) {
        self.init()
        guard let policy else { return }
        self.init((try? JSONValue(parsing: policy)) ?? .null)
    }

    /// - Parameter policy: the parsed value of the policy.
    package init(_ policy: JSONValue) {
        self.init()
        let findings = ConfigurationFindings()
        if let members = policy.objectValue, let root = ConfigurationReader(.object(members), place: "", findings) {
            read(root)
        } else {
            faults = [ConfigurationFault(place: Self.policy, expected: "a JSON object")]
            findings.faults = faults
        }
        (allFaults, warnings) = (findings.faults, findings.warnings)
    }

    private mutating func read(_ root: ConfigurationReader) {
        var read = self
        read.policyReload = ReloadInterval(
            root, least: "policyMinReloadInterval", most: "policyMaxReloadInterval", or: policyReload)
        read.certificatesReload = ReloadInterval(
            root, least: "certificatesMinReloadInterval", most: "certificatesMaxReloadInterval", or: certificatesReload)
        let elements = root.required("issuers", "a list of issuers", root.list) ?? []
        let faultsOfRoot = root.findings.faults
        for (index, element) in elements.enumerated() { read.add(element, place: "issuers[\(index)]", root.findings) }
        // An unreadable configuration is ignored completely: both issuers and intervals.
        if faultsOfRoot.isEmpty { self = read } else { faults = faultsOfRoot }
    }

    /// Adds an issuer. If it has no name, its faults are those of the configuration.
    private mutating func add(_ element: JSONValue, place: String, _ findings: ConfigurationFindings) {
        let before = findings.faults.count
        guard let reader = ConfigurationReader(element, place: place, findings) else {
            faults += findings.faults[before...].prefix(1)
            return
        }
        let name = reader.required("issuerName", "a string", reader.text)
        let isRepeated = name.map { issuers[$0] != nil } ?? false
        // It is unknown which of the two is meant.
        if isRepeated { reader.fault("issuerName", "no other issuer's name") }
        let issuer = TrustedIssuer(reader, name: name ?? "")
        let fault = findings.faults[before...].first
        guard let name else {
            faults += [fault].compactMap(\.self)
            return
        }
        issuers[name] = fault.map { .failure($0) } ?? .success(issuer)
    }

    /// Returns whether the configuration has no entry for an issuer.
    package func lacks(_ name: String, directory: Directory, names: HostNames) -> Bool { entry(name, directory, names) == nil }

    /// Returns the issuer that a token's `iss` names. Every spelling of the name of one of our own issuers is accepted.
    package func issuer(_ name: String, directory: Directory, names: HostNames) throws(Refusal) -> TrustedIssuer {
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
