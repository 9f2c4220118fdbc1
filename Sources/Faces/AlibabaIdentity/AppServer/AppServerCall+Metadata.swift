import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import Tokens
import WireFormats

extension AppServerCall {
    private static let tokenContext = Array("instance metadata".utf8)
    /// The maximum lifetime of a token in seconds. (ECS User Guide, "Instance metadata", hardened mode.)
    private static let longestToken = 21_600

    /// `PUT /latest/api/token`: returns the token for requests in hardened mode. It contains its own expiry.
    func makeMetadataToken() async throws -> Response {
        guard let seconds = http.headers[.metadataTokenLifetime].flatMap({ Int(digits: $0) }), (1...Self.longestToken).contains(seconds)
        else {
            throw AppServerFailure.malformed("X-aliyun-ecs-metadata-token-ttl-seconds must be a number from 1 to \(Self.longestToken).")
        }
        try await enter(.metadataToken, as: nil)
        let issued = Timestamp(seconds: cloud.clock.now.seconds)
        let record: JSONValue = [.integer(issued.seconds), .integer(Int64(seconds))]
        let token = try SealedRecord.sealedBytes(record.serializedBytes(), key: cloud.sealingKey, context: Self.tokenContext).base64url
        return Response(status: .ok, contentType: "text/plain; charset=utf-8", headers: .unstored, text: token)
    }

    /// `/latest/meta-data/ram/security-credentials/`: returns the role's name, and below it the role's credentials, if the role trusts ECS.
    /// Clients that accept a URL for their credentials can use this one.
    /// - Parameter name: the name of the role; empty for the list.
    func showInstanceRole(_ name: String) async throws -> Response {
        // Normal mode needs no token, but a token that is sent must be valid.
        if let token = http.headers[.metadataToken], !isMetadataToken(token) {
            throw AppServerFailure("Unauthorized", .unauthorized, "The metadata token is not valid.")
        }
        guard let arn = server.instanceRole, let role = directory.role(arn: arn, at: .alibaba) else {
            throw AppServerFailure("NotFound", .notFound, "The instance has no role.")
        }
        try await enter(.metadata(role: name), as: name.isEmpty ? nil : role.arn)
        guard !name.isEmpty else {
            return Response(status: .ok, contentType: "text/plain; charset=utf-8", headers: .unstored, text: role.role.name)
        }
        guard name == role.role.name else { throw AppServerFailure("NotFound", .notFound, "The instance has no role with this name.") }
        // ECS does not attach a role that does not trust it (ECS API Reference, "AttachInstanceRamRole", InvalidRamRole.NotEcsRole). How the
        // metadata answer after a later change is not known.
        let service = ServiceCaller(principal: Self.principal, region: Self.region)
        guard http.authorize(RoleAssumption(of: role, named: Self.instance), by: service).isAllowed else {
            throw AppServerFailure("NotFound", .notFound, "ECS cannot assume the role \(name).")
        }
        let parameters = SessionParameters(roleARN: arn, sessionName: Self.instance, duration: server.duration)
        let session: RoleSession
        do {
            session = try sessions.session(of: role.role, parameters, shortest: 1)
        } catch let error as RPCError {
            throw AppServerFailure(refused: error)
        }
        let json = JSONObject(
            session.keys + [("LastUpdated", .string(session.credentials.issued.iso8601)), ("Code", "Success")])
        return .json(.object(json), headers: .unstored)
    }

    /// The principal of trust policies.
    private static let principal = "ecs.aliyuncs.com"
    /// The region of the machine.
    private static let region = "cn-hangzhou"
    /// The session name of the machine's role, which is the name of the machine.
    private static let instance = "vm-ram-i-virga"

    private func isMetadataToken(_ text: String) -> Bool {
        guard let bytes = [UInt8](base64url: text),
            let record = try? SealedRecord.open(bytes, key: cloud.sealingKey, context: Self.tokenContext),
            let values = (try? JSONValue(parsing: record))?.arrayValue, values.count == 2, let issued = values[0].integerValue,
            let lifetime = values[1].integerValue
        else { return false }
        let start = Timestamp(seconds: issued)
        return !cloud.clock.hasExpired(start + .seconds(lifetime), issuedAt: start)
    }
}

extension HTTPField.Name {
    fileprivate static let metadataToken = HTTPField.Name(literal: "X-aliyun-ecs-metadata-token")
    fileprivate static let metadataTokenLifetime = HTTPField.Name(literal: "X-aliyun-ecs-metadata-token-ttl-seconds")
}
