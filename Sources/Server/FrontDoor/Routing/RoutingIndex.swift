import WireFormats

/// The rows of the front door's table, arranged so that a request compares few of them.
enum RoutingIndex {
    private static let labels = rows(.label)
    private static let scopes = rows(.scope)
    private static let versions = rows(.version)
    private static let targets = rows(.target)
    /// The beginnings of `Authorization`.
    static let schemes = rows(.scheme)
    /// The beginnings of parameters that only signed URLs have.
    static let parameters = rows(.parameter)
    /// The paths of unsigned calls in JSON.
    static let calls = rows(.call)
    /// The paths that clients request from every server of a kind.
    static let probes = rows(.probe)
    /// The beginnings of `User-Agent`.
    static let agents = rows(.agent)

    private static func rows(_ mark: RoutingRow.Mark) -> [RoutingRow] { RoutingTable.rows.filter { $0.mark == mark } }

    /// Returns the endpoint of the first label of a host.
    static func endpoint(ofLabel label: Substring) -> Endpoint? { labels.first { label == $0.text }?.endpoint }

    /// Returns the endpoint of the service in a credential scope.
    static func endpoint(ofScope service: String) -> Endpoint? { scopes.first { service.equals($0.text) }?.endpoint }

    /// Returns the endpoint of a version of an API.
    static func endpoint(ofVersion version: String) -> Endpoint? { versions.first { version.equals($0.text) }?.endpoint }

    /// Returns the endpoint of the text before the operation in `X-Amz-Target`.
    static func endpoint(ofTarget target: String) -> Endpoint? { targets.first { target.equals($0.text) }?.endpoint }

    /// The rows with paths that belong to a face, by the byte after the first slash.
    private static let byInitial: [[RoutingRow]] = {
        var table = [[RoutingRow]](repeating: [], count: 1 << 8)
        for row in RoutingTable.rows {
            switch row.mark {
            case .path, .below, .pattern, .named, .realm, .administration, .metadata, .machine: table[initial(of: row.text)].append(row)
            case .label, .scope, .scheme, .parameter, .version, .target, .call, .probe, .agent: break
            }
        }
        return table
    }()

    /// Returns the rows that a path can match: none for the paths of most buckets.
    static func rows(forPath path: String) -> [RoutingRow] { byInitial[initial(of: path)] }

    private static func initial(of path: String) -> Int { path.utf8.dropFirst().first.map(Int.init) ?? 0 }
}
