import Directory
import FoundationEssentials
import SQLite
import WireFormats

/// The statements on the records of the directory.
enum DirectoryStatement: String, CaseIterable {
    case upsert = """
        INSERT INTO records (family, id, document) VALUES (?1, ?2, ?3)
        ON CONFLICT (family, id) DO UPDATE SET document = excluded.document
        """
    case delete = "DELETE FROM records WHERE family = ?1 AND id = ?2"
    // The record of a provider precedes those of its clients and people.
    case all = "SELECT family, document FROM records ORDER BY family, id"
    case deleteAll = "DELETE FROM records"
}

/// The table `records`: the directory, a row for each record, its content as JSON. Read whole when the sandbox opens.
enum DirectoryRecords {
    private static func write(_ record: DirectoryRecord, into connection: Connection) throws {
        let encoder = JSONEncoder()
        let document =
            switch record {
            case .account(let value): try encoder.encode(value)
            case .user(let value): try encoder.encode(value)
            case .group(let value): try encoder.encode(value)
            case .role(let value): try encoder.encode(value)
            case .policy(let value): try encoder.encode(value)
            case .instanceProfile(let value): try encoder.encode(value)
            case .device(let value): try encoder.encode(value)
            case .provider(let value): try encoder.encode(value)
            case .client(let value): try encoder.encode(value)
            case .person(let value): try encoder.encode(value)
            case .trust(let value): try encoder.encode(value)
            case .samlTrust(let value): try encoder.encode(value)
            case .mobile(let value): try encoder.encode(value)
            case .vending(let value): try encoder.encode(value)
            case .appServer(let value): try encoder.encode(value)
            case .credentialSource(let value): try encoder.encode(value)
            case .identityPool(let value): try encoder.encode(value)
            case .userPool(let value): try encoder.encode(value)
            }
        let id = record.id
        try connection.run(
            DirectoryStatement.upsert.rawValue, .text(id.family.rawValue), .text(id.name), .text(String(decoding: document, as: UTF8.self)))
    }

    /// Writes changes of a directory.
    static func write(_ changes: [Directory.Change], into connection: Connection) throws {
        for change in changes {
            switch change {
            case .put(let record): try write(record, into: connection)
            case .remove(let id): try remove(id, from: connection)
            }
        }
    }

    private static func remove(_ id: DirectoryRecord.ID, from connection: Connection) throws {
        try connection.run(DirectoryStatement.delete.rawValue, .text(id.family.rawValue), .text(id.name))
    }

    static func all(in connection: Connection) throws -> [DirectoryRecord] {
        let decoder = JSONDecoder()
        return try connection.all(DirectoryStatement.all.rawValue) { row -> DirectoryRecord? in
            let document = Data(row.text(1).utf8)
            return switch DirectoryRecord.Family(rawValue: row.text(0)) {
            case .account: .account(try decoder.decode(Account.self, from: document))
            case .user: .user(try decoder.decode(User.self, from: document))
            case .group: .group(try decoder.decode(Group.self, from: document))
            case .role: .role(try decoder.decode(Role.self, from: document))
            case .policy: .policy(try decoder.decode(ManagedPolicy.self, from: document))
            case .instanceProfile: .instanceProfile(try decoder.decode(InstanceProfile.self, from: document))
            case .device: .device(try decoder.decode(MultiFactorDevice.self, from: document))
            case .provider: .provider(try decoder.decode(IdentityProvider.self, from: document))
            case .client: .client(try decoder.decode(ProviderMember<Client>.self, from: document))
            case .person: .person(try decoder.decode(ProviderMember<Person>.self, from: document))
            case .trust: .trust(try decoder.decode(OpenIDConnectTrust.self, from: document))
            case .samlTrust: .samlTrust(try decoder.decode(SAMLTrust.self, from: document))
            case .mobile: .mobile(try decoder.decode(MobileCloudRecord.self, from: document))
            case .vending: .vending(try decoder.decode(VendingMachineRecord.self, from: document))
            case .appServer: .appServer(try decoder.decode(AppServer.self, from: document))
            case .credentialSource: .credentialSource(try decoder.decode(CredentialSourceRecord.self, from: document))
            case .identityPool: .identityPool(try decoder.decode(IdentityPoolRecord.self, from: document))
            case .userPool: .userPool(try decoder.decode(UserPoolRecord.self, from: document))
            case nil: nil
            }
        }.compactMap(\.self)
    }
}
