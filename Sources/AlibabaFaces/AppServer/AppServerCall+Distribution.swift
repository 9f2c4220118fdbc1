import Cloud
import Exchange
import Federation
import HTTPTypes
import Policy
import WireFormats

extension AppServerCall {
    /// `/distribute-token.json` and `/sts/getsts`: credentials for the person who asks, with the least that they need.
    func distribute(as route: AppServerRoute) async throws -> Response {
        guard let distribution = server.distribution else { throw AppServerFailure.internalError }
        var fields = FormFields(parsing: exchange.query) ?? [:]
        if exchange.method == .post {
            // The demo server's clients may send anything.
            do { fields.fields += try await exchange.form().fields } catch is FormFault {}
        }
        let name = try await authenticate(fields, at: distribution)
        let duration = try duration(fields)
        try await enter(route, as: name)
        let session = try takeRole(of: distribution, for: name, duration: duration)
        return .json(.object(route == .demo ? session.demo : document(of: session)), headers: .unstored)
    }

    /// Seconds that the session is to last: the seed's, or fewer where the client asks for them.
    private func duration(_ fields: FormFields) throws(AppServerFailure) -> Int {
        guard let text = fields.value("duration") else { return server.duration }
        guard let seconds = Int(text), seconds >= 1 else { throw .malformed("duration must be a number of seconds from 1 on.") }
        return min(seconds, server.duration)
    }

    /// AssumeRole by the server's RAM user; both sides must allow it.
    private func takeRole(of distribution: AppServer.Distribution, for name: String, duration: Int) throws -> AppSession {
        guard case .user(let user, let key)? = directory.keys[distribution.accessKey], key.isActive else {
            throw AppServerFailure(refused: "InvalidAccessKeyId.NotFound", "Specified access key is not found.")
        }
        guard let role = directory.role(arn: distribution.role, at: .alibaba) else {
            throw AppServerFailure(refused: "EntityNotExist.Role", "The specified Role not exists.")
        }
        let verdict = exchange.authorize(
            .user(user, nil), "sts:AssumeRole", on: role.arn, ownedBy: role.role.account,
            resourcePolicy: AttachedPolicy("trust policy of \(role.role.name)", role.role.trustPolicy.document))
        guard verdict.decision.isAllowed else {
            throw AppServerFailure(
                refused: "NoPermission", "You are not authorized to do this action. You should be authorized by RAM.")
        }
        return try session(of: role, named: name, policy: distribution.policy(for: name), duration: duration)
    }

    /// A session of a role.
    /// - Parameter policy: narrows it, as the text of a policy.
    func session(of role: RoleEntry, named name: String, policy: String?, duration: Int) throws -> AppSession {
        var compact: String?
        if let policy {
            guard policy.utf8.count <= 2048 else {
                throw AppServerFailure(
                    refused: "InvalidParameter.PolicySize", "The size of Policy must be smaller than 2048 bytes.")
            }
            do {
                compact = try sessions.policies.entry(for: policy, .ram).compact
            } catch {
                throw AppServerFailure(
                    refused: "InvalidParameter.PolicyGrammar", "The parameter Policy has not passed grammar check.")
            }
        }
        guard duration <= role.role.maximumSessionDuration else {
            throw AppServerFailure(
                refused: "InvalidParameter.DurationSeconds", "The Min/Max value of DurationSeconds is 15min/1hr.")
        }
        let (credentials, token) = try sessions.mint(
            for: .role(arn: role.arn, id: role.role.id, sessionName: name), duration: duration
        ) { session in
            session.sessionPolicies = compact.map { [$0] } ?? []
        }
        return AppSession(account: role.role.account, credentials: credentials, token: token)
    }

    /// The documentation shows three shapes; the union serves every sample.
    private func document(of session: AppSession) -> JSONObject {
        var json: JSONObject = [
            "accessKeyId": .string(session.credentials.accessKeyID), "accessKeySecret": .string(session.credentials.secretAccessKey),
            "securityToken": .string(session.token), "expiration": .string(session.credentials.expires.iso8601),
            "federatedUser": .string("\(session.account):\(session.credentials.sessionName)"), "requestId": .string(requestID),
        ]
        for (name, value) in session.keys { json[name] = value }
        json["StatusCode"] = 200
        return json
    }
}

/// What the server gives to somebody.
struct AppSession: Sendable {
    var account: String
    var credentials: SessionCredentials
    var token: String

    /// The names that every client but those of the documentation's first sample reads.
    var keys: [(String, JSONValue)] {
        [
            ("AccessKeyId", .string(credentials.accessKeyID)), ("AccessKeySecret", .string(credentials.secretAccessKey)),
            // Whole seconds: the clients' patterns know no fractions.
            ("SecurityToken", .string(token)), ("Expiration", .string(credentials.expires.iso8601)),
        ]
    }

    /// The demo server's answer; its status is a text.
    var demo: JSONObject { JSONObject(keys + [("StatusCode", "200")]) }
}
