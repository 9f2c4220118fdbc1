import WireFormats

/// A host of AWS Sign-In: `REGION.signin.aws.amazon.com`, `signin.aws.amazon.com`, or `signin.REGION.amazonaws.com`.
package struct SignInHost: Equatable {
    /// The region; `nil` for a host without one.
    package let region: String?

    /// The domain of the hosts for browsers and for CreateOAuth2Token.
    package static let domain = "signin.aws.amazon.com"

    /// - Returns: `nil` for other hosts.
    /// - Parameter host: lower case, without port.
    package init?(_ host: String) {
        if host == Self.domain {
            region = nil
        } else if host.hasSuffix("." + Self.domain) {
            let label = host.dropLast(Self.domain.utf8.count + 1)
            guard !label.utf8.contains(UInt8(ascii: ".")) else { return nil }
            region = String(label)
        } else if let labels = ServiceHost(host)?.labels, labels.count == 2, labels[0] == "signin" {
            region = String(labels[1])
        } else {
            return nil
        }
    }
}
