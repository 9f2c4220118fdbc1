import WireFormats

// Which hosts and addresses are those of the machine itself. Who may use the control API and where the console is shown depend on it.
extension HostNames {
    /// Returns whether a host is a loopback address: one of 127.0.0.0/8, also as an IPv4-mapped address, or `::1`, with or without brackets.
    /// A name with the same beginning, such as `127.example.com`, may belong to any host. (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.)
    package static func isLoopback(_ host: String) -> Bool {
        // Compares bytes for speed, because every request's host is checked; most name this address.
        if host.equals("127.0.0.1") { return true }
        switch host.utf8.first {
        case UInt8(ascii: "1"): return isLoopback4(host.utf8[...])
        case UInt8(ascii: ":"): return isLoopback6(host.utf8[...])
        case UInt8(ascii: "["): return host.utf8.last == UInt8(ascii: "]") && isLoopback6(host.utf8.dropFirst().dropLast())
        default: return false
        }
    }

    /// Returns whether a host is a loopback address or `localhost`.
    package static func isThisMachine(_ host: String) -> Bool { host == "localhost" || isLoopback(host) }

    /// Returns whether browsers look for a host on their own machine, and therefore treat plain HTTP to it as secure: a loopback address,
    /// `localhost` or a name below it. (RFC 6761 section 6.3; Secure Contexts, section 3.1.)
    package static func isBrowsersMachine(_ host: String) -> Bool { isThisMachine(host) || host.hasSuffix(".localhost") }

    private static func isLoopback6(_ address: Substring.UTF8View) -> Bool {
        if address.elementsEqual("::1".utf8) { return true }
        let mapped = "::ffff:".utf8
        return address.starts(with: mapped) && isLoopback4(address.dropFirst(mapped.count))
    }

    private static func isLoopback4(_ address: Substring.UTF8View) -> Bool {
        guard address.starts(with: "127.".utf8) else { return false }
        var dots = 0
        var part: Int?
        for byte in address {
            switch byte {
            case UInt8(ascii: "."):
                guard part != nil else { return false }
                (dots, part) = (dots + 1, nil)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let value = 10 * (part ?? 0) + Int(byte - UInt8(ascii: "0"))
                guard value <= 255 else { return false }
                part = value
            default: return false
            }
        }
        return dots == 3 && part != nil
    }
}
