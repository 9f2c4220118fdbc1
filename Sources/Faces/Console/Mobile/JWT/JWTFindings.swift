import Federation
import WireFormats

/// What the relay says about a configuration of JWT issuers: each fault with its place, and what it accepts but matches nothing with.
struct JWTFindings {
    /// The relay rejects the tokens of an issuer with a fault.
    private(set) var faults: [FormRefusal.Fault]
    /// What the relay accepts, although it matches nothing or has no effect.
    private(set) var warnings: [FormRefusal.Fault]

    /// - Parameter root: the configuration.
    init(_ root: JSONObject) {
        let configuration = AuthTokenConfiguration(.object(root))
        faults = configuration.allFaults.map { .init(place: $0.place, text: "must be \($0.expected).") }
        warnings = configuration.warnings.map { .init(place: $0.place, text: $0.text) }
    }

    /// Returns what concerns one issuer.
    func only(_ place: String) -> JWTFindings {
        var findings = self
        func isThere(_ fault: FormRefusal.Fault) -> Bool { fault.place == place || fault.place.hasPrefix("\(place).") }
        findings.faults = faults.filter(isThere)
        findings.warnings = warnings.filter(isThere)
        return findings
    }
}
