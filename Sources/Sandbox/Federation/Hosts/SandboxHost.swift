import WireFormats

/// A host name that leads to a sandbox: `[<labels>.]<name>.sandbox.<base>`, where the base is a name of the process.
package struct SandboxHost: Equatable, Sendable {
    /// The name of the sandbox.
    package var name: String
    /// The name of the process below which the sandbox is, such as `localhost`.
    package var base: String
    /// Whether labels precede the name of the sandbox: a bucket, a service.
    package var hasLabels: Bool

    /// The name that the services of the sandbox are below, as `localhost` is for the default sandbox.
    package var sandboxBase: String { Self.base(name, below: base) }

    /// Returns the name that the services of a sandbox are below.
    package static func base(_ name: String, below base: String) -> String { "\(name)\(separator)\(base)" }

    private static let separator = ".sandbox."

    /// Reads a host name; `nil` if it does not lead to a sandbox.
    /// - Parameters:
    ///   - host: lower case, without port.
    ///   - isBase: returns whether a name is one of the process.
    package init?(_ host: String, isBase: (String) -> Bool) {
        // A bucket before the name may have the label `sandbox`, too. The longest base counts.
        var searched = host.startIndex
        while true {
            guard let end = Self.endOfSeparator(in: host, from: searched) else { return nil }
            if isBase(String(host[end...])) {
                searched = end
                break
            }
            // The last dot may begin the next separator.
            searched = host.utf8.index(before: end)
        }
        base = String(host[searched...])
        let labels = host[..<host.utf8.index(searched, offsetBy: -Self.separator.utf8.count)]
        guard !labels.isEmpty else { return nil }
        let start = labels.lastIndex(of: ".").map { labels.index(after: $0) } ?? labels.startIndex
        name = String(labels[start...])
        hasLabels = start != labels.startIndex
    }

    /// Returns where the base may begin: behind the next `.sandbox.`. Compares bytes for speed, because every request's host is checked.
    private static func endOfSeparator(in host: String, from searched: String.Index) -> String.Index? {
        let bytes = host.utf8
        let first = bytes.distance(from: bytes.startIndex, to: searched)
        let length = separator.utf8.count
        guard bytes.count - first > length else { return nil }
        let found = bytes.withContiguousStorageIfAvailable { bytes -> Int? in
            separator.utf8.withContiguousStorageIfAvailable { separator -> Int? in
                search: for start in first...(bytes.count - length) where bytes[start] == separator[0] {
                    for offset in 1..<length where bytes[start + offset] != separator[offset] { continue search }
                    return start + length
                }
                return nil
            } ?? nil
        }
        guard let found = found ?? nil else { return nil }
        return bytes.index(bytes.startIndex, offsetBy: found)
    }
}
