import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import WireFormats

@testable import AlibabaIdentityFaces

/// A sandbox for one test, and calls to RAM and IMS as they arrive after their signature is verified.
struct RAMSandbox {
    let cloud: Cloud
    private let face: AlibabaRPCFace

    static let account = "1234567890123456"

    /// - Parameter statement: The statement of the policy of `ann` and of the role `app`.
    static func run(
        _ statement: String = "{Effect: 'Allow', Action: 'ram:*', Resource: '*'}", _ test: (RAMSandbox) async throws -> Void
    ) async throws {
        let seed = """
            {alibaba: {accounts: [
              {id: "\(account)", rootKeys: [{id: "LTAIROOT", secret: "s"}],
               policies: [{name: "p", document: {Version: "1", Statement: [\(statement)]}}],
               users: [{name: "ann", policies: ["p"], accessKeys: [{id: "LTAIANN", secret: "s"}]}, {name: "bob"}],
               roles: [{name: "app", policies: ["p"], trustPolicy: {Version: "1", Statement: [
                 {Effect: "Allow", Action: "sts:AssumeRole", Principal: {RAM: "acs:ram::\(account):root"}}]}}]},
              {id: "6543210987654321", users: [{name: "eve"}]}]}}
            """
        try await withCloud(seed) { cloud async throws in
            let face = AlibabaRPCFace(
                authenticator: Authenticator(cloud: cloud), issuers: ForeignIssuers(cloud: cloud) { _ in throw Unreachable() })
            try await test(RAMSandbox(cloud: cloud, face: face))
        }
    }

    private struct Unreachable: Error {}
    struct NoSuchCaller: Error {}

    /// Returns the caller with a user name, or the root user without one.
    func caller(_ user: String? = nil) throws -> Caller {
        guard let user else { return try Self.found(cloud.directory.accounts[Self.account]).map { .root($0, nil) } }
        return try Self.found(cloud.directory.user(user, in: Self.account)).map { .user($0, nil) }
    }

    /// Returns a session of the role, with an optional session policy.
    func session(policy: String? = nil) throws -> Caller {
        try Self.found(cloud.directory.role("app", in: Self.account)).map { role in
            let tokens = SessionTokens(cloud: cloud)
            let (credentials, token) = try tokens.mint(
                for: .role(arn: role.arn, id: role.role.id, sessionName: "s1"), duration: 3600
            ) { if let policy { $0.sessionPolicies = [policy] } }
            return .role(role, try tokens.open(token, accessKeyID: credentials.accessKeyID))
        }
    }

    private static func found<T>(_ value: T?) throws -> Found<T> {
        guard let value else { throw NoSuchCaller() }
        return Found(value: value)
    }

    private struct Found<T> {
        let value: T
        func map<U>(_ make: (T) throws -> U) rethrows -> U { try make(value) }
    }

    /// Calls an operation, by default as the root user.
    @discardableResult
    func call(
        _ action: String, _ parameters: [String: String] = [:], by caller: Caller? = nil, of service: RPCService = .ram
    ) async throws -> RPCValue {
        let call = Call(.post, "/", authority: "127.0.0.1:4566", cloud: cloud)
        var fields: FormFields = [:]
        fields.fields = parameters.map { FormFields.Field(name: $0.key, value: $0.value) }
        guard let operation = service.operations[action] else { throw RPCError.noSuchAction }
        return try await operation.perform(
            RPCCall(face: face, http: call, action: action, parameters: fields, caller: try caller ?? self.caller()))
    }

    /// Returns status and code of an error response, or nil if the call succeeds.
    func refusal(
        _ action: String, _ parameters: [String: String] = [:], by caller: Caller? = nil, of service: RPCService = .ram
    ) async throws -> String? {
        do {
            _ = try await call(action, parameters, by: caller, of: service)
            return nil
        } catch let error as RPCError {
            return "\(error.status.code) \(error.code)"
        }
    }
}

extension RPCValue {
    /// Returns the text of a member, along a path.
    func text(_ path: String...) -> String? {
        var value: RPCValue? = self
        for name in path { value = value?[name] }
        return switch value {
        case .text(let text)?: text
        case .integer(let number)?: String(number)
        case .flag(let flag)?: String(flag)
        default: nil
        }
    }

    /// Returns the texts of a member of each element of a list.
    func texts(_ list: String, _ member: String) -> [String] {
        guard case .list(_, let elements)? = self[list] else { return [] }
        return elements.compactMap { $0.text(member) }
    }
}
