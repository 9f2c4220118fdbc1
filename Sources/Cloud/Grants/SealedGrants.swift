import Cryptography
import ObjectStore
import SQLite
import Synchronization
import Tokens
import WireFormats

/// Access tokens that contain their grant, sealed. Issuing one writes nothing to the database, which halves the cost of a token request.
/// A revocation writes a mark instead, which revokes all matching tokens that were sealed before it.
final class SealedGrants: Sendable {
    /// The tokens that a mark revokes.
    enum Mark: Hashable, Sendable {
        case token(String)
        case session(String, provider: String, client: String, person: String)
        case person(String, provider: String, client: String)
        case client(String, provider: String)
        case personAtAllClients(String, provider: String)
        case provider(String)

        /// The name in the database: a JSON list that is unique for each mark.
        var name: String {
            let parts: [String] =
                switch self {
                case .token(let token): ["token", SHA256.hash(token).hex]
                case .session(let id, let provider, let client, let person): ["session", provider, client, person, id]
                case .person(let name, let provider, let client): ["person", provider, client, name]
                case .client(let id, let provider): ["client", provider, id]
                case .personAtAllClients(let name, let provider): ["person", provider, name]
                case .provider(let name): ["provider", name]
                }
            return JSONValue.array(parts.map { .string($0) }).serialized()
        }
    }

    private struct State {
        var key: SealingKey?
        /// The number of the newest committed mark, which sealed tokens contain.
        var number: Int64 = 0
        /// The number of the newest mark, committed or not.
        var begun: Int64 = 0
        /// The numbers of marks, by name.
        var marks: TextDictionary<Int64> = [:]
    }

    private let state = Mutex(State())

    /// The prefix that distinguishes these tokens from those in the database.
    private static let prefix = "vat_"
    private static let context = Array("access token".utf8)

    /// Starts a generation with its existing marks.
    func start(key: SealingKey, marks: TextDictionary<Int64>) {
        let newest = marks.values.max() ?? 0
        state.withLock { $0 = State(key: key, number: newest, begun: newest, marks: marks) }
    }

    /// Seals with another key from now on. It opens what the earlier ones sealed.
    func change(key: SealingKey) { state.withLock { $0.key = key } }

    /// Returns a token that contains the grant.
    /// - Throws: an error of the random number generator.
    func seal(_ grant: Grant) throws -> String {
        let (key, number) = state.withLock { ($0.key, $0.number) }
        guard let key else { throw StorageError.closed }
        let record: JSONValue = [
            .integer(number), .string(grant.provider), .string(grant.client), .string(grant.person), .integer(grant.issued.milliseconds),
            .integer(grant.expires.milliseconds), .object(grant.details),
        ]
        return Self.prefix + (try SealedRecord.sealedBytes(record.serializedBytes(), key: key, context: Self.context)).base64url
    }

    /// Returns the grant of an access token, even if it is expired; `nil` if the token is not of this generation or is revoked.
    func open(_ token: String) -> Grant? {
        guard token.hasPrefix(Self.prefix), let key = state.withLock({ $0.key }),
            let bytes = [UInt8](base64url: String(token.dropFirst(Self.prefix.count))),
            let plaintext = try? SealedRecord.open(bytes, key: key, context: Self.context),
            let record = try? JSONValue(parsing: plaintext).arrayValue, record.count == 7,
            let number = record[0].integerValue, let provider = record[1].stringValue, let client = record[2].stringValue,
            let person = record[3].stringValue, let issued = record[4].integerValue, let expires = record[5].integerValue,
            let details = record[6].objectValue
        else { return nil }
        let grant = Grant(
            kind: .accessToken, provider: provider, client: client, person: person, issued: Timestamp(stored: issued),
            expires: Timestamp(stored: expires), details: details)
        return isRevoked(grant, token, sealedAfter: number) ? nil : grant
    }

    private func isRevoked(_ grant: Grant, _ token: String, sealedAfter number: Int64) -> Bool {
        let marks = state.withLock { $0.marks }
        guard !marks.isEmpty else { return false }
        var concerned: [Mark] = [
            .token(token), .person(grant.person, provider: grant.provider, client: grant.client),
            .client(grant.client, provider: grant.provider), .personAtAllClients(grant.person, provider: grant.provider),
            .provider(grant.provider),
        ]
        // Offline access continues after the session ends (OpenID Connect Back-Channel Logout 1.0 section 2.7).
        if let session = grant.details["sid"]?.stringValue,
            grant.details["scope"]?.stringValue?.split(separator: " ").contains("offline_access") != true
        {
            concerned.append(.session(session, provider: grant.provider, client: grant.client, person: grant.person))
        }
        return concerned.contains { marks[$0.name].map { number < $0 } ?? false }
    }

    /// Writes a mark to the database.
    /// - Returns: the mark with its number, for ``note(_:)`` after the commit.
    func write(_ mark: Mark, into connection: Connection) throws -> (name: String, number: Int64) {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        try RevocationRecords.put(mark.name, number: number, into: connection)
        return (mark.name, number)
    }

    /// Applies committed marks.
    func note(_ marks: [(name: String, number: Int64)]) {
        state.withLock { state in
            for mark in marks {
                state.marks[mark.name] = mark.number
                state.number = max(state.number, mark.number)
            }
        }
    }
}

/// The statements on marks on sealed tokens.
enum RevocationStatement: String, CaseIterable {
    case upsert = """
        INSERT INTO revocations (mark, number) VALUES (?1, ?2) ON CONFLICT (mark) DO UPDATE SET number = excluded.number
        """
    case all = "SELECT mark, number FROM revocations"
    case deleteAll = "DELETE FROM revocations"
}

/// The table `revocations`: marks on sealed tokens, which stay until a reset.
enum RevocationRecords {
    static func put(_ mark: String, number: Int64, into connection: Connection) throws {
        try connection.run(RevocationStatement.upsert.rawValue, .text(mark), .integer(number))
    }

    static func all(in connection: Connection) throws -> TextDictionary<Int64> {
        var marks: TextDictionary<Int64> = [:]
        for (mark, number) in try connection.all(RevocationStatement.all.rawValue, row: { ($0.text(0), $0.integer(1)) }) {
            marks[mark] = number
        }
        return marks
    }
}
