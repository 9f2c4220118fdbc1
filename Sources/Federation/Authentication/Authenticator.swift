package import Cloud
package import RequestSigning
import WireFormats

/// Turns a signature into a caller: finds the secret, recognises sessions, checks time and signature.
package final class Authenticator: Sendable {
    /// How far a request's time may be from ours. (S3 API Reference, error `RequestTimeTooSkewed`.)
    package static let allowedSkew = Duration.seconds(15 * 60)

    package let sessions: SessionTokens
    private let cloud: Cloud
    private let signingKeys = SigningKeyCache()

    package init(cloud: Cloud) {
        self.cloud = cloud
        sessions = SessionTokens(cloud: cloud)
    }

    /// Who made a request, if it carries a Signature V4.
    /// - Parameters:
    ///   - service: the service that was addressed, as scopes name it.
    ///   - body: the whole body, where the service signs its hash without saying it; nothing for S3, which says it in a header.
    /// - Returns: nothing for a request that is not signed.
    package func authenticate(
        _ request: SignableRequest, service: String, body: [UInt8]? = nil
    ) throws(AuthenticationError) -> Authenticated? {
        let presented: SignatureV4.Presented
        let declared: PayloadHash?
        do {
            guard let found = try SignatureV4.Presented(request) else { return nil }
            presented = found
            declared = try found.payloadHash(of: request)
        } catch {
            throw .signing(error)
        }
        guard presented.scope.service == service else {
            throw .wrongService(presented: presented.scope.service, expected: service)
        }
        let isS3 = service == "s3"
        let payload: PayloadHash
        if isS3 {
            guard let declared else { throw .missingPayloadHash }
            payload = declared
        } else {
            payload = PayloadHash(of: body ?? [])
        }
        if isS3, presented.place == .query, presented.expires == nil { throw .missingExpires }

        let holder = try holder(of: presented)
        try checkTime(of: presented)
        if isS3 {
            let unsigned = presented.headersNotSigned(in: request)
            guard unsigned.isEmpty else { throw .headersNotSigned(unsigned) }
        }
        let key = signingKeys.key(secret: holder.secret, scope: presented.scope)
        do {
            try presented.verify(request, payload: payload, path: isS3 ? .asReceived : .normalised, key: key)
        } catch {
            throw .signatureMismatch(error, accessKeyID: presented.accessKey)
        }
        return Authenticated(caller: holder.caller, presented: presented, payload: payload, key: key)
    }

    /// Whose access key it is, and the secret that must have signed.
    private func holder(
        of presented: SignatureV4.Presented
    ) throws(AuthenticationError) -> (caller: Caller, secret: String) {
        let directory = cloud.directory
        guard let token = presented.sessionToken else {
            switch directory.keys[presented.accessKey] {
            case .root(let account, let key): return (.root(account), key.secret)
            case .user(let user, let key): return (.user(user), key.secret)
            case nil: throw .unknownAccessKey(presented.accessKey)
            }
        }
        let session: OpenedSession
        do {
            session = try sessions.open(token, accessKeyID: presented.accessKey)
        } catch {
            switch error {
            case .unknown: throw .invalidSessionToken(token)
            case .expired: throw .expiredSessionToken(token)
            }
        }
        // A role that was deleted, or made again under the same name, ends the sessions of the old one.
        let credentials = session.credentials
        guard let role = directory.role(arn: credentials.roleARN), role.id == credentials.roleID else {
            throw .invalidSessionToken(token)
        }
        return (
            .session(RoleSession(credentials: credentials, policies: session.policies, role: role)), credentials.secretAccessKey
        )
    }

    /// A header's freshness is a matter of the wall clock; a presigned request ages with the sandbox.
    private func checkTime(of presented: SignatureV4.Presented) throws(AuthenticationError) {
        let now = cloud.clock.now
        if let lifetime = presented.expires {
            let expires = cloud.clock.effective(presented.timestamp) + lifetime
            guard now < expires else { throw .presignedExpired(expires: expires, serverTime: now, lifetime: lifetime) }
            guard presented.timestamp <= now + Self.allowedSkew else {
                throw .presignedNotYetValid(from: presented.timestamp, serverTime: now)
            }
            return
        }
        let earliest = now - Self.allowedSkew
        let latest = now + Self.allowedSkew
        guard (earliest...latest).contains(presented.timestamp) else {
            throw .requestTimeTooSkewed(requestTime: presented.timestamp, serverTime: now)
        }
    }
}

/// A request whose signature holds.
package struct Authenticated: Sendable {
    package var caller: Caller
    package var presented: SignatureV4.Presented
    /// What the signature says about the body.
    package var payload: PayloadHash
    /// The key that verified it; chunk signatures continue with it.
    package var key: RequestSigning.SigningKey
}
