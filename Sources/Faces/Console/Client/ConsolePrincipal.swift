import WireFormats

/// A principal of the sandbox, as `GET /_virga/principals` lists it.
struct Principal: Sendable {
    enum Kind: String, CaseIterable {
        case root, user, role, session

        /// The heading of a list.
        var title: String {
            switch self {
            case .root: "Root users"
            case .user: "Users"
            case .role: "Roles"
            case .session: "Live sessions"
            }
        }
    }

    var kind: Kind
    var arn: String
    var name: String
    var account: String
    var vendor: String
    /// The temporary access key of a session.
    var accessKey: String?

    init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.stringValue.flatMap(Kind.init), let arn = json["arn"]?.stringValue else { return nil }
        (self.kind, self.arn) = (kind, arn)
        name = json["name"]?.stringValue ?? ""
        account = json["account"]?.stringValue ?? ""
        vendor = json["vendor"]?.stringValue ?? "aws"
        accessKey = json["access_key"]?.stringValue
    }

    /// The name by which the control API accepts the principal.
    var id: String { accessKey ?? arn }

    /// Returns all principals.
    static func all(_ client: ControlClient) async -> [Principal] {
        await client.get("/principals").json["principals"]?.arrayValue?.compactMap(Principal.init) ?? []
    }
}
