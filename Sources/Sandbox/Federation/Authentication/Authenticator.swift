package import Cloud
import Directory
package import Policy
package import RequestSigning
import WireFormats

/// Authenticates signed requests: finds the secret, opens session tokens, checks time and signature, and returns the caller.
package final class Authenticator: Sendable {
    /// The maximum difference between a request's time and the server's. (S3 API Reference, error `RequestTimeTooSkewed`.)
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

    /// Creates an authenticator.
    /// - Parameter admitsForeignPages: whether pages of any origin may sign requests with well-known keys.
    package init(cloud: Cloud, admitsForeignPages: Bool = false) {
        self.cloud = cloud
        self.admitsForeignPages = admitsForeignPages
        sessions = SessionTokens(cloud: cloud)
    }

    /// Authenticates a request.
    /// - Parameters:
    ///   - service: the addressed service, as scopes name it. Only S3 accepts Signature V2.
    ///   - bucket: the bucket of a virtual-hosted request to S3.
    ///   - body: the whole body, for services that sign its hash without sending it; `nil` for S3, which sends the hash in a header.
    ///   - region: the only accepted region of a Version 4 signature; `nil` to accept every region.
    ///   - sessionToken: the session token from the parameters of the body, where older clients of the Query protocol send it.
    /// - Returns: `nil` for a request that is not signed.
    package func authenticate(
        _ request: SignableRequest, service: String, bucket: String? = nil, body: [UInt8]? = nil, region: String? = nil,
        sessionToken: String? = nil
    ) throws(AuthenticationError) -> Authenticated? {
        var run = DecidingRun<AuthenticationError>()
        return try authenticate(
            request, service: service, bucket: bucket, body: body, region: region, sessionToken: sessionToken, &run)
    }

    /// Returns every check of ``authenticate(_:service:bucket:body:region:sessionToken:)``, without recording a use of the key.
    /// - Returns: `nil` for a request that is not signed.
    package func verification(
        of request: SignableRequest, service: String, bucket: String? = nil, body: [UInt8]? = nil, region: String? = nil
    ) -> SignatureVerification? {
        SignatureVerification { run throws(AuthenticationError) in
            try authenticate(request, service: service, bucket: bucket, body: body, region: region, sessionToken: nil, &run)
        }
    }

    private func authenticate<Run: CheckRun>(
        _ request: SignableRequest, service: String, bucket: String?, body: [UInt8]?, region: String?, sessionToken: String?,
        _ run: inout Run
    ) throws(AuthenticationError) -> Authenticated? where Run.Failure == AuthenticationError {
        var presented: SignatureV4.Presented?
        presented = try run.find("format") { () throws(AuthenticationError) in
            do throws(SigningError) {
                return try SignatureV4.Presented(request, known: authorizations)
            } catch {
                throw .signing(error)
            }
        }
        if presented?.sessionToken == nil { presented?.sessionToken = sessionToken }
        if let presented { return try authenticate(request, presented, service: service, region: region, body: body, &run) }
        guard service == "s3" else { return nil }
        let older = try run.find("format") { () throws(AuthenticationError) in
            do throws(SignatureV2Error) {
                return try SignatureV2.Presented(request)
            } catch {
                throw .signingV2(error)
            }
        }
        guard let older else { return nil }
        return try authenticate(request, older, bucket: bucket, &run)
    }

    /// Returns the caller that an access key belongs to, and its secret.
    /// - Parameter vendor: the vendor of the addressed service; keys of the other vendor are unknown to it.
    package func holder(
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
        var run = DecidingRun<AuthenticationError>()
        return try holder(of: accessKey, sessionToken: sessionToken, at: vendor, &run)
    }

    private func holder<Run: CheckRun>(
        of accessKey: String, sessionToken: String, at vendor: Vendor, _ run: inout Run
    ) throws(AuthenticationError) -> (caller: Caller, secret: String) where Run.Failure == AuthenticationError {
        let session = try run.find("issued") { () throws(AuthenticationError) in
            do throws(SessionTokenError) {
                return try sessions.open(sessionToken, accessKeyID: accessKey)
            } catch {
                throw AuthenticationError(error, sessionToken, vendor)
            }
        }
        try run.check("times") { () throws(AuthenticationError) in
            do throws(SessionTokenError) {
                try sessions.checkEnd(of: session)
            } catch {
                throw AuthenticationError(error, sessionToken, vendor)
            }
        }
        let caller = try run.find("holder") { () throws(AuthenticationError) in
            guard Vendor(account: session.credentials.holder.account) == vendor, let caller = cloud.directory.caller(of: session) else {
                throw .invalidSessionToken(sessionToken)
            }
            return caller
        }
        return (caller, session.credentials.secretAccessKey)
    }

    /// Returns every check of a session token that the access key of its session presents to a service of its vendor, and the content of the
    /// token; `nil` for another text.
    package func verification(
        ofSessionToken token: String
    ) -> (content: SessionCredentials, checks: [VerificationCheck<AuthenticationError>])? {
        guard let content = sessions.content(of: token) else { return nil }
        var run = RecordingRun<AuthenticationError>()
        let vendor = Vendor(account: content.holder.account)
        _ = try? holder(of: content.accessKeyID, sessionToken: token, at: vendor, &run)
        return (content, run.checks)
    }

    /// Rejects an inactive key. AWS does not reveal that the key exists.
    private func check(_ key: AccessKey, of vendor: Vendor) throws(AuthenticationError) {
        guard !key.isActive else { return }
        throw vendor == .aws ? .unknownAccessKey(key.id) : .inactiveAccessKey(key.id)
    }

    /// Returns the caller of the newest live session with a name, including its claims, tags and session policies; `nil` if none is known.
    /// - Parameter name: the ARN of a role's session or of a federated user, or a temporary access key.
    package func caller(ofLiveSession name: String) -> Caller? {
        let session = sessions.live { credentials in
            credentials.accessKeyID == name || credentials.holder.sessionARNs.contains(name)
        }
        return session.flatMap(cloud.directory.caller(of:))
    }

    /// Records the use of a long-term key or a role, for `GetAccessKeyLastUsed` and the role's last use.
    func noteUse(of key: String, by caller: Caller, service: String, region: String) {
        switch caller {
        case .root(_, nil), .user(_, nil): cloud.keyUses.note(key, service: service, region: region, at: cloud.clock.now)
        case .role(let role, _): role.activity.note(cloud.clock.now, region: region)
        case .root, .user, .federatedUser, .anonymous: break
        }
    }

    /// Rejects an expired presigned request that contains its expiry but not the time of signing. It uses the wall clock: neither aging nor
    /// a change of the sandbox's clock affects it.
    func checkEnd(_ expires: Timestamp) throws(AuthenticationError) {
        let now = cloud.clock.wall
        guard now <= expires else { throw .presignedExpired(expires: expires, serverTime: now, lifetime: nil) }
    }

    /// Rejects an expired presigned request that contains the time of signing. It expires and ages in sandbox time, starting at the sandbox
    /// time at which the client signed it by the wall clock.
    func checkLifetime(_ lifetime: Duration, from timestamp: Timestamp) throws(AuthenticationError) {
        let (now, wall) = cloud.clock.reading
        let signed = cloud.clock.moment(ofWall: timestamp)
        let expires = cloud.clock.effective(signed) + lifetime
        guard now < expires else { throw .presignedExpired(expires: expires, serverTime: now, lifetime: lifetime) }
        guard timestamp <= wall + Self.allowedSkew, signed <= now + Self.allowedSkew else {
            throw .presignedNotYetValid(from: signed, expires: expires, serverTime: now)
        }
    }

    /// Rejects a presigned call whose time differs too much from the sandbox's clock, with which it ages.
    func checkAge(of timestamp: Timestamp) throws(AuthenticationError) {
        let (now, wall) = cloud.clock.reading
        let signed = cloud.clock.moment(ofWall: timestamp)
        let effective = cloud.clock.effective(signed)
        guard now <= effective + Self.allowedSkew, timestamp <= wall + Self.allowedSkew, signed <= now + Self.allowedSkew else {
            throw .requestTimeTooSkewed(requestTime: effective, text: timestamp.basic, serverTime: now)
        }
    }

    /// Rejects a header's time that differs too much from the wall clock.
    /// - Parameter text: the time as sent.
    func checkSkew(of time: Timestamp, text: @autoclosure () -> String) throws(AuthenticationError) {
        let now = cloud.clock.wall
        guard abs(now.milliseconds - time.milliseconds) <= Self.allowedSkewMilliseconds else {
            throw .requestTimeTooSkewed(requestTime: time, text: text(), serverTime: now)
        }
    }
}

extension AuthenticationError {
    fileprivate init(_ error: SessionTokenError, _ token: String, _ vendor: Vendor) {
        self =
            switch error {
            case .unknown: .invalidSessionToken(token)
            case .ofAnotherKey: vendor == .aws ? .invalidSessionToken(token) : .sessionTokenOfAnotherKey(token)
            case .expired: .expiredSessionToken(token)
            }
    }
}

extension Directory {
    /// Returns the caller of a session; `nil` if the role or user was deleted, even if one with the same name was created since.
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
    /// Returns the same session with the current versions of its managed session policies.
    fileprivate func with(managed: [AttachedPolicy]) -> Session {
        guard !credentials.sessionPolicyARNs.isEmpty else { return self }
        return Session(credentials: credentials, policies: (policies ?? []) + managed, scopes: scopes)
    }
}
