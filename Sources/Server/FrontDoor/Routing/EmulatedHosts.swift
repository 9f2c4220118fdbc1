import Directory
import Federation
import WireFormats

/// The host names of real services for which this process responds.
enum EmulatedHosts {
    /// The hosts of the social providers, with the name of the provider here.
    static let identityProviders = [String: String](
        uniqueKeysWithValues: IdentityProvider.Kind.allCases.flatMap { kind in kind.descriptor.hosts.map { ($0, kind.rawValue) } })

    /// The domains of all Amazon services.
    static let amazonSuffixes = ServiceHost.domains

    /// The domain of the access portals of IAM Identity Center.
    private static let portals = "awsapps.com"

    /// The domain of all Alibaba Cloud services.
    static let alibabaSuffix = "aliyuncs.com"

    /// The names for a certificate that covers all of them, as far as wildcards allow.
    static let names: [String] =
        identityProviders.keys.sorted()
        + (amazonSuffixes + [portals, alibabaSuffix, OutboundIssuer.domain, SignInHost.domain]).flatMap { ["*.\($0)"] }
        + [SignInHost.domain, "*.auth.us-east-1.\(UserPoolDomain.suffix)"]
        + amazonSuffixes.flatMap { ["*.s3.\($0)", "*.us-east-1.\($0)", "*.s3.us-east-1.\($0)"] }

    /// Returns whether `host` is the name of a real service that this process emulates.
    static func contains(_ host: String) -> Bool {
        identityProviders[host] != nil || SignInHost(host) != nil
            || (amazonSuffixes + [portals, alibabaSuffix, OutboundIssuer.domain, UserPoolDomain.suffix]).contains {
                host.hasSuffix(".\($0)")
            }
    }
}

extension HostNames {
    /// Returns whether this process may present a TLS certificate for `host`.
    func serves(_ host: String) -> Bool {
        contains(host) || base(of: host) != nil || EmulatedHosts.contains(host) || sandboxHost(host) != nil
    }
}
