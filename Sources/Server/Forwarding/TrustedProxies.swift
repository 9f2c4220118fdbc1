import Calls
import HTTPTypes
import NIOCore
import Policy
import WireFormats

/// The proxies that may say for which client they forward a request.
///
/// The headers of all other peers are ignored, so that no client can claim another address, scheme or host.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// The error for a text that is neither an IP address nor a range in CIDR notation.
    package struct InvalidRange: Error {
        /// The text.
        package var text: String
    }

    /// - Parameter texts: IP addresses, or ranges in CIDR notation such as `10.0.0.0/8`.
    package init(_ texts: [String]) throws(InvalidRange) {
        var ranges: [AddressRange] = []
        for text in texts {
            guard let range = AddressRange(text), !text.contains("+"), range.isCanonical else { throw InvalidRange(text: text) }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// Returns whether a peer is one of the proxies.
    func contains(_ peer: SocketAddress?) -> Bool {
        guard let address = peer?.ipAddress else { return false }
        return contains(address)
    }

    private func contains(_ address: String) -> Bool {
        guard let bytes = AddressRange.requestAddress(address) else { return false }
        return ranges.contains { $0.contains(bytes) }
    }

    /// What is known of the client of a request.
    struct Client {
        /// The address; `nil` if it is unknown.
        var address: SocketAddress?
        /// Whether it used TLS.
        var isSecure: Bool
        /// The `host[:port]` that it addressed.
        var authority: String
        /// Whether the headers leave open which address it has: they name none, or different ones.
        var isUnknown = false
    }

    /// Returns the client of a request that one of the proxies has sent, as its headers describe it.
    ///
    /// The rightmost address that is not one of the proxies is the client. What is left of it, or of an address that is unknown or malformed,
    /// is not believed, because the client itself may have sent it. Scheme and host are those that the outermost proxy reports. `X-Forwarded-…`
    /// wins over `Forwarded`: most proxies set the former and pass the latter on as the client sent it.
    /// - Parameters:
    ///   - peer: the proxy.
    ///   - isSecure: whether the proxy used TLS.
    func client(of request: Request, peer: SocketAddress?, isSecure: Bool) -> Client {
        var client = Client(address: peer, isSecure: isSecure, authority: request.authority)
        let (legacy, standard) = (ForwardedHop.legacy(in: request.headers), ForwardedHop.standard(in: request.headers))
        guard let hops = legacy ?? standard else {
            client.isUnknown = request.headers.contains(.forwarded)
            if client.isUnknown { client.address = nil }
            return client
        }
        let reported = self.client(behind: hops)
        client.isUnknown = reported.isUnknown
        if legacy != nil, request.headers.contains(.forwarded) {
            // Only one of the two headers is the proxy's own.
            let other = standard.map { self.client(behind: $0) }
            client.isUnknown = reported.isUnknown || other?.isUnknown ?? true || other?.address?.ipAddress != reported.address?.ipAddress
        }
        client.address = client.isUnknown ? nil : reported.address
        guard let outermost = reported.outermost else { return client }
        client.isSecure = outermost.isSecure ?? isSecure
        if let host = outermost.host { client.authority = host }
        // Proxies that pass the host without its port report the port.
        if let port = outermost.port, port != (client.isSecure ? 443 : 80), !ForwardedHop.hasPort(client.authority) {
            client.authority += ":\(port)"
        }
        return client
    }

    /// Returns the rightmost address that is not one of the proxies, or the leftmost if all are. The client is unknown if the address before
    /// that of a proxy is missing or malformed. With it comes what the outermost believed proxy reports.
    private func client(behind hops: [ForwardedHop]) -> (address: SocketAddress?, isUnknown: Bool, outermost: ForwardedHop?) {
        var (address, outermost): (SocketAddress?, ForwardedHop?)
        for hop in hops.reversed() {
            outermost = hop
            guard let next = Self.address(hop) else { return (address, true, hop) }
            address = next
            guard contains(next) else { break }
        }
        return (address, address == nil, outermost)
    }

    private static func address(_ hop: ForwardedHop) -> SocketAddress? {
        hop.node.flatMap { try? SocketAddress(ipAddress: $0.address, port: $0.port ?? 0) }
    }
}
