import WireFormats

/// A version of the Graph API and of Facebook's dialogs, as it appears at the start of a path: `v2.3`.
package struct GraphVersion: Comparable, Hashable, Sendable, Codable {
    /// The major version.
    package var major: Int
    /// The minor version.
    package var minor: Int

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Returns `nil` if the text is not a version.
    package init?(_ text: some StringProtocol) {
        let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard text.first == "v", numbers.count == 2,
            numbers.allSatisfy({ (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let major = Int(numbers[0]), let minor = Int(numbers[1]), major > 0
        else { return nil }
        self.init(major: major, minor: minor)
    }

    /// The current version, which new apps get.
    package static let current = GraphVersion(major: 24, minor: 0)

    /// The version as in paths, such as `v19.0`.
    package var text: String { "v\(major).\(minor)" }

    /// Whether the version was published or can be in the future: since version 4, every minor version is 0. (Graph API, "Changelog".)
    private var isPublished: Bool {
        switch major {
        case 1: minor == 0
        case 2: minor <= 12
        case 3: minor <= 3
        default: minor == 0
        }
    }

    /// Removes the version from the start of a path, if it has one.
    package static func split(_ path: String) -> (version: GraphVersion?, path: String) {
        let first = path.dropFirst().prefix { $0 != "/" }
        guard let version = GraphVersion(first), version.isPublished else { return (nil, path) }
        return (version, String(path.dropFirst(first.utf8.count + 1)))
    }

    package static func < (left: GraphVersion, right: GraphVersion) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
}
