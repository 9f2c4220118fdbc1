/// The version that a path begins with, `/v2.3`; without one it is today's.
struct GraphVersion: Comparable {
    var major: Int
    var minor: Int

    static let current = GraphVersion(major: 24, minor: 0)

    /// Takes the version off a path.
    static func split(_ path: String) -> (version: GraphVersion, path: String) {
        let first = path.dropFirst().prefix { $0 != "/" }
        let numbers = first.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard first.first == "v", numbers.count == 2, numbers.allSatisfy({ (1...3).contains($0.utf8.count) }),
            let major = Int(numbers[0]), let minor = Int(numbers[1]), major > 0, minor >= 0
        else { return (.current, path) }
        return (GraphVersion(major: major, minor: minor), String(path.dropFirst(first.utf8.count + 1)))
    }

    static func < (left: GraphVersion, right: GraphVersion) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
}
