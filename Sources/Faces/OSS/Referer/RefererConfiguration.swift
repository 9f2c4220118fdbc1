import ObjectServing
import WireFormats

/// The referers that a bucket allows. (OSS User Guide, "Hotlink protection"; OSS API Reference, "PutBucketReferer".)
struct RefererConfiguration: Hashable, Sendable {
    var allowsEmpty = true
    /// Whether the query of a referer is ignored.
    var ignoresQuery = true
    /// Whether the path and query of a referer are ignored.
    var ignoresPath = false
    var allowed: [String] = []
    var forbidden: [String] = []

    init(_ element: XMLElement) {
        func flag(_ name: String, _ standard: Bool) -> Bool { element.child(name).map { $0.text.trimmed == "true" } ?? standard }
        func list(_ name: String) -> [String] {
            (element.child(name)?.children ?? []).map(\.text.trimmed).filter { !$0.isEmpty }
        }
        allowsEmpty = flag("AllowEmptyReferer", true)
        ignoresQuery = flag("AllowTruncateQueryString", true)
        ignoresPath = flag("TruncatePath", false)
        allowed = list("RefererList")
        forbidden = list("RefererBlacklist")
    }

    /// Whether a referer is allowed. If the allowlist is empty, all referers are allowed that are not forbidden.
    func allows(_ referer: String?) -> Bool {
        guard let referer, !referer.isEmpty else { return allowsEmpty }
        let shown = truncated(referer)
        if forbidden.contains(where: { Self.matches(shown, $0) }) { return false }
        return allowed.isEmpty || allowed.contains { Self.matches(shown, $0) }
    }

    private func truncated(_ referer: String) -> String {
        var text = referer[...]
        if ignoresQuery || ignoresPath { text = text.prefix { $0 != "?" && $0 != "#" } }
        if ignoresPath, let scheme = text.range(ofFirst: "://") {
            text = text[..<(text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex)]
        }
        return String(text)
    }

    /// Whether a referer begins with a match of the pattern. A pattern without a scheme ignores the scheme; `*` and `?` are wildcards.
    private static func matches(_ referer: String, _ pattern: String) -> Bool {
        var referer = referer[...]
        if pattern.range(ofFirst: "://") == nil, let scheme = referer.range(ofFirst: "://") {
            referer = referer[scheme.upperBound...]
        }
        let authority = pattern.range(ofFirst: "://").map { pattern[$0.upperBound...] } ?? pattern[...]
        // A pattern that ends with its host matches only that host, and no longer host name.
        let endsWithHost = !authority.contains("/") && !authority.hasSuffix("*")
        return matches(Array(referer.lowercased().utf8)[...], Array(pattern.lowercased().utf8)[...], endsWithHost)
    }

    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>, _ endsWithHost: Bool) -> Bool {
        // The last `*`, and the position in the text at that time. The time is linear except for the text after a `*`.
        var (text, pattern) = (text, pattern)
        var star: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        while true {
            if pattern.isEmpty {
                if !endsWithHost || text.isEmpty || "/:?#".utf8.contains(text[text.startIndex]) { return true }
            } else if pattern.first == UInt8(ascii: "*") {
                pattern = pattern.dropFirst()
                star = (pattern, text)
                continue
            } else if let byte = text.first, byte == pattern.first || pattern.first == UInt8(ascii: "?") {
                (text, pattern) = (text.dropFirst(), pattern.dropFirst())
                continue
            }
            guard let last = star, !last.text.isEmpty else { return false }
            star = (last.pattern, last.text.dropFirst())
            (text, pattern) = (last.text.dropFirst(), last.pattern)
        }
    }
}

extension StringProtocol {
    /// Returns the first range of a text.
    fileprivate func range(ofFirst text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
