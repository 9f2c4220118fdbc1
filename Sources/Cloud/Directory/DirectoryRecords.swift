import FoundationEssentials
import SQLite

/// The table `records`: the directory, a row for each record, its content as JSON. Read whole when the sandbox opens.
enum DirectoryRecords {
    static let upsert = """
        INSERT INTO records (family, id, document) VALUES (?1, ?2, ?3)
        ON CONFLICT (family, id) DO UPDATE SET document = excluded.document
        """
    static let all = "SELECT family, document FROM records ORDER BY family, id"
    static let deleteAll = "DELETE FROM records"

    private enum Family: String { case account, user, role, provider, trust }

    static func write(_ record: DirectoryRecord, into connection: Connection) throws {
        switch record {
        case .account(let account): try write(.account, account.id, account, into: connection)
        case .user(let user): try write(.user, user.arn, user, into: connection)
        case .role(let role): try write(.role, role.arn, role, into: connection)
        case .provider(let provider): try write(.provider, provider.name, provider, into: connection)
        case .trust(let trust): try write(.trust, trust.arn, trust, into: connection)
        }
    }

    static func all(in connection: Connection) throws -> [DirectoryRecord] {
        let decoder = JSONDecoder()
        return try connection.all(all) { row -> DirectoryRecord? in
            let document = Data(row.text(1).utf8)
            return switch Family(rawValue: row.text(0)) {
            case .account: .account(try decoder.decode(Account.self, from: document))
            case .user: .user(try decoder.decode(User.self, from: document))
            case .role: .role(try decoder.decode(Role.self, from: document))
            case .provider: .provider(try decoder.decode(IdentityProvider.self, from: document))
            case .trust: .trust(try decoder.decode(OpenIDConnectTrust.self, from: document))
            case nil: nil
            }
        }.compactMap(\.self)
    }

    private static func write(
        _ family: Family, _ id: String, _ value: some Encodable, into connection: Connection
    ) throws {
        let document = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        try connection.run(upsert, .text(family.rawValue), .text(id), .text(document))
    }
}
