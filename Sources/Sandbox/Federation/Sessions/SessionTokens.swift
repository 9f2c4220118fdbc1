import Caching
package import Cloud
import Cryptography
import Policy
import Synchronization
import Tokens
import WireFormats

/// The reason why a session token is not accepted.
package enum SessionTokenError: Error, Equatable, Sendable {
    /// The token was not issued here, or in an earlier generation of the sandbox.
    case unknown
    /// The token belongs to another access key.
    case ofAnotherKey
    case expired
}

/// Issues and opens session tokens. Nothing is stored: the token contains the sealed record.
package final class SessionTokens: Sendable {
    /// The compiled session policies.
    package let policies = SessionPolicyCache()
    private let cloud: Cloud
    /// Opened tokens, so that a client's later requests need a lookup instead of decrypting and parsing. The key is the access key, which
    /// is short; a token has a thousand bytes to hash.
    private let opened = BoundedCache<String, Opened>(capacity: 4096)

    private struct Opened: Sendable {
        /// The generation of the sandbox in which the token was sealed; a reset invalidates it.
        var generation: Int64
        var token: String
        var session: Session
    }

    /// The newest issued sessions, which are recorded only here, so that they can be found by name.
    private let minted = Mutex(IssuedSessions())

    /// Creates the store of session tokens.
    /// - Parameter cloud: the sandbox whose keys seal the tokens.
    package init(cloud: Cloud) { self.cloud = cloud }

    /// Issues new credentials.
    /// - Parameters:
    ///   - duration: seconds.
    ///   - leastSize: the minimum size of the session token in bytes.
    ///   - complete: sets the properties of the session other than holder and times.
    /// - Returns: the credentials and their session token.
    package func mint(
        for holder: SessionCredentials.Holder, duration: Int, leastSize: Int = 0,
        _ complete: (inout SessionCredentials) -> Void = { _ in }
    ) throws -> (credentials: SessionCredentials, token: String) {
        let now = cloud.clock.now
        let issued = Timestamp(seconds: now.seconds)
        // One call of the random generator instead of two.
        let random = try randomBytes(5 + 30)
        let account = holder.account
        let vendor = Vendor(account: account)
        var credentials = SessionCredentials(
            accessKeyID: try vendor.temporaryAccessKey(account: account, random.prefix(5)),
            secretAccessKey: Array(random.dropFirst(5)).base64,
            holder: holder, issued: issued, expires: Timestamp(seconds: issued.seconds + Int64(duration)))
        complete(&credentials)
        var record = credentials.serialized
        // Spaces after the record make the token larger. Base 64 has four bytes for three.
        let missing = (leastSize * 3 + 3) / 4 - record.count
        if missing > 0 { record += repeatElement(UInt8(ascii: " "), count: missing) }
        let token = try SealedRecord.seal(record, key: cloud.sealingKey)
        minted.withLock { [credentials] in $0.append(credentials, generation: cloud.generation) }
        return (credentials, vendor.tokenPrefix + token)
    }

    /// Returns the session that an assumption would begin, without usable credentials: for decisions about what it may do.
    /// - Returns: `nil` if a session policy is not valid.
    package func session(expectedBy assumption: RoleAssumption) -> Session? {
        let now = Timestamp(seconds: cloud.clock.now.seconds)
        var credentials = SessionCredentials(
            accessKeyID: "", secretAccessKey: "", holder: assumption.holder, issued: now, expires: now)
        assumption.apply(to: &credentials)
        return Session(credentials, policies: policies)
    }

    /// Returns a session token of credentials that were issued before. It differs from the token at that time, and is valid as long.
    package func token(of credentials: SessionCredentials) throws -> String {
        Vendor(account: credentials.holder.account).tokenPrefix + (try SealedRecord.seal(credentials.serialized, key: cloud.sealingKey))
    }

    /// Opens a session token, even if it has expired.
    /// - Parameter accessKeyID: the access key that signed the request; it must be the session's own.
    /// - Throws: `SessionTokenError.unknown` or `SessionTokenError.ofAnotherKey`.
    package func open(_ token: String, accessKeyID: String) throws(SessionTokenError) -> Session {
        let generation = cloud.generation
        if let known = opened.value(for: accessKeyID), known.generation == generation,
            constantTimeEquals(known.token, token)
        {
            return known.session
        }
        return try unseal(token, accessKeyID, generation)
    }

    /// Rejects a session that has expired.
    /// - Throws: `SessionTokenError.expired`.
    package func checkEnd(of session: Session) throws(SessionTokenError) {
        guard !session.credentials.hasExpired(by: cloud.clock) else { throw .expired }
    }

    /// Returns the content of a session token of this generation, even if it has expired; `nil` for another text.
    package func content(of token: String) -> SessionCredentials? {
        let prefix = Vendor.alibaba.tokenPrefix
        // No sealed record begins with this prefix, because its first byte is the version.
        let sealed = token.hasPrefix(prefix) ? String(token.dropFirst(prefix.count)) : token
        guard let plaintext = try? SealedRecord.open(sealed, key: cloud.sealingKey) else { return nil }
        return (try? JSONValue(parsing: plaintext)).flatMap(SessionCredentials.init(json:))
    }

    /// Returns the newest matching session that has not expired, among the newest issued sessions and those whose tokens were used
    /// recently.
    ///
    /// Used tokens are searched too, because with a data directory they outlive the process that issued them.
    package func live(where fits: (SessionCredentials) -> Bool) -> Session? {
        let generation = cloud.generation
        let used = opened.values.filter { $0.generation == generation }.map(\.session.credentials)
        let candidates = used + minted.withLock { $0.entries(generation: generation) }
        // Among sessions issued in the same second the last one wins, because they are in the order of issue.
        var newest: SessionCredentials?
        for candidate in candidates where fits(candidate) && candidate.issued >= newest?.issued ?? candidate.issued {
            if !candidate.hasExpired(by: cloud.clock) { newest = candidate }
        }
        return newest.flatMap { Session($0, policies: policies) }
    }

    /// Returns the sessions that have not expired, the newest first, among the newest issued sessions and those whose tokens were used
    /// recently.
    package func allLive() -> [SessionCredentials] {
        let generation = cloud.generation
        let used = opened.values.filter { $0.generation == generation }.map(\.session.credentials)
        var known: Set<String> = []
        let candidates = (used + minted.withLock { $0.entries(generation: generation) }).filter { known.insert($0.accessKeyID).inserted }
        return candidates.filter { !$0.hasExpired(by: cloud.clock) }.sorted { $0.issued > $1.issued }
    }

    private func unseal(_ token: String, _ accessKeyID: String, _ generation: Int64) throws(SessionTokenError) -> Session {
        guard let credentials = content(of: token), let session = Session(credentials, policies: policies) else { throw .unknown }
        guard credentials.accessKeyID == accessKeyID else { throw .ofAnotherKey }
        opened.insert(Opened(generation: generation, token: token, session: session), for: accessKeyID)
        return session
    }
}

