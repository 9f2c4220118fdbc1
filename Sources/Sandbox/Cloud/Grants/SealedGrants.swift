import Cryptography
import ObjectStore
import SQLite
import Synchronization
import Tokens
import WireFormats

/// Access tokens that contain their grant, sealed. Issuing one writes nothing to the database, which halves the cost of a token request.
/// A revocation writes a mark instead, which revokes all matching tokens of requests that began before it.
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

    /// A place in the order of marks. What is issued on a directory that was read then is revoked by every later mark.
    struct Moment: Sendable, Equatable {
        /// The number of the sandbox's generation.
        var generation: Int64
        /// The number of the newest committed mark.
        var number: Int64
    }

    private struct State {
        var key: SealingKey?
        /// The number of the sandbox's generation.
        var generation: Int64 = 0
        /// The number of the newest committed mark.
        var number: Int64 = 0
        /// The number of the newest mark or reset, committed or not.
        var begun: Int64 = 0
        /// The numbers of marks, by name.
        var marks: TextDictionary<Int64> = [:]

        /// Returns the marks that can concern what is issued on a directory that was read at a moment; `nil` if no mark was committed since.
        func marks(since moment: Moment) throws(GrantRefusal) -> TextDictionary<Int64>? {
            guard generation == moment.generation else { throw .provider }
            return number == moment.number ? nil : marks
        }
    }

    private let state = Mutex(State())

    /// The prefix that distinguishes these tokens from those in the database.
    private static let prefix = "vat_"
    private static let context = Array("access token".utf8)

    /// Starts a generation with its existing marks.
    func start(_ generation: Generation, marks: TextDictionary<Int64>) {
        let newest = marks.values.max() ?? 0
        state.withLock {
            $0 = State(key: generation.sealingKey, generation: generation.number, number: newest, begun: newest, marks: marks)
        }
    }

    /// Notes, in the transaction that ends a generation, that checks must look at the database until the next one has started.
    func beginReset() { state.withLock { $0.begun += 1 } }

    /// The present moment.
    var moment: Moment { state.withLock { Moment(generation: $0.generation, number: $0.number) } }

    /// Seals with another key from now on. It opens what the earlier ones sealed.
    func change(key: SealingKey) { state.withLock { $0.key = key } }

    /// Returns a token that contains the grant, issued on a directory that was read at a moment.
    /// - Throws: ``GrantRefusal``, or an error of the random number generator.
    func seal(_ grant: Grant, since moment: Moment) throws -> String {
        let (key, marks) = try state.withLock { state throws(GrantRefusal) in (state.key, try state.marks(since: moment)) }
        guard let key else { throw StorageError.closed }
        if let marks { try Self.check(grant, since: moment) { marks[$0] } }
        let record: JSONValue = [
            .integer(moment.number), .string(grant.provider), .string(grant.client), .string(grant.person),
            .integer(grant.issued.milliseconds),
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
        let concerned = [Mark.token(token)] + Self.marks(on: grant).map(\.mark)
        return concerned.contains { marks[$0.name].map { number < $0 } ?? false }
    }

    /// Returns the marks that revoke a grant besides one on its token, and why nothing can be issued after each.
    private static func marks(on grant: Grant) -> [(mark: Mark, refusal: GrantRefusal)] {
        var marks: [(mark: Mark, refusal: GrantRefusal)] = [
            (.provider(grant.provider), .provider), (.client(grant.client, provider: grant.provider), .client),
            (.personAtAllClients(grant.person, provider: grant.provider), .person),
            (.person(grant.person, provider: grant.provider, client: grant.client), .access),
        ]
        // Offline access continues after the session ends (OpenID Connect Back-Channel Logout 1.0 section 2.7).
        if [.code, .accessToken, .refreshToken].contains(grant.kind), let session = grant.details["sid"]?.stringValue,
            grant.details["scope"]?.stringValue?.split(separator: " ").contains("offline_access") != true
        {
            marks.append((.session(session, provider: grant.provider, client: grant.client, person: grant.person), .access))
        }
        return marks
    }

    /// Checks that no mark on a grant is later than a moment.
    /// - Parameter number: returns the number of the mark with a name.
    private static func check(_ grant: Grant, since moment: Moment, number: (String) throws -> Int64?) throws {
        for (mark, refusal) in marks(on: grant) {
            if let number = try number(mark.name), number > moment.number { throw refusal }
        }
    }

    /// Checks that a grant can be issued on a directory that was read at a moment.
    /// - Throws: ``GrantRefusal``.
    func check(_ grant: @autoclosure () -> Grant, since moment: Moment) throws {
        let marks = try state.withLock { state throws(GrantRefusal) in try state.marks(since: moment) }
        if let marks { try Self.check(grant(), since: moment) { marks[$0] } }
    }

    /// Checks the same in a transaction. An edit that precedes it in the same commit has its marks only in the database.
    /// - Throws: ``GrantRefusal``, or an error of the database.
    func check(_ grant: Grant, since moment: Moment, in connection: Connection) throws {
        guard state.withLock({ $0.generation != moment.generation || $0.begun != moment.number }) else { return }
        guard try Generation.latestNumber(in: connection) == moment.generation else { throw GrantRefusal.provider }
        try Self.check(grant, since: moment) { try RevocationRecords.number($0, in: connection) }
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
    case find = "SELECT number FROM revocations WHERE mark = ?1"
    case all = "SELECT mark, number FROM revocations"
    case deleteAll = "DELETE FROM revocations"
}

/// The table `revocations`: marks on sealed tokens, which stay until a reset.
enum RevocationRecords {
    static func put(_ mark: String, number: Int64, into connection: Connection) throws {
        try connection.run(RevocationStatement.upsert.rawValue, .text(mark), .integer(number))
    }

    static func number(_ mark: String, in connection: Connection) throws -> Int64? {
        try connection.first(RevocationStatement.find.rawValue, .text(mark)) { $0.integer(0) }
    }

    static func all(in connection: Connection) throws -> TextDictionary<Int64> {
        var marks: TextDictionary<Int64> = [:]
        for (mark, number) in try connection.all(RevocationStatement.all.rawValue, row: { ($0.text(0), $0.integer(1)) }) {
            marks[mark] = number
        }
        return marks
    }
}
