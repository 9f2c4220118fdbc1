import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension AppServerCall {
    /// `/distribute-token.json` and `/sts/getsts`: returns credentials for the caller, restricted by the seed's session policy, if any.
    func distribute(as route: AppServerRoute) async throws -> Response {
        guard let distribution = server.distribution else { throw AppServerFailure.internalError }
        var fields = http.queryFields ?? [:]
        if http.method == .post {
            // Clients of the demo server may send any content, but it must be complete.
            do {
                fields.fields += try await http.form().fields
            } catch let fault as FormFault {
                if fault == .cutOff { throw AppServerFailure.malformed(fault.explanation) }
            }
        }
        let name = try await authenticate(fields, at: distribution)
        let duration = try duration(fields)
        try await enter(route, as: name)
        let session = try await takeRole(of: distribution, for: name, duration: duration)
        // The demo server sends its status as a string.
        let demo = JSONObject(session.keys + [("StatusCode", "200")])
        return .json(.object(route == .demo ? demo : document(of: session)), headers: .unstored)
    }

    /// Returns the duration of the session in seconds: the seed's, or less if the client requests it.
    private func duration(_ fields: FormFields) throws(AppServerFailure) -> Int {
        guard let text = fields.value("duration") else { return server.duration }
        guard let seconds = Int(digits: text), seconds >= 1 else { throw .malformed("duration must be at least 1 second, as an integer.") }
        return min(seconds, server.duration)
    }

    /// Calls AssumeRole as the server's RAM user. The duration may be shorter than STS allows its clients.
    private func takeRole(of distribution: AppServer.Distribution, for name: String, duration: Int) async throws -> RoleSession {
        guard case .user(let user, let key)? = directory.keys[distribution.accessKey], key.isActive else {
            throw AppServerFailure(refused: "InvalidAccessKeyId.NotFound", "Specified access key is not found.")
        }
        let policy = distribution.policy(for: name)
        guard policy.map({ $0.utf8.count <= SessionParameters.longestPolicy }) ?? true else {
            throw AppServerFailure(refused: RPCError.policySize)
        }
        try await applyFaults(asking: distribution.role, as: user.arn)
        let parameters = SessionParameters(roleARN: distribution.role, sessionName: name, policy: policy, duration: duration)
        do {
            return try sessions.assumeRole(parameters, for: .user(user, nil), in: http, shortest: 1)
        } catch let error as RPCError {
            throw AppServerFailure(refused: error)
        }
    }

    /// Applies errors on demand of STS to the server's own call of AssumeRole.
    /// - Throws: ``AppServerFailure`` with the error of STS.
    private func applyFaults(asking role: String, as caller: String) async throws {
        guard cloud.faults.isArmed else { return }
        let call = FaultableCall(service: "alibaba-sts", action: "AssumeRole", caller: caller, resources: [role])
        switch try await http.applyFaults(calling: call) {
        case .answered: break
        case .failed(let fault): throw AppServerFailure(refused: fault.failure.code, fault.entry(in: .rpc).message)
        case .lost: throw AppServerFailure.internalError
        }
    }

    /// The documentation shows three response formats; their union serves every sample.
    private func document(of session: RoleSession) -> JSONObject {
        var json: JSONObject = [
            "accessKeyId": .string(session.credentials.accessKeyID), "accessKeySecret": .string(session.credentials.secretAccessKey),
            "securityToken": .string(session.token), "expiration": .string(session.credentials.expires.iso8601),
            "federatedUser": .string("\(session.role.account):\(session.credentials.sessionName)"), "requestId": .string(requestID),
        ]
        for (name, value) in session.keys { json[name] = value }
        json["StatusCode"] = 200
        return json
    }
}

extension RoleSession {
    /// The credentials under the names that all clients read, except those of the documentation's first sample.
    var keys: [(String, JSONValue)] {
        [
            ("AccessKeyId", .string(credentials.accessKeyID)), ("AccessKeySecret", .string(credentials.secretAccessKey)),
            // Whole seconds: the clients' date patterns accept no fractions.
            ("SecurityToken", .string(token)), ("Expiration", .string(credentials.expires.iso8601)),
        ]
    }
}
