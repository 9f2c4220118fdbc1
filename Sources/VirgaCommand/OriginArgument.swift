import ArgumentParser
import Federation
import WireFormats

/// An origin as it is given on the command line or in a variable.
struct OriginArgument: Hashable, Sendable {
    /// Scheme, host and port, without the slash that may follow them.
    let text: String

    /// - Returns: nothing for what is no `http://` or `https://` URL of a host, with a port or without, or has a path.
    init?(_ argument: String) {
        guard let origin = Origin(url: argument), origin.path.isEmpty || origin.path == "/",
            Self.isHost(origin.host), Self.isPort(origin.authority.utf8.dropFirst(origin.host.utf8.count))
        else { return nil }
        text = String(argument.dropLast(origin.path.utf8.count))
    }

    /// Where a cloud is looked for: at the origin of the flag, of the variable `VIRGA_ENDPOINT`, or at the usual one.
    /// - Throws: `ValidationError` for what is no origin.
    static func endpoint(_ flag: String?, usual: String = "http://127.0.0.1:4566") throws -> OriginArgument {
        let text = flag ?? Variables.value("ENDPOINT") ?? usual
        guard let origin = OriginArgument(text) else {
            throw ValidationError("The endpoint must be http:// or https://, a host, and perhaps a port, not '\(text)'.")
        }
        return origin
    }

    /// Whether a text is the name or address of a host, an IPv6 address in brackets. (RFC 3986 section 3.2.2.)
    static func isHost(_ text: String) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.utf8.count > 2 && text.utf8.dropFirst().dropLast().allSatisfy { Self.isHexDigit($0) || $0 == UInt8(ascii: ":") }
        }
        return !text.isEmpty && text.utf8.allSatisfy(isNameByte) && !text.hasPrefix(".")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }

    /// Whether what follows a host is nothing, or a colon and a port.
    private static func isPort(_ suffix: Substring.UTF8View) -> Bool {
        guard !suffix.isEmpty else { return true }
        return suffix.first == UInt8(ascii: ":") && UInt16(digits: Substring(suffix.dropFirst())).map { $0 > 0 } == true
    }
}
