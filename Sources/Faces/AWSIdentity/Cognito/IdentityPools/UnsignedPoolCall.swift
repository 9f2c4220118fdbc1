import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// One call of a client without credentials: what an application does for the identity of its user.
/// (Amazon Cognito Developer Guide, "Identity pools authentication flow".)
struct UnsignedPoolCall {
    let face: IdentityPoolsFace
    let http: Call
    private let members: JSONMembers

    private var cloud: Cloud { http.cloud }
    private var directory: Directory { http.cloud.directory }

    init(_ face: IdentityPoolsFace, _ call: ServiceCall) throws(ServiceError) {
        self.face = face
        http = call.http
        members = try JSONMembers(call.body)
    }

    /// GetId.
    func identifier() async throws -> JSONValue? {
        var members = members
        let account = members.text("AccountId", .init(1...15, .digits))
        let id = members.requiredText("IdentityPoolId", .identifier)
        let logins = Self.logins(&members)
        try members.check()
        guard let pool = directory.identityPools.pool(id), account.map({ $0 == pool.account }) ?? true else {
            throw ServiceError(IdentityPoolRefusal.noSuchPool(id))
        }
        let verified = try await verify(logins, in: pool)
        let identity = try await face.identity(Optional.none, presenting: verified, in: pool, http)
        note(identity.id)
        return ["IdentityId": .string(identity.id)]
    }

    /// GetCredentialsForIdentity: the enhanced flow.
    func credentials() async throws -> JSONValue? {
        var members = members
        let id = members.requiredText("IdentityId", .identifier)
        let logins = Self.logins(&members)
        let custom = members.text("CustomRoleArn", .roleARN)
        try members.check()
        let pool = try pool(of: id)
        if let own = logins.first(where: { $0.key == IdentityPool.ownProvider }) {
            guard logins.count == 1 else { throw ServiceError(PoolLoginError.unsupportedProvider) }
            return try await credentials(for: id, withToken: own.value, in: pool, custom: custom)
        }
        let verified = try await verify(logins, in: pool)
        let identity = try await face.identity(id, presenting: verified, in: pool, http)
        let role: String
        do throws(PoolRoleError) {
            role = try PoolRole.choose(for: verified, in: pool, custom: custom)
        } catch {
            throw ServiceError(error)
        }
        let web: WebIdentity
        do throws(WebIdentityError) {
            web = try WebIdentity(
                ofPoolIdentity: identity.id, in: pool, methods: PoolToken.methods(of: verified),
                tags: PoolRole.tags(for: verified, in: pool))
        } catch {
            http.note(cause: ServiceError(error).message)
            throw ServiceError.poolConfiguration
        }
        return try session(for: web, of: role, isGuest: verified.isEmpty)
    }

    /// The credentials for a token of the pool, which the developer's own server has passed to the application.
    private func credentials(
        for id: String, withToken token: String, in pool: IdentityPool, custom: String?
    ) async throws -> JSONValue? {
        let web: WebIdentity
        do {
            web = try await PoolToken.identity(of: token, for: pool, cloud: cloud, names: http.names, issuers: face.issuers)
        } catch let error as PoolLoginError {
            if let cause = error.cause { http.note(cause: cause) }
            throw ServiceError(error)
        }
        guard web.subject == id, directory.identityPools.identity(id)?.isDisabled == false else {
            throw ServiceError(IdentityPoolRefusal.forbidden(id))
        }
        guard custom == nil else { throw ServiceError(PoolRoleError.customRoleNotSupported) }
        let isGuest = !web.methods.contains("authenticated")
        guard !isGuest || pool.allowsGuests else { throw ServiceError(IdentityPoolRefusal.noGuests) }
        guard let role = isGuest ? pool.guestRole : pool.authenticatedRole else { throw ServiceError.poolConfiguration }
        return try session(for: web, of: role, isGuest: isGuest)
    }

    /// GetOpenIdToken: the classic flow.
    func openIDToken() async throws -> JSONValue? {
        var members = members
        let id = members.requiredText("IdentityId", .identifier)
        let logins = Self.logins(&members)
        try members.check()
        let pool = try pool(of: id)
        guard pool.allowsClassicFlow != false else {
            throw ServiceError.invalidPoolParameter("Basic (classic) flow is not enabled, please use enhanced flow.")
        }
        guard pool.roleMappings.isEmpty else {
            throw ServiceError.invalidPoolParameter("Basic (classic) flow is not supported with RoleMappings, please use enhanced flow.")
        }
        guard !logins.contains(where: { pool.samlProviders.contains($0.key) }) else {
            throw ServiceError.invalidPoolParameter("Basic (classic) flow is not supported with SAML, please use enhanced flow.")
        }
        let verified = try await verify(logins, in: pool)
        let identity = try await face.identity(id, presenting: verified, in: pool, http)
        note(identity.id)
        let token = try await PoolToken.sign(
            for: identity.id, in: pool, methods: PoolToken.methods(of: verified), lifetime: PoolToken.lifetime, cloud: cloud)
        return ["IdentityId": .string(identity.id), "Token": .string(token)]
    }

