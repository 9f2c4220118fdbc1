import Cloud
import Directory
import Federation
import WireFormats

/// The service and bucket that a host name means.
enum HostRoute: Equatable {
    /// S3, with the bucket from the labels before the service.
    case s3(bucket: String?)
    /// The website of a bucket.
    case website(bucket: String)
    /// A part of S3 that is not implemented: access points, directory buckets, Object Lambda, Outposts.
    case s3Unavailable
    /// The control plane of S3.
    case s3Control
    /// An AWS service that is not implemented, by its label.
    case absent(service: String)
    case sts
    case iam
    /// OSS, with the bucket from the labels before the service.
    case oss(bucket: String?)
    /// Alibaba Cloud's STS, RAM or IMS. It also handles services that are not implemented, whose API version it rejects.
    case alibabaRPC
    case identityProvider(name: String)
    case outboundIssuer(id: String)
    /// The labels before a name of this process. They may be the name of a bucket or of the machine.
    case maybe(bucket: String)

    /// - Returns: `nil` if the host does not name a service or bucket.
    /// - Parameter host: in lower case, without port.
    init?(_ host: String, names: HostNames) {
        // Most hosts are an IP address or a single label.
        guard let last = host.utf8.last, host.utf8.contains(UInt8(ascii: ".")), !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= last),
            last != UInt8(ascii: "]")
        else { return nil }
        if let provider = EmulatedHosts.identityProviders[host] {
            self = .identityProvider(name: provider)
        } else if let labels = Self.labels(of: host, before: OutboundIssuer.domain), let id = labels.first, labels.count == 1 {
            self = .outboundIssuer(id: String(id))
        } else if let labels = EmulatedHosts.amazonSuffixes.lazy.compactMap({ Self.labels(of: host, before: $0) }).first {
            // `<service>.<region>`, possibly with a label of a resource before it.
            self = Self.service(in: labels) ?? .absent(service: String(labels.count < 3 ? labels[0] : labels[labels.count - 2]))
        } else if let labels = Self.labels(of: host, before: EmulatedHosts.alibabaSuffix) {
            self = Self.alibabaService(in: labels) ?? .alibabaRPC
        } else if let base = names.base(of: host) {
            guard let labels = Self.labels(of: host, before: base) else { return nil }
            // The label of OSS is always last, whatever the name of a bucket before it.
            self = Self.ossService(in: labels) ?? Self.service(in: labels) ?? .maybe(bucket: labels.joined(separator: "."))
        } else {
            return nil
        }
    }

    /// Returns the labels before a suffix; `nil` if `host` is not below it.
    private static func labels(of host: String, before suffix: String) -> [Substring]? {
        guard host.count > suffix.count, host.hasSuffix(suffix) else { return nil }
        let rest = host.dropLast(suffix.count)
        guard rest.last == "." else { return nil }
        return rest.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Returns the service that a label names. The last such label counts, since a bucket name before it may contain dots. (Amazon S3 User
    /// Guide, "Virtual hosting of general purpose buckets", "Website endpoints",
    /// "Dual-stack endpoints", "Transfer Acceleration".)
    private static func service(in labels: [Substring]) -> HostRoute? {
        guard let index = labels.lastIndex(where: { $0 == "s3" || $0.hasPrefix("s3-") || $0.hasPrefix("s3express-") }) else {
            switch labels.first {
            case "sts", "sts-fips": return .sts
            case "iam" where labels.count <= 2: return .iam
            default: return nil
            }
        }
        if labels[index] == "s3-control" || labels[index] == "s3-control-fips" { return .s3Control }
        if unavailable.contains(labels[index]) || labels[index].hasPrefix("s3express-") { return .s3Unavailable }
        let bucket = index == 0 ? nil : labels[..<index].joined(separator: ".")
        if labels[index].hasPrefix("s3-website"), let bucket { return .website(bucket: bucket) }
        return .s3(bucket: bucket)
    }

    /// The labels of endpoints that are not implemented.
    /// (Amazon S3 API Reference, "Access points", "Directory buckets", "S3 Object Lambda", "S3 on Outposts".)
    private static let unavailable: Set<Substring> = [
        "s3-accesspoint", "s3-accesspoint-fips", "s3-global", "s3-object-lambda", "s3-object-lambda-fips", "s3-outposts",
        "s3-outposts-fips",
    ]

    /// Returns the service of `sts[-vpc][.<region>]`, `ram`, `ims` or an OSS name. (Alibaba Cloud OpenAPI, "Endpoints".)
    private static func alibabaService(in labels: [Substring]) -> HostRoute? {
        if let oss = ossService(in: labels) { return oss }
        switch labels.first {
        case "sts" where labels.count <= 2, "sts-vpc" where labels.count <= 2, "ram" where labels.count == 1, "ims" where labels.count == 1:
            return .alibabaRPC
        default: return nil
        }
    }

    /// Returns OSS if the last label is `oss` or `oss-<region>`. A bucket name, which has no dots, may precede it.
    /// (OSS User Guide, "Regions and endpoints".)
    private static func ossService(in labels: [Substring]) -> HostRoute? {
        guard let last = labels.last, labels.count <= 2, last == "oss" || isOSSRegion(last) else { return nil }
        return .oss(bucket: labels.count == 2 ? String(labels[0]) : nil)
    }

    /// Returns whether a label is `oss-cn-hangzhou`, `oss-cn-hangzhou-internal`, `oss-accelerate` or similar.
    private static func isOSSRegion(_ label: Substring) -> Bool {
        guard label.hasPrefix("oss-") else { return false }
        let rest = label.dropFirst(4)
        return rest.hasPrefix("accelerate") || rest.prefix { $0 != "-" }.utf8.count == 2
    }
}

/// The host names of real services for which this process responds.
enum EmulatedHosts {
    /// The hosts of the social providers, with the name of the provider here.
    static let identityProviders = [String: String](
        uniqueKeysWithValues: IdentityProvider.Kind.allCases.flatMap { kind in kind.descriptor.hosts.map { ($0, kind.rawValue) } })

    /// The domains of all Amazon services.
    static let amazonSuffixes = ServiceHost.domains

    /// The domain of all Alibaba Cloud services.
    static let alibabaSuffix = "aliyuncs.com"

    /// The names for a certificate that covers all of them, as far as wildcards allow.
    static let names: [String] =
        identityProviders.keys.sorted()
        + (amazonSuffixes + [alibabaSuffix, OutboundIssuer.domain]).flatMap { ["*.\($0)"] }
        + amazonSuffixes.flatMap { ["*.s3.\($0)", "*.us-east-1.\($0)", "*.s3.us-east-1.\($0)"] }

    /// Returns whether `host` is the name of a real service that this process emulates.
    static func contains(_ host: String) -> Bool {
        identityProviders[host] != nil || (amazonSuffixes + [alibabaSuffix, OutboundIssuer.domain]).contains { host.hasSuffix(".\($0)") }
    }
}

extension HostNames {
    /// Returns whether this process may present a TLS certificate for `host`.
    func serves(_ host: String) -> Bool {
        contains(host) || base(of: host) != nil || EmulatedHosts.contains(host) || sandboxHost(host) != nil
    }
}
