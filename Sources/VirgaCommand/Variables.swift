import ArgumentParser
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The `VIRGA_…` variables, which stand in for flags that were not given. Read nowhere else.
enum Variables {
    /// The value of a variable; an empty one counts as absent.
    static func value(_ name: String) -> String? {
        guard let text = getenv("VIRGA_" + name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
        return text
    }

    /// The values of a variable that lists several, separated by commas.
    static func values(_ name: String) -> [String] {
        value(name)?.split(separator: ",").map { part in
            let start = part.drop { $0 == " " }
            return String(start.prefix(upTo: start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex))
        }.filter { !$0.isEmpty } ?? []
    }

    /// Every variable of the process, of whatever name.
    static var all: [String: String] {
        ProcessInfo.processInfo.environment
    }

    /// Whether a variable says yes.
    /// - Throws: `ValidationError` for what is neither yes nor no.
    static func flag(_ name: String) throws -> Bool {
        guard let text = value(name) else { return false }
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default: throw ValidationError("VIRGA_\(name) must be true or false, not \(text).")
        }
    }
}
