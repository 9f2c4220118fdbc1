import Seeds

/// What a new cloud contains: accounts, roles, people, buckets.
///
/// A string literal is a JSON5 document.
public struct CloudSeed: Sendable, ExpressibleByStringLiteral {
    private enum Source: Sendable {
        case text(SeedFile)
        case path(String)
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    /// A seed from a literal JSON5 document.
    public init(stringLiteral text: String) { self = .json5(text) }

    /// Nothing.
    public static let empty = CloudSeed.json5("{}")

    /// The *Personal File Store*, with which `virga serve` starts: people log in at Facebook, Amazon, Google or a company's issuer, and each
    /// gets one folder of a bucket.
    public static let personalFileStore = CloudSeed(.text(.personalFileStore))

    /// Returns the seed of a JSON5 document.
    public static func json5(_ text: String) -> CloudSeed {
        CloudSeed(.text(SeedFile(name: "seed of the test", text: Array(text.utf8))))
    }

    /// Returns the seed in a JSON5 file, which is read when the cloud starts.
    /// - Parameter path: the path of the file, absolute or from the working directory.
    public static func file(_ path: String) -> CloudSeed { CloudSeed(.path(path)) }

    func file() throws(SeedError) -> SeedFile {
        switch source {
        case .text(let file): file
        case .path(let path): try SeedFile(path: path)
        }
    }
}
