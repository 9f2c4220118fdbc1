import ArgumentParser
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The `VIRGA_…` environment variables, which replace flags that are not given. Only this type reads them.
enum Variables {
    /// Returns the value of a variable; an empty one counts as absent.
    static func value(_ name: String) -> String? {
        guard let text = getenv("VIRGA_" + name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
        return text
    }

    /// Returns the values of a comma-separated variable.
    static func values(_ name: String) -> [String] {
        value(name)?.split(separator: ",").map { part in
            let start = part.drop { $0 == " " }
            return String(start.prefix(upTo: start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex))
        }.filter { !$0.isEmpty } ?? []
    }

    /// All environment variables of the process.
    static var all: [String: String] {
        ProcessInfo.processInfo.environment
    }

    /// Returns the value of a Boolean variable.
    /// - Throws: `ValidationError` for any other value.
    static func flag(_ name: String) throws -> Bool {
        guard let text = value(name) else { return false }
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default: throw ValidationError("VIRGA_\(name) must be true or false, not \(text).")
        }
    }
}
