package import HTTPTypes
import WireFormats

/// How a request came to this process.
package enum Forwarding: Sendable {
    /// From a peer that is not a trusted proxy: the peer is the client.
    case direct
    /// From a trusted proxy, which names the client.
    case trusted
    /// From a trusted proxy that does not name the client, or whose headers contradict each other. The client has no address.
    case unknownClient
    /// From a peer that forwards requests without being a trusted proxy. The peer counts as the client, but it may be any machine's.
    case undeclared
}

extension HTTPFields {
    /// Whether a proxy has added one of its headers, or the client pretends so.
    var areForwarded: Bool {
        contains { field in
            let name = field.name.canonicalName
            return name == "forwarded" || name.hasPrefix("x-forwarded-") || Self.clientAddresses.contains(name)
        }
    }

    /// The headers in which some proxies report only the address of the client. They are not believed, from no proxy.
    private static let clientAddresses: Set<String> = [
        "cf-connecting-ip", "fastly-client-ip", "true-client-ip", "x-client-ip", "x-cluster-client-ip", "x-real-ip",
    ]
}

extension HTTPField.Name {
    /// What proxies report, in the standard form. (RFC 7239.)
    package static let forwarded = HTTPField.Name(literal: "Forwarded")
    /// The addresses of the client and of the proxies except the last.
    package static let xForwardedFor = HTTPField.Name(literal: "X-Forwarded-For")
    /// The scheme that the client used.
    package static let xForwardedProto = HTTPField.Name(literal: "X-Forwarded-Proto")
    /// The host that the client addressed.
    package static let xForwardedHost = HTTPField.Name(literal: "X-Forwarded-Host")
    /// The port that the client addressed.
    package static let xForwardedPort = HTTPField.Name(literal: "X-Forwarded-Port")
}
