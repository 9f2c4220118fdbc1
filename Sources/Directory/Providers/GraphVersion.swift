/// A version of the Graph API and of Facebook's dialogs, as a path begins with it: `v2.3`.
package struct GraphVersion: Comparable, Hashable, Sendable, Codable {
    /// The number before the point.
    package var major: Int
    /// The number behind the point.
    package var minor: Int

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Nothing for a text that is no version.
    package init?(_ text: some StringProtocol) {
        let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard text.first == "v", numbers.count == 2,
            numbers.allSatisfy({ (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let major = Int(numbers[0]), let minor = Int(numbers[1]), major > 0
        else { return nil }
        self.init(major: major, minor: minor)
    }

    /// What apps get today.
    package static let current = GraphVersion(major: 24, minor: 0)

    /// The version as in paths, such as `v19.0`.
    package var text: String { "v\(major).\(minor)" }

    /// Whether there was such a version, or may be one day: since the fourth every one ends with 0. (Graph API, "Changelog".)
    private var isPublished: Bool {
        switch major {
        case 1: minor == 0
        case 2: minor <= 12
        case 3: minor <= 3
        default: minor == 0
        }
    }

    /// Takes the version off a path, where it has one.
    package static func split(_ path: String) -> (version: GraphVersion?, path: String) {
        let first = path.dropFirst().prefix { $0 != "/" }
        guard let version = GraphVersion(first), version.isPublished else { return (nil, path) }
        return (version, String(path.dropFirst(first.utf8.count + 1)))
    }

    package static func < (left: GraphVersion, right: GraphVersion) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
}
