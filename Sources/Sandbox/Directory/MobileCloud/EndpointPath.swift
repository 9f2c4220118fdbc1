import WireFormats

/// The path of a custom API's endpoint, such as `/orders/{id}`. `{name}` matches one segment, and a `*` at the end matches the rest.
package struct EndpointPath: Hashable, Sendable {
    private var segments: [Segment]

    private enum Segment: Hashable {
        case text(String)
        case parameter(String)
        case rest
    }

    /// - Returns: `nil` if the text does not begin with a slash, has an empty or repeated name, or has a `*` before the end.
    package init?(_ text: String) {
        guard text.hasPrefix("/") else { return nil }
        var segments: [Segment] = []
        for part in text.split(separator: "/").map(String.init) {
            guard segments.last != .rest else { return nil }
            if part == "*" {
                segments.append(.rest)
            } else if part.hasPrefix("{"), part.hasSuffix("}") {
                let name = String(part.dropFirst().dropLast())
                guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte), !segments.contains(.parameter(name)) else { return nil }
                segments.append(.parameter(name))
            } else {
                guard !part.contains(where: { "{}*".contains($0) }) else { return nil }
                segments.append(.text(part))
            }
        }
        self.segments = segments
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The names of the parameters, in order.
    package var parameters: [String] {
        segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// Returns the values of the parameters if the segments of a path match; `nil` otherwise.
    package func values(in path: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .rest: return values
            case .text(let text): guard index < path.count, path[index] == text else { return nil }
            case .parameter(let name):
                guard index < path.count else { return nil }
                values[name] = path[index]
            }
        }
        return path.count == segments.count ? values : nil
    }

    /// Returns whether this path takes precedence over another one that also matches. At the first segment where they differ, a text
    /// precedes
    /// a parameter, and a parameter precedes the rest.
    package func isMoreSpecific(than other: EndpointPath) -> Bool { ranks.lexicographicallyPrecedes(other.ranks) }

    private var ranks: [Int] {
        segments.map { segment in
            switch segment {
            case .text: 0
            case .parameter: 1
            case .rest: 2
            }
        }
    }
}
