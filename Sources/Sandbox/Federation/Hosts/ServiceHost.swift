import WireFormats

/// A host name below one of AWS's domains, from which the region follows.
/// (AWS General Reference, "Service endpoints", "Dual-stack endpoints".)
package struct ServiceHost: Equatable {
    /// The domains of AWS's services.
    package static let domains = ["amazonaws.com", "amazonaws.com.cn", "api.aws"]

    /// The labels before the domain, such as `s3` and `eu-west-1`.
    package let labels: [Substring]
    /// The domain after the service's name, such as `amazonaws.com`.
    package let domain: String

    /// Splits a host name; `nil` for one that is not AWS's.
    /// - Parameter host: lower case, without port.
    package init?(_ host: String) {
        // Rejects addresses and `localhost` early, because most clients use them.
        guard let last = host.utf8.last, last == UInt8(ascii: "m") || last == UInt8(ascii: "n") || last == UInt8(ascii: "s"),
            let domain = Self.domains.first(where: { host.hasSuffix("." + $0) })
        else { return nil }
        self.domain = domain
        labels = host.dropLast(domain.utf8.count + 1).split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Returns the region of a host of STS or IAM; `nil` for hosts of other services and hosts without a region.
    /// (AWS General Reference, "AWS Security Token Service endpoints", "AWS Identity and Access Management endpoints": the global ones
    /// belong to us-east-1.)
    package func region(of service: String) -> Substring? {
        guard let first = labels.first, first == service || first == "\(service)-fips" else { return nil }
        switch labels.count {
        case 1 where domain == "amazonaws.com": return "us-east-1"
        case 2 where service == "iam": return labels[1] == "global" && domain == "api.aws" ? "us-east-1" : nil
        case 2: return labels[1]
        default: return nil
        }
    }

    /// The kind of an S3 endpoint.
    package enum S3Endpoint: Equatable {
        /// A regional endpoint.
        case region(String)
        /// A global endpoint: the bucket's own region where the host names the bucket, and the home region otherwise.
        case global(home: String)
    }

    /// The S3 endpoint of the host; `nil` for hosts of other services. (AWS General Reference, "Amazon S3 endpoints and quotas".)
    package var s3Endpoint: S3Endpoint? {
        let home = domain == "amazonaws.com.cn" ? "cn-north-1" : "us-east-1"
        guard let index = labels.lastIndex(where: { $0 == "s3" || $0.hasPrefix("s3-") }) else { return nil }
        let rest = labels[(index + 1)...].filter { $0 != "dualstack" }
        switch labels[index] {
        case "s3", "s3-fips": return rest.first.map { S3Endpoint.region(String($0)) } ?? S3Endpoint.global(home: home)
        case "s3-accelerate": return .global(home: home)
        case "s3-external-1": return .region("us-east-1")
        // The older form of the first regions: `s3-eu-west-1`.
        case let label where rest.isEmpty && AWSRegion.isKnown(String(label.dropFirst(3))):
            return .region(String(label.dropFirst(3)))
        default: return nil
        }
    }

    /// Returns the S3 host of a region for redirects; the first regions have an older form.
    package static func s3(in region: String) -> String {
        if region == "us-east-1" { return "s3.amazonaws.com" }
        if AWSRegion.isOld(region) { return "s3-\(region).amazonaws.com" }
        return "s3.\(region).amazonaws.com\(region.hasPrefix("cn-") ? ".cn" : "")"
    }
}
