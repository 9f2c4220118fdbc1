import ArgumentParser
import Federation
import WireFormats

/// An origin in a flag or a variable.
struct OriginArgument: Hashable, Sendable {
    /// The scheme, host and port, without a trailing slash.
    let text: String

    /// Host and port, as a part of names of files: a person can have files of several servers.
    var fileName: String { String(text.trimmingPrefix { $0 != "/" }.drop { $0 == "/" }).replacing(":", with: "-") }

    /// - Returns: `nil` for a text that is not an `http://` or `https://` URL with a host and an optional port, or that has a path.
    init?(_ argument: String) {
        guard let origin = Origin(url: argument), origin.path.isEmpty || origin.path == "/",
            Self.isHost(origin.host), Self.isPort(origin.authority.utf8.dropFirst(origin.host.utf8.count))
        else { return nil }
        text = String(argument.dropLast(origin.path.utf8.count))
    }

    /// Returns the origin of the cloud: from the flag, else the variable `VIRGA_ENDPOINT`, else the default.
    /// - Throws: `ValidationError` for a text that is not an origin.
    static func endpoint(_ flag: String?, usual: String = "http://127.0.0.1:4566") throws -> OriginArgument {
        let text = flag ?? Variables.value("ENDPOINT") ?? usual
        guard let origin = OriginArgument(text) else {
            throw ValidationError("The endpoint must be http:// or https://, a host, and perhaps a port, not '\(text)'.")
        }
        return origin
    }

    /// Returns whether a text is a host name or IP address; IPv6 addresses have brackets. (RFC 3986 section 3.2.2.)
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

    /// Returns whether the text after a host is empty, or a colon and a port.
    private static func isPort(_ suffix: Substring.UTF8View) -> Bool {
        guard !suffix.isEmpty else { return true }
        return suffix.first == UInt8(ascii: ":") && UInt16(digits: Substring(suffix.dropFirst())).map { $0 > 0 } == true
    }
}
