package import Federation
package import GatewayFace
package import Seeds

/// How the services of a sandbox behave where that can be set.
package struct ServiceRules: Sendable {
    let dialect: Dialect
    let admitsForeignPages: Bool
    let servesDenied: Bool
    let regions: RegionRule?
    let keyService: String?
    let gateway: GatewayRules?

    /// - Parameters:
    ///   - dialect: the real service to imitate where they differ.
    ///   - admitsForeignPages: whether pages of any origin may sign requests with well-known keys.
    ///   - servesDenied: whether requests that policies deny are allowed and reported.
    ///   - regions: whether S3 compares regions; `nil` if the host decides.
    ///   - keyService: the URL of the KMS that S3 uses. With `nil`, S3 uses the KMS that is forwarded; without one, it accepts any key name.
    ///   - gateway: how calls of other services are forwarded; `nil` if none is.
    package init(
        dialect: Dialect = .aws, admitsForeignPages: Bool = false, servesDenied: Bool = false, regions: RegionRule? = nil,
        keyService: String? = nil, gateway: GatewayRules? = nil
    ) {
        self.dialect = dialect
        self.admitsForeignPages = admitsForeignPages
        self.servesDenied = servesDenied
        self.regions = regions
        self.keyService = keyService
        self.gateway = gateway
    }
}