extension Session {
    /// Creates a session and compiles its inline session policies; `nil` if one is not a valid policy.
    fileprivate convenience init?(_ credentials: SessionCredentials, policies known: SessionPolicyCache) {
        let isLimited = !credentials.sessionPolicies.isEmpty || !credentials.sessionPolicyARNs.isEmpty
        guard isLimited || !credentials.scopes.isEmpty else {
            self.init(credentials: credentials, policies: nil)
            return
        }
        let dialect: PolicyDialect = Vendor(account: credentials.holder.account) == .alibaba ? .ram : .aws
        func compiled(_ texts: [String]) -> [AttachedPolicy]? {
            var policies: [AttachedPolicy] = []
            for text in texts {
                guard let entry = try? known.entry(for: text, dialect) else { return nil }
                policies.append(AttachedPolicy("session policy", entry.document))
            }
            return policies
        }
        guard let policies = compiled(credentials.sessionPolicies), let scopes = compiled(credentials.scopes) else { return nil }
        self.init(credentials: credentials, policies: isLimited ? policies : nil, scopes: scopes)
    }
}

extension Vendor {
    /// The prefix of every session token of the vendor.
    fileprivate var tokenPrefix: String { self == .aws ? "" : "CAIS" }

    /// Returns the identifier of new temporary credentials.
    /// - Parameter random: five bytes; AWS's identifiers also encode the account.
    fileprivate func temporaryAccessKey(account: String, _ random: ArraySlice<UInt8>) throws -> String {
        switch self {
        case .aws: "ASIA" + AccessKeyAlphabet.text(account: account, Array(random))
        case .alibaba: "STS.NU" + AccessKeyAlphabet.text(try randomBytes(23))
        }
    }
}
