import Cloud
import Cryptography
import Directory
import Tokens
import WireFormats

/// A challenge that a client has not answered yet. The text `Session`, or the secret block of the SRP protocol, is the sealed record, so that
/// nothing is stored for a client that never answers.
struct UserPoolSession: Sendable {
    /// The name of the challenge.
    var challenge: String
    /// The identifier of the pool.
    var pool: String
    /// The identifier of the client.
    var client: String
    /// The `sub` of the person; empty for a person who does not exist.
    var sub: String
    /// Unique; a session can be used once.
    var id: String
    var issued: Timestamp
    /// What the challenge has besides, such as the server's secret of the SRP protocol.
    var details: JSONObject

    private static let context = Array("user pool session".utf8)

    init(challenge: String, client: UserPoolClient, sub: String, issued: Timestamp, details: JSONObject = [:]) throws {
        (self.challenge, pool, self.client, self.sub) = (challenge, client.pool, client.id, sub)
        (id, self.issued, self.details) = (try UserPoolIdentifier.newUUID(), issued, details)
    }

    /// - Parameter browser: the browser that can answer; `nil` for any client.
    init(challenge: String, client: UserPoolClient, sub: String, issued: Timestamp, browser: String?) throws {
        var details: JSONObject = [:]
        if let browser { details["browser"] = .string(browser) }
        try self.init(challenge: challenge, client: client, sub: sub, issued: issued, details: details)
    }

    /// The browser that can answer; `nil` for any client.
    var browser: String? { details["browser"]?.stringValue }

    /// Opens a sealed session; `nil` for another text.
    private init?(sealed bytes: [UInt8], in cloud: Cloud) {
        guard let record = try? SealedRecord.open(bytes, key: cloud.sealingKey, context: Self.context),
            let members = (try? JSONValue(parsing: record))?.arrayValue, members.count == 7, let challenge = members[0].stringValue,
            let pool = members[1].stringValue, let client = members[2].stringValue, let sub = members[3].stringValue,
            let id = members[4].stringValue, let issued = members[5].integerValue, let details = members[6].objectValue
        else { return nil }
        (self.challenge, self.pool, self.client, self.sub) = (challenge, pool, client, sub)
        (self.id, self.issued, self.details) = (id, Timestamp(stored: issued), details)
    }

    /// Opens the session of a call.
    init?(text: String, in cloud: Cloud) {
        guard let bytes = [UInt8](base64url: text) else { return nil }
        self.init(sealed: bytes, in: cloud)
    }

    /// Opens the session in a secret block.
    init?(secretBlock text: String, in cloud: Cloud) {
        guard let bytes = [UInt8](base64: text) else { return nil }
        self.init(sealed: bytes, in: cloud)
    }

    private func sealed(in cloud: Cloud) throws -> [UInt8] {
        let record: JSONValue = [
            .string(challenge), .string(pool), .string(client), .string(sub), .string(id), .integer(issued.milliseconds), .object(details),
        ]
        return try SealedRecord.sealedBytes(record.serializedBytes(), key: cloud.sealingKey, context: Self.context)
    }

    /// Returns the session as the text `Session`.
    func text(in cloud: Cloud) throws -> String { try sealed(in: cloud).base64url }

    /// Returns the session as a secret block.
    func secretBlock(in cloud: Cloud) throws -> String { try sealed(in: cloud).base64 }

    /// Returns whether the session cannot be answered any more.
    func hasExpired(at client: UserPoolClient, in cloud: Cloud) -> Bool {
        cloud.clock.hasExpired(issued + .seconds(60 * client.sessionMinutes), issuedAt: issued)
    }

    /// The longest validity of a session.
    private static let longest = Duration.seconds(60 * 60)

    /// Notes that the session was answered.
    /// - Returns: whether it was answered for the first time.
    func use(in cloud: Cloud) -> Bool {
        let now = cloud.clock.wall
        guard case .new = cloud.usedIdentifiers.take(id, of: pool, .challenges, until: now + Self.longest, now: now) else { return false }
        return true
    }
}
