import Caching
package import Cloud
import Cryptography
import Policy
import Synchronization
import Tokens
import WireFormats

/// Why a session token is not accepted.
package enum SessionTokenError: Error, Equatable, Sendable {
    /// Not one of ours, or of an earlier generation of the sandbox.
    case unknown
    /// One of ours, but of another access key.
    case ofAnotherKey
    case expired
}

/// Mints and opens session credentials. Minting writes nothing: the token carries the sealed record.
package final class SessionTokens: Sendable {
    /// Session policies that were compiled already.
    package let policies = SessionPolicyCache()
    private let cloud: Cloud
    /// Opened tokens, so that a client's second request costs a look-up instead of a decryption and a parse. By access key, which is
    /// short; a token has a thousand bytes to hash.
    private let opened = BoundedCache<String, Opened>(capacity: 4096)

    private struct Opened: Sendable {
        /// That of the sandbox, in which the token was sealed; a reset ends it.
        var generation: Int64
        var token: String
        var session: Session
    }

    /// The newest sessions issued, so that they can be found by their names: nothing else records them.
    private let minted = Mutex(IssuedSessions())

    /// - Parameter cloud: the sandbox whose keys seal the tokens.
    package init(cloud: Cloud) { self.cloud = cloud }

    /// New credentials.
    /// - Parameters:
    ///   - duration: seconds.
    ///   - complete: sets what the session has beyond holder and times.
    /// - Returns: the credentials and the session token that stands for them.
    package func mint(
        for holder: SessionCredentials.Holder, duration: Int, _ complete: (inout SessionCredentials) -> Void = { _ in }
    ) throws -> (credentials: SessionCredentials, token: String) {
        let now = cloud.clock.now
        let issued = Timestamp(seconds: now.seconds)
        // One look at the generator of randomness instead of two.
        let random = try randomBytes(5 + 30)
        let account = holder.account
        let vendor = Vendor(account: account)
        var credentials = SessionCredentials(
            accessKeyID: try vendor.temporaryAccessKey(account: account, random.prefix(5)),
            secretAccessKey: Array(random.dropFirst(5)).base64,
            holder: holder, issued: issued, expires: Timestamp(seconds: issued.seconds + Int64(duration)))
        complete(&credentials)
        let token = try SealedRecord.seal(credentials.serialized, key: cloud.sealingKey)
        minted.withLock { [credentials] in $0.append(credentials, generation: cloud.generation) }
        return (credentials, vendor.tokenPrefix + token)
    }

    /// The session that a token stands for.
    /// - Parameter accessKeyID: the key that the request is signed with; it must be the session's own.
    /// - Throws: `SessionTokenError`. An expired token is recognised as expired, not as unknown.
    package func open(_ token: String, accessKeyID: String) throws(SessionTokenError) -> Session {
        let generation = cloud.generation
        let session: Session
        if let known = opened.value(for: accessKeyID), known.generation == generation, known.token == token {
            session = known.session
        } else {
            session = try unseal(token, accessKeyID, generation)
        }
        guard !cloud.clock.hasExpired(session.credentials.expires, issuedAt: session.credentials.issued) else { throw .expired }
        return session
    }

    /// Returns the newest session that fits and has not expired, of the newest that were issued and of those whose tokens were used lately.
    ///
    /// Used tokens count since they outlive the process where a folder keeps the state.
    package func live(where fits: (SessionCredentials) -> Bool) -> Session? {
        let generation = cloud.generation
        let used = opened.values.filter { $0.generation == generation }.map(\.session.credentials)
        let candidates = used + minted.withLock { $0.entries(generation: generation) }
        // Of sessions issued in the same second the last one counts, as they were issued.
        var newest: SessionCredentials?
        for candidate in candidates where fits(candidate) && candidate.issued >= newest?.issued ?? candidate.issued {
            if !cloud.clock.hasExpired(candidate.expires, issuedAt: candidate.issued) { newest = candidate }
        }
        return newest.flatMap { Session($0, policies: policies) }
    }

    private func unseal(_ token: String, _ accessKeyID: String, _ generation: Int64) throws(SessionTokenError) -> Session {
        let prefix = Vendor.alibaba.tokenPrefix
        // No sealed record begins like this one's prefix: the first byte of each is its version.
        let sealed = token.hasPrefix(prefix) ? String(token.dropFirst(prefix.count)) : token
        guard let plaintext = try? SealedRecord.open(sealed, key: cloud.sealingKey), let json = try? JSONValue(parsing: plaintext),
            let credentials = SessionCredentials(json: json), let session = Session(credentials, policies: policies)
        else { throw .unknown }
        guard credentials.accessKeyID == accessKeyID else { throw .ofAnotherKey }
        opened.insert(Opened(generation: generation, token: token, session: session), for: accessKeyID)
        return session
    }
}

extension Session {
    /// A session token's content, its inline session policy compiled; `nil` if it is no policy.
    fileprivate convenience init?(_ credentials: SessionCredentials, policies known: SessionPolicyCache) {
        guard !credentials.sessionPolicies.isEmpty || !credentials.sessionPolicyARNs.isEmpty else {
            self.init(credentials: credentials, policies: nil)
            return
        }
        let dialect: PolicyDialect = Vendor(account: credentials.holder.account) == .alibaba ? .ram : .aws
        var policies: [AttachedPolicy] = []
        for text in credentials.sessionPolicies {
            guard let entry = try? known.entry(for: text, dialect) else { return nil }
            policies.append(AttachedPolicy("session policy", entry.document))
        }
        self.init(credentials: credentials, policies: policies)
    }
}

extension Vendor {
    /// What every session token of the vendor begins with.
    fileprivate var tokenPrefix: String { self == .aws ? "" : "CAIS" }

    /// The identifier of new temporary credentials.
    /// - Parameter random: five bytes; AWS's identifiers tell the account beside them.
    fileprivate func temporaryAccessKey(account: String, _ random: ArraySlice<UInt8>) throws -> String {
        switch self {
        case .aws: "ASIA" + AccessKeyAlphabet.text(account: account, Array(random))
        case .alibaba: "STS.NU" + AccessKeyAlphabet.text(try randomBytes(23))
        }
    }
}
