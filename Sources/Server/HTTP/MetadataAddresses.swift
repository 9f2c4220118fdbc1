import NIOCore
import NIOPosix
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The addresses that requests of this process never reach unless a seed or a flag names their host: link-local ones, and those at which
/// hosting providers serve credentials to the machine.
///
/// Clients name many of the URLs that this process requests, for example callbacks, keys of applications and issuers. (CWE-918.)
enum MetadataAddresses {
    /// Returns whether a socket address is one of them, also as IPv4 inside IPv6.
    static func contains(_ address: SocketAddress) -> Bool {
        switch address {
        case .v4: address.withSockAddr { address, _ in contains(bytes(at: address, isIPv6: false)) }
        case .v6: address.withSockAddr { address, _ in contains(bytes(at: address, isIPv6: true)) }
        case .unixDomainSocket: true
        }
    }

    /// Returns whether an address of 4 or 16 bytes in network order is one of them.
    static func contains(_ address: [UInt8]) -> Bool {
        if address.count == 4 { return blocks4.contains { $0.contains(address) } }
        if blocks6.contains(where: { $0.contains(address) }) { return true }
        guard let embedded = embeddings.first(where: { $0.block.contains(address) }) else { return false }
        return contains(Array(address[embedded.offset..<embedded.offset + 4]))
    }

    /// Returns whether a host has one of these addresses. A name is resolved as the connection would resolve it, so all spellings of an
    /// address count, such as `2852039166` and `0xa9fea9fe`. A host that cannot be resolved has none.
    static func isAddress(of host: String) async -> Bool {
        // Brackets mark IPv6 addresses in URLs.
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        if name == "localhost" { return false }
        if let address = try? SocketAddress(ipAddress: name, port: 0) { return contains(address) }
        let addresses = try? await NIOThreadPool.singleton.runIfActive { resolve(name) }
        return addresses?.contains { contains($0) } ?? false
    }

    /// Returns all addresses of a host name.
    private static func resolve(_ name: String) -> [[UInt8]] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [[UInt8]] = []
        var next = first
        while let info = next?.pointee {
            if let address = info.ai_addr, [AF_INET, AF_INET6].contains(info.ai_family) {
                addresses.append(bytes(at: address, isIPv6: info.ai_family == AF_INET6))
            }
            next = info.ai_next
        }
        return addresses
    }

    /// Returns the address in a `sockaddr_in` or `sockaddr_in6`. All systems have it at the same place.
    private static func bytes(at address: UnsafePointer<sockaddr>, isIPv6: Bool) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + (isIPv6 ? 8 : 4), count: isIPv6 ? 16 : 4))
    }

    /// A range of addresses with a common prefix.
    private struct Block {
        var prefix: [UInt8]
        var bits: Int

        func contains(_ address: [UInt8]) -> Bool {
            for index in 0..<(bits + 7) / 8 {
                let left = bits - 8 * index
                let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
                let expected = index < prefix.count ? prefix[index] : 0
                guard address[index] & mask == expected & mask else { return false }
            }
            return true
        }
    }

    private static let blocks4 = [
        // Link-local (RFC 3927): the metadata services of most providers, and the credentials of containers at AWS.
        Block(prefix: [169, 254], bits: 16),
        // The metadata service of Alibaba Cloud.
        Block(prefix: [100, 100, 100, 200], bits: 32),
        // An earlier metadata service of Oracle Cloud.
        Block(prefix: [192, 0, 0, 192], bits: 32),
        // The host's agent at Azure.
        Block(prefix: [168, 63, 129, 16], bits: 32),
    ]

    private static let blocks6 = [
        // Link-local (RFC 4291 section 2.5.6).
        Block(prefix: [0xFE, 0x80], bits: 10),
        // AWS: fd00:ec2::254, and fd00:ec2::23 for pods.
        Block(prefix: [0xFD, 0x00, 0x0E, 0xC2], bits: 32),
        // Oracle Cloud: fd00:c1::a9fe:a9fe.
        Block(prefix: [0xFD, 0x00, 0x00, 0xC1], bits: 32),
        // Google Cloud: fd20:ce::254.
        Block(prefix: [0xFD, 0x20, 0x00, 0xCE], bits: 32),
        // Scaleway: fd00:42::42.
        Block(prefix: [0xFD, 0x00, 0x00, 0x42], bits: 32),
    ]

    /// The ranges of IPv6 that contain IPv4 addresses, and the offset of these in bytes.
    private static let embeddings = [
        // IPv4-mapped (RFC 4291 section 2.5.5.2).
        (block: Block(prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96), offset: 12),
        // IPv4-compatible (RFC 4291 section 2.5.5.1).
        (block: Block(prefix: [], bits: 96), offset: 12),
        // IPv4-translated (RFC 2765 section 2.1).
        (block: Block(prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96), offset: 12),
        // NAT64 (RFC 6052 section 2.1).
        (block: Block(prefix: [0, 0x64, 0xFF, 0x9B], bits: 96), offset: 12),
        // NAT64 of local networks (RFC 8215), with the IPv4 address at the end.
        (block: Block(prefix: [0, 0x64, 0xFF, 0x9B, 0, 1], bits: 48), offset: 12),
        // 6to4 (RFC 3056 section 2).
        (block: Block(prefix: [0x20, 0x02], bits: 16), offset: 2),
    ]
}
