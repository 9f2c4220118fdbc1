import Federation
import HTTPTypes
import Policy
import WireFormats

/// The parameters for the session that all AssumeRole operations share. (STS API Reference, "AssumeRole", with its constraints.)
struct SessionParameters: Equatable, Sendable {
    var roleARN: String
    /// The session name; `nil` if an assertion sets it.
    var sessionName: String?
    /// The session policy as passed.
    var policy: String?
    /// The duration in seconds.
    var duration: Int?
    /// The external ID, only for `AssumeRole`.
    var externalID: String?
    var sourceIdentity: String?

    /// The shortest duration that a caller can request, in seconds.
    static let leastDuration = 900
    /// The maximum size of a session policy in bytes.
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

    /// Reads the parameters that only `AssumeRole` has.
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

    /// Returns whether a text is a valid session name.
    static func isName(_ text: String) -> Bool {
        2...64 ~= text.utf8.count && text.utf8.allSatisfy { isAlphanumeric($0) || ".@_-".utf8.contains($0) }
    }
}

/// The account and name in a role's ARN `acs:ram::<account>:role/<name>`.
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
    /// A parameter is malformed. (STS API Reference, "Error codes".)
    static func wronglyFormed(_ name: String) -> RPCError {
        RPCError("InvalidParameter.\(name)", .badRequest, "The parameter \(name) is wrongly formed.")
    }

    /// - Parameter most: the maximum duration of the role's sessions in seconds.
    static func duration(most: Int) -> RPCError {
        let longest = most % 3600 == 0 ? "\(most / 3600)hr" : "\(most)s"
        return RPCError(
            "InvalidParameter.DurationSeconds", .badRequest, "The Min/Max value of DurationSeconds is 15min/\(longest).")
    }

    static let policySize = RPCError(
        "InvalidParameter.PolicySize", .badRequest, "The size of Policy must be smaller than 2048 bytes.")

    static let noSuchRole = RPCError("EntityNotExist.Role", .notFound, "The specified Role not exists.")

    /// The role does not trust the caller.
    static let notTrusted = RPCError(
        "NoPermission", .forbidden,
        "No permission perform sts:AssumeRole on this Role. Maybe you are not authorized to perform sts:AssumeRole or the specified role does not trust you"
    )
}
