import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A range of IP addresses in CIDR notation. Without a prefix length it is a single address.
package struct AddressRange: Hashable, Sendable {
    let network: [UInt8]
    let prefixLength: Int

    /// Parses `203.0.113.0/24`, `2001:db8::/32` or a single address; nil for anything else. The length may have a plus sign and leading
    /// zeros (from public records of AWS).
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let network = Self.address(String(parts[0])) else { return nil }
        var prefixLength = network.count * 8
        if parts.count == 2 {
            let digits = parts[1].hasPrefix("+") ? parts[1].dropFirst() : parts[1]
            guard let length = Int(digits: digits), length <= prefixLength else { return nil }
            prefixLength = length
        }
        self.network = network
        self.prefixLength = prefixLength
    }

    /// Whether no bit after the prefix is set.
    package var isCanonical: Bool {
        network.indices.allSatisfy { index in
            let significant = min(max(prefixLength - 8 * index, 0), 8)
            return network[index] & ~UInt8(truncatingIfNeeded: 0xFF00 >> significant) == 0
        }
    }

    /// Returns whether the address is in the range. Host bits of an IPv4 network are ignored; an IPv6 network with host bits contains
    /// nothing.
    package func contains(_ address: [UInt8]) -> Bool {
        guard address.count == network.count else { return false }
        for index in network.indices {
            let significant = min(max(prefixLength - 8 * index, 0), 8)
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> significant)
            if network.count == 16, network[index] & ~mask != 0 { return false }
            if (network[index] ^ address[index]) & mask != 0 { return false }
        }
        return true
    }

    /// Returns the bytes of the address of a request. An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) counts as IPv4.
    package static func requestAddress(_ text: String) -> [UInt8]? {
        guard let bytes = address(text) else { return nil }
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes[12...]) : bytes
    }

    /// Returns the four or sixteen bytes of an address; nil if the text is not an address. The numbers of an IPv4 address are decimal, with
    /// up to three digits, with or without leading zeros (from public records of AWS).
    static func address(_ text: String) -> [UInt8]? {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        if numbers.count == 4, numbers[0].utf8.count <= 3 {
            let bytes = numbers.compactMap { number in number.utf8.count <= 3 ? Int(digits: number).flatMap(UInt8.init(exactly:)) : nil }
            return bytes.count == 4 ? bytes : nil
        }
        // A zero byte would end the string for the C library.
        guard !text.utf8.contains(0) else { return nil }
        for (family, length) in [(AF_INET, 4), (AF_INET6, 16)] {
            let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                count = inet_pton(family, text, buffer.baseAddress) == 1 ? length : 0
            }
            if !bytes.isEmpty { return bytes }
        }
        return nil
    }
}
