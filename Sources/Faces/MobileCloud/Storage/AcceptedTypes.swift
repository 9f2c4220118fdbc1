import WireFormats

/// The media types that a client accepts. (RFC 9110 section 12.5.1.)
struct AcceptedTypes {
    private struct Range {
        var type: Substring
        var subtype: Substring
        var isRefused: Bool

        /// The precision of the range: 0 for any type, 1 for any subtype, 2 for an exact type.
        var precision: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }

        func covers(_ type: Substring, _ subtype: Substring) -> Bool {
            (self.type == "*" || self.type == type) && (self.subtype == "*" || self.subtype == subtype)
        }
    }

    private let ranges: [Range]

    /// - Parameter header: the value of `Accept`; `nil` accepts everything.
    init(_ header: String?) {
        ranges = (header ?? "*/*").lowercased().split(separator: ",").compactMap { item in
            let parts = item.split(separator: ";").map(\.trimmedOfBlanks)
            let name = parts.first?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            guard name.count == 2 else { return nil }
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            return Range(type: name[0], subtype: name[1], isRefused: isRefused)
        }
    }

    /// - Parameter mediaType: a media type, whose parameters are ignored.
    func contain(_ mediaType: String) -> Bool {
        let name = mediaType.lowercased().prefix { $0 != ";" }.trimmedOfBlanks.split(separator: "/", maxSplits: 1)
        guard name.count == 2 else { return ranges.contains { $0.precision == 0 && !$0.isRefused } }
        let covering = ranges.filter { $0.covers(name[0], name[1]) }
        return covering.max { $0.precision < $1.precision }.map { !$0.isRefused } ?? false
    }
}
