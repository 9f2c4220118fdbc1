package import Cloud
import Cryptography
package import Policy
import Synchronization
import Tokens
import WireFormats

/// Why a session token is not accepted.
package enum SessionTokenError: Error, Equatable, Sendable {
    /// Not one of ours, of an earlier generation of the sandbox, or of another access key.
    case unknown
    case expired
}

/// Mints and opens session credentials. Minting writes nothing: the token carries the sealed record.
package final class SessionTokens: Sendable {
    private let cloud: Cloud
    private let opened = Mutex(Opened())

    /// Opened tokens, so that a client's second request costs a look-up instead of a decryption and a parse.
    private struct Opened {
        /// The generation that they were sealed in; a reset of the sandbox ends it.
        var generation: Int64 = 0
        var sessions: [String: OpenedSession] = [:]
    }

    private static let rememberedTokens = 4096

    package init(cloud: Cloud) { self.cloud = cloud }

    /// New credentials for a session of `role`.
    /// - Parameter duration: seconds.
    /// - Returns: the credentials and the session token that stands for them.
    package func mint(
        role: Role, sessionName: String, duration: Int, claims: [SessionCredentials.Claim], sessionPolicies: [String],
        sourceIdentity: String?
    ) throws -> (credentials: SessionCredentials, token: String) {
        let now = cloud.clock.now
        let issued = Timestamp(seconds: now.seconds)
        let credentials = SessionCredentials(
            accessKeyID: "ASIA" + AccessKeyAlphabet.text(try randomBytes(16)), secretAccessKey: try randomBytes(30).base64,
            roleARN: role.arn, roleID: role.id, sessionName: sessionName, issued: issued,
            expires: Timestamp(seconds: issued.seconds + Int64(duration)), claims: claims, sessionPolicies: sessionPolicies,
            sourceIdentity: sourceIdentity)
        let token = try SealedRecord.seal(credentials.json.serializedBytes(), key: cloud.sealingKey)
        return (credentials, token)
    }

    /// The session that a token stands for.
    /// - Parameter accessKeyID: the key that the request is signed with; it must be the session's own.
    /// - Throws: `SessionTokenError`. An expired token is recognised as expired, not as unknown.
    package func open(_ token: String, accessKeyID: String) throws(SessionTokenError) -> OpenedSession {
        let generation = cloud.generation
        let remembered = opened.withLock { $0.generation == generation ? $0.sessions[token] : nil }
        guard let session = remembered ?? unseal(token, generation), session.credentials.accessKeyID == accessKeyID
        else { throw .unknown }
        guard !cloud.clock.hasExpired(session.credentials.expires, issuedAt: session.credentials.issued) else { throw .expired }
        return session
    }

    private func unseal(_ token: String, _ generation: Int64) -> OpenedSession? {
        guard let plaintext = try? SealedRecord.open(token, key: cloud.sealingKey), let json = try? JSONValue(parsing: plaintext),
            let credentials = SessionCredentials(json: json), let session = OpenedSession(credentials)
        else { return nil }
        opened.withLock { opened in
            if opened.generation != generation || opened.sessions.count >= Self.rememberedTokens {
                opened = Opened(generation: generation)
            }
            opened.sessions[token] = session
        }
        return session
    }
}

/// A session token's content, its session policies compiled.
package struct OpenedSession: Sendable {
    package var credentials: SessionCredentials
    /// Nothing if the session was made without session policies.
    package var policies: [AttachedPolicy]?

    init?(_ credentials: SessionCredentials) {
        self.credentials = credentials
        guard !credentials.sessionPolicies.isEmpty else { return }
        var policies: [AttachedPolicy] = []
        for text in credentials.sessionPolicies {
            guard let document = try? PolicyDocument(parsing: text, kind: .identity) else { return nil }
            policies.append(AttachedPolicy("session policy", document))
        }
        self.policies = policies
    }
}

/// Base 32 as access key identifiers use it.
enum AccessKeyAlphabet {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// One digit for each byte.
    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { digits[Int($0 & 31)] }, as: UTF8.self)
    }
}