    /// UnlinkIdentity.
    func unlink() async throws -> JSONValue? {
        var members = members
        let id = members.requiredText("IdentityId", .identifier)
        members.require("Logins")
        let logins = Self.logins(&members)
        members.require("LoginsToRemove")
        let removed = members.texts("LoginsToRemove", counts: 0...Int.max, .providerName) ?? []
        try members.check()
        let pool = try pool(of: id)
        let verified = try await verify(logins, in: pool).map(\.login)
        let now = cloud.clock.now
        try await cloud.edit(saying: { (refusal: IdentityPoolRefusal) in ServiceError(refusal) }) {
            (directory: inout Directory) throws(IdentityPoolRefusal) in
            guard let identity = directory.identityPools.identity(id) else { throw .noSuchIdentity(id) }
            guard verified.contains(where: { identity.logins.contains($0) }) else { throw .forbidden(id) }
            // A login that is not linked counts as removed.
            directory.unlink(identity, now: now) { removed.contains($0.provider) }
        }
        note(id)
        return Optional.none
    }

    // MARK: Parts

    private static func logins(_ members: inout JSONMembers) -> [(key: String, value: String)] {
        members.map("Logins", most: 10, keys: .providerName, values: .token, areSecret: true) ?? []
    }

    private func pool(of identity: String) throws(ServiceError) -> IdentityPool {
        let pools = directory.identityPools
        guard let pool = pools.identity(identity).flatMap({ pools.pool($0.pool) }) else {
            throw ServiceError(IdentityPoolRefusal.noSuchIdentity(identity))
        }
        return pool
    }

    private func verify(_ logins: [(key: String, value: String)], in pool: IdentityPool) async throws -> [PoolLogin] {
        guard !logins.isEmpty else { return [] }
        guard pool.hasProviders else { throw ServiceError.loginsDoNotMatch }
        let verifier = face.verifier(of: pool, http)
        var verified: [PoolLogin] = []
        for (key, value) in logins { verified.append(try await face.verify(key, value, with: verifier, http)) }
        return verified
    }

    private func note(_ identity: String) { http.note(caller: "\(IdentityPool.ownProvider):\(identity)") }

    /// Evaluates the role's trust policy for an identity, and issues the credentials.
    /// (STS API Reference, "AssumeRoleWithWebIdentity", which the service calls.)
    private func session(for identity: WebIdentity, of arn: String, isGuest: Bool) throws -> JSONValue? {
        note(identity.subject)
        guard PackedSize.percent(identity.requests.tagBytes) <= 100, let role = directory.role(arn: arn, at: .aws),
            http.authorize(assumption: identity, of: role, sessionName: Self.sessionName).isAllowed
        else { throw ServiceError.poolConfiguration }
        let policies = isGuest ? GuestPolicy.policies : SessionPolicies(documents: [], arns: [], size: Optional.none)
        let (credentials, token) = try face.tokens.session(
            of: role, named: Self.sessionName, for: identity, duration: Self.duration, leastSize: 0, policies: policies)
        let issued: JSONObject = [
            "AccessKeyId": .string(credentials.accessKeyID), "SecretKey": .string(credentials.secretAccessKey),
            "SessionToken": .string(token), "Expiration": .number(Double(credentials.expires.milliseconds) / 1000),
        ]
        return ["IdentityId": .string(identity.subject), "Credentials": .object(issued)]
    }

    /// The name of the sessions. (Public reports.)
    private static let sessionName = "CognitoIdentityCredentials"
    /// The duration of the sessions in seconds.
    private static let duration = 3600
}

extension IdentityPoolsFace {
    /// Returns the verifier of a pool's logins.
    func verifier(of pool: IdentityPool, _ call: Call) -> PoolLoginVerifier {
        PoolLoginVerifier(
            pool: pool, cloud: call.cloud, names: call.names, issuers: issuers, samlMetadata: samlMetadata, userPools: userPools)
    }

    /// Verifies one login, with the errors of the service.
    func verify(_ key: String, _ value: String, with verifier: PoolLoginVerifier, _ call: Call) async throws -> PoolLogin {
        do {
            return try await verifier.verify(key, value)
        } catch let error as PoolLoginError {
            if let cause = error.cause { call.note(cause: cause) }
            throw ServiceError(error)
        }
    }

    /// Returns the identity of a call. It is created, or gets new logins, if that is needed; most calls only read it.
    /// - Parameter id: the identifier that the call names; `nil` if the logins decide.
    func identity(
        _ id: String?, presenting logins: [PoolLogin], in pool: IdentityPool, byDeveloper: Bool = false, _ call: Call
    ) async throws -> PoolIdentity {
        let (logins, now) = (logins.map(\.login), call.cloud.clock.now)
        let newID = "\(pool.region):\(RequestID().uuid)"
        let find = { @Sendable (directory: inout Directory) throws(IdentityPoolRefusal) -> PoolIdentity in
            guard let id else { return try directory.identity(of: logins, in: pool, newID: newID, now: now) }
            return try directory.identity(id, presenting: logins, in: pool, byDeveloper: byDeveloper, now: now)
        }
        do throws(IdentityPoolRefusal) {
            var draft = call.cloud.directory
            let identity = try find(&draft)
            if draft.changes.isEmpty { return identity }
        } catch {
            throw ServiceError(error)
        }
        return try await call.cloud.edit(saying: { (refusal: IdentityPoolRefusal) in ServiceError(refusal) }) {
            (directory: inout Directory) throws(IdentityPoolRefusal) -> PoolIdentity in
            try find(&directory)
        }
    }
}
