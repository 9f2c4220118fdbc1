import Federation
import HTTPTypes
import Policy
import WireFormats

/// What every operation that takes a role is told of the session. (STS API Reference, "AssumeRole", constraints as there.)
struct SessionParameters: Equatable, Sendable {
    var roleARN: String
    /// `nil` if an assertion says it.
    var sessionName: String?
    /// The session policy, as it was passed.
    var policy: String?
    /// Seconds.
    var duration: Int?
    /// At `AssumeRole` alone.
    var externalID: String?
    var sourceIdentity: String?

    /// The shortest session that a caller can ask for, in seconds.
    static let leastDuration = 900
    /// Bytes that a session policy may have.
    static let longestPolicy = 2048

    init(roleARN: String, sessionName: String?, policy: String? = nil, duration: Int? = nil) {
        self.roleARN = roleARN
        self.sessionName = sessionName
        self.policy = policy
        self.duration = duration
    }

    /// - Parameter namesSession: whether `RoleSessionName` is one of the parameters.
    init(_ call: RPCCall, namesSession: Bool = true) throws(RPCError) {
        roleARN = try call.required("RoleArn")
        guard RAMRoleName(arn: roleARN) != nil else { throw .wronglyFormed("RoleArn") }
        if namesSession {
            let name = try call.required("RoleSessionName")
            guard Self.isName(name) else { throw .wronglyFormed("RoleSessionName") }
            sessionName = name
        }
        if let policy = call.text("Policy") {
            guard policy.utf8.count <= Self.longestPolicy else { throw .policySize }
            self.policy = policy
        }
        if let text = call.text("DurationSeconds") {
            guard let seconds = Int(digits: text), seconds >= Self.leastDuration else { throw .duration(most: 3600) }
            duration = seconds
        }
    }

    /// Reads what `AssumeRole` alone takes.
    mutating func readConditions(_ call: RPCCall) throws(RPCError) {
        if let id = call.text("ExternalId") {
            guard 2...1224 ~= id.utf8.count, id.utf8.allSatisfy({ isAlphanumeric($0) || "_=,.@:/-+".utf8.contains($0) }) else {
                throw .wronglyFormed("ExternalId")
            }
            externalID = id
        }
        if let source = call.text("SourceIdentity") {
            guard 2...64 ~= source.utf8.count, source.utf8.allSatisfy({ isAlphanumeric($0) || "_=,.@-".utf8.contains($0) }) else {
                throw .wronglyFormed("SourceIdentity")
            }
            sourceIdentity = source
        }
    }

    /// Whether a text can name a session.
    static func isName(_ text: String) -> Bool {
        2...64 ~= text.utf8.count && text.utf8.allSatisfy { isAlphanumeric($0) || ".@_-".utf8.contains($0) }
    }
}

/// What an ARN `acs:ram::<account>:role/<name>` names.
struct RAMRoleName: Equatable {
    var account: String
    var name: String

    init?(arn: String) {
        let fields = arn.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0] == "acs", fields[1] == "ram", fields[2].isEmpty, fields[3].utf8.count == 16,
            fields[3].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), fields[4].hasPrefix("role/")
        else { return nil }
        let name = fields[4].dropFirst("role/".count)
        // (RAM API Reference, "CreateRole", `RoleName`.)
        guard 1...64 ~= name.utf8.count, name.utf8.allSatisfy({ isAlphanumeric($0) || ".-_".utf8.contains($0) }) else { return nil }
        account = String(fields[3])
        self.name = String(name)
    }
}

private func isAlphanumeric(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
}

extension RPCError {
    /// (STS API Reference, "Error codes".)
    static func wronglyFormed(_ name: String) -> RPCError {
        RPCError("InvalidParameter.\(name)", .badRequest, "The parameter \(name) is wrongly formed.")
    }

    /// - Parameter most: seconds that a session of the role may last.
    static func duration(most: Int) -> RPCError {
        let longest = most % 3600 == 0 ? "\(most / 3600)hr" : "\(most)s"
        return RPCError(
            "InvalidParameter.DurationSeconds", .badRequest, "The Min/Max value of DurationSeconds is 15min/\(longest).")
    }

    static let policySize = RPCError(
        "InvalidParameter.PolicySize", .badRequest, "The size of Policy must be smaller than 2048 bytes.")

    static let noSuchRole = RPCError("EntityNotExist.Role", .notFound, "The specified Role not exists.")

    /// The role does not let the caller take it.
    static let notTrusted = RPCError(
        "NoPermission", .forbidden,
        "No permission perform sts:AssumeRole on this Role. Maybe you are not authorized to perform sts:AssumeRole or the specified role does not trust you"
    )
}
