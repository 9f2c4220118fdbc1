package import Cloud
import Directory
import Policy
package import RequestSigning
import WireFormats

/// Turns a signature into a caller: finds the secret, recognises sessions, checks time and signature.
package final class Authenticator: Sendable {
    /// How far a request's time may be from ours. (S3 API Reference, error `RequestTimeTooSkewed`.)
    package static let allowedSkew = Duration.seconds(15 * 60)
    private static let allowedSkewMilliseconds = allowedSkew.components.seconds * 1000

    /// Opens session tokens.
    package let sessions: SessionTokens
    let cloud: Cloud
    let signingKeys = SigningKeyCache()
    let nonces = UsedNonces()
    private let authorizations = AuthorizationCache()
    /// Whether pages of any origin may sign requests with well-known keys.
    let admitsForeignPages: Bool

    /// - Parameter admitsForeignPages: whether pages of any origin may sign requests with well-known keys.
    package init(cloud: Cloud, admitsForeignPages: Bool = false) {
        self.cloud = cloud
        self.admitsForeignPages = admitsForeignPages
        sessions = SessionTokens(cloud: cloud)
    }

    /// Who made a request, if it is signed.
    /// - Parameters:
    ///   - service: the service that was addressed, as scopes name it. Only S3 takes Signature V2.
    ///   - bucket: the bucket of a virtual-hosted request to S3.
    ///   - body: the whole body, where the service signs its hash without saying it; `nil` for S3, which says it in a header.
    ///   - region: the only region that a signature of Version 4 may be for; `nil` if every region is taken.
    ///   - sessionToken: the token among the parameters of the body, where older clients of the Query protocol put it.
    /// - Returns: nothing for a request that is not signed.
    package func authenticate(
        _ request: SignableRequest, service: String, bucket: String? = nil, body: [UInt8]? = nil, region: String? = nil,
        sessionToken: String? = nil
    ) throws(AuthenticationError) -> Authenticated? {
        var presented: SignatureV4.Presented?
        do {
            presented = try SignatureV4.Presented(request, known: authorizations)
        } catch {
            throw .signing(error)
        }
        if presented?.sessionToken == nil { presented?.sessionToken = sessionToken }
        if let presented { return try authenticate(request, presented, service: service, region: region, body: body) }
        guard service == "s3" else { return nil }
        let older: SignatureV2.Presented?
        do {
            older = try SignatureV2.Presented(request)
        } catch {
            throw .signingV2(error)
        }
        return try older.map { presented throws(AuthenticationError) in
            try authenticate(request, presented, bucket: bucket)
        }
    }

    /// Whose access key it is, and the secret that must have signed.
    /// - Parameter vendor: whose door was knocked at; the keys of the other vendor are unknown there.
    func holder(
        of accessKey: String, sessionToken: String?, at vendor: Vendor = .aws
    ) throws(AuthenticationError) -> (caller: Caller, secret: String) {
        guard let sessionToken else {
            switch cloud.directory.keys[accessKey] {
            case .root(let account, let key) where account.vendor == vendor:
                try check(key, of: vendor)
                return (.root(account, nil), key.secret)
            case .user(let user, let key) where Vendor(account: user.user.account) == vendor:
                try check(key, of: vendor)
                return (.user(user, nil), key.secret)
            case .root, .user, nil: throw .unknownAccessKey(accessKey)
            }
        }
        let session: Session
        do {
            session = try sessions.open(sessionToken, accessKeyID: accessKey)
        } catch {
            switch error {
            case .unknown: throw .invalidSessionToken(sessionToken)
            case .ofAnotherKey: throw vendor == .aws ? .invalidSessionToken(sessionToken) : .sessionTokenOfAnotherKey(sessionToken)
            case .expired: throw .expiredSessionToken(sessionToken)
            }
        }
        guard Vendor(account: session.credentials.holder.account) == vendor, let caller = cloud.directory.caller(of: session) else {
            throw .invalidSessionToken(sessionToken)
        }
        return (caller, session.credentials.secretAccessKey)
    }

    /// AWS tells nobody that an inactive key exists.
    private func check(_ key: AccessKey, of vendor: Vendor) throws(AuthenticationError) {
        guard !key.isActive else { return }
        throw vendor == .aws ? .unknownAccessKey(key.id) : .inactiveAccessKey(key.id)
    }

    /// Returns the caller of the newest live session of a name, with its claims, tags and session policies; nil if none is known.
    /// - Parameter name: the ARN of a role's session or of a federated user, or a temporary access key.
    package func caller(ofLiveSession name: String) -> Caller? {
        let session = sessions.live { credentials in
            credentials.accessKeyID == name || credentials.holder.sessionARNs.contains(name)
        }
        return session.flatMap(cloud.directory.caller(of:))
    }

    /// Notes that a long-term key has signed something, for `GetAccessKeyLastUsed`.
    func noteUse(of key: String, by caller: Caller, service: String, region: String) {
        switch caller {
        case .root(_, nil), .user(_, nil): cloud.keyUses.note(key, service: service, region: region, at: cloud.clock.now)
        case .role(let role, _): role.activity.note(cloud.clock.now, region: region)
        case .root, .user, .federatedUser, .anonymous: break
        }
    }

    /// Refuses a presigned request that says when it ends and not when it was signed: neither ageing nor moving the sandbox's clock
    /// reaches it.
    func checkEnd(_ expires: Timestamp) throws(AuthenticationError) {
        let now = cloud.clock.wall
        guard now <= expires else { throw .presignedExpired(expires: expires, serverTime: now, lifetime: nil) }
    }

    /// A presigned request that says when it was signed lives and ages in the sandbox's time, from what that was when the client signed
    /// by the wall clock.
    func checkLifetime(_ lifetime: Duration, from timestamp: Timestamp) throws(AuthenticationError) {
        let (now, wall) = cloud.clock.reading
        let signed = cloud.clock.moment(ofWall: timestamp)
        let expires = cloud.clock.effective(signed) + lifetime
        guard now < expires else { throw .presignedExpired(expires: expires, serverTime: now, lifetime: lifetime) }
        guard timestamp <= wall + Self.allowedSkew, signed <= now + Self.allowedSkew else {
            throw .presignedNotYetValid(from: signed, serverTime: now)
        }
    }

    /// Refuses a header's time that is too far from the wall clock.
    /// - Parameter text: the time as sent.
    func checkSkew(of time: Timestamp, text: @autoclosure () -> String) throws(AuthenticationError) {
        let now = cloud.clock.wall
        guard abs(now.milliseconds - time.milliseconds) <= Self.allowedSkewMilliseconds else {
            throw .requestTimeTooSkewed(requestTime: time, text: text(), serverTime: now)
        }
    }
}

extension Directory {
    /// Whose session it is, if they are still there: a role or user that was deleted, or made again under the same name, ends
    /// the sessions of the old one.
    fileprivate func caller(of session: Session) -> Caller? {
        let session = session.with(managed: managed(session.credentials.sessionPolicyARNs))
        switch session.credentials.holder {
        case .root(let account): return accounts[account].map { .root($0, session) }
        case .user(let arn, let id):
            guard let user = user(arn: arn), user.user.id == id else { return nil }
            return .user(user, session)
        case .role(let arn, let id, _):
            guard let role = role(arn: arn), role.role.id == id else { return nil }
            return .role(role, session)
        case .federatedUser(let name, let account, let creator):
            guard let creator else { return .federatedUser(.init(name: name, account: account, user: nil), session) }
            guard let user = user(arn: creator.arn), user.user.id == creator.id else { return nil }
            return .federatedUser(.init(name: name, account: account, user: user), session)
        }
    }
}

extension Session {
    /// The same session with its managed session policies as they are now.
    fileprivate func with(managed: [AttachedPolicy]) -> Session {
        guard !credentials.sessionPolicyARNs.isEmpty else { return self }
        return Session(credentials: credentials, policies: (policies ?? []) + managed)
    }
}
