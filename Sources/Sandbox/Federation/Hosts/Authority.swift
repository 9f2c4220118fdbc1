import WireFormats

/// The syntax of `host[:port]` in requests. (RFC 9110 section 7.2, RFC 3986 section 3.2.)
package enum Authority {
    /// Returns whether a text is empty or a host with or without a port. A server rejects a request with any other `Host` (RFC 9112 section
    /// 3.2): a URL built from it would have another host.
    package static func isValid(_ text: String) -> Bool {
        // Compares bytes for speed, because every request has a host.
        var text = text
        return text.withUTF8 { bytes in
            var index = 0
            if bytes.first == UInt8(ascii: "[") {
                index = 1
                while index < bytes.count, isInAddress(bytes[index]) { index += 1 }
                guard index > 1, index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return false }
                index += 1
            } else {
                while index < bytes.count, isInName(bytes[index]) { index += 1 }
                guard index > 0 || bytes.isEmpty else { return false }
            }
            guard index < bytes.count else { return true }
            guard bytes[index] == UInt8(ascii: ":") else { return false }
            return isPort(bytes[(index + 1)...])
        }
    }

    /// Returns whether a text is empty or a port. (RFC 3986 section 3.2.3; TCP has ports up to 65535.)
    private static func isPort(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var port = 0
        for byte in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return false }
            port = port * 10 + Int(byte - UInt8(ascii: "0"))
            guard port <= 65_535 else { return false }
        }
        return true
    }

    /// Returns whether a byte can be in a host name. `%` and the delimiters of RFC 3986 cannot: they occur in no name of DNS, and URL parsers
    /// disagree about them.
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func isInAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
