import Calls
import Cloud
import Directory
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import MobileCloudFace

/// The access table of custom APIs, cell by cell.
@Suite("Access to custom APIs (R3, R122, R126, R129, R140)")
struct CustomAPIAccessTests {
    enum Setting: CaseIterable, Sendable {
        case open, enterprise, enterpriseWithRoles, social

        var access: CustomAPI.Access {
            switch self {
            case .open: .open
            case .enterprise: .enterprise(roles: [])
            case .enterpriseWithRoles: .enterprise(roles: ["Technician", "Manager"])
            case .social: .social
            }
        }
    }

    enum Who: CaseIterable, Sendable {
        case anonymousKey, clientToken, user, userWithRole, userWithOtherRole, passwordToken, relayToken, virtual, virtualWithRole, facebook

        func caller(_ backend: MobileBackend) -> MobileCaller {
            let user = MobileUser(id: "1", username: "erika")
            let identity: MobileCaller.Identity =
                switch self {
                case .anonymousKey, .clientToken: .anonymous
                case .user, .userWithRole, .userWithOtherRole, .passwordToken, .relayToken: .user(user)
                case .virtual, .virtualWithRole: .virtual(name: "vera", issuer: "https://issuer.example")
                case .facebook: .social(.init(provider: "facebook", id: "1234", accessToken: "t"))
                }
            let method: MobileCaller.Method =
                switch self {
                case .anonymousKey, .user, .userWithRole, .userWithOtherRole: .basic
                case .clientToken, .passwordToken: .oauth
                case .relayToken, .virtual, .virtualWithRole: .exchange
                case .facebook: .facebook
                }
            let roles: Set<String> =
                switch self {
                case .userWithRole, .virtualWithRole: ["Manager"]
                case .userWithOtherRole: ["Cook"]
                default: []
                }
            return MobileCaller(backend: backend, identity: identity, method: method, roles: roles)
        }

        /// Returns the status of the error response, or nil if the call is allowed.
        func refusal(_ setting: Setting) -> Int? {
            switch (self, setting) {
            case (_, .open): nil
            case (.anonymousKey, _), (.clientToken, _): 401
            case (.facebook, .social): nil
            case (.facebook, _), (_, .social), (.userWithOtherRole, .enterpriseWithRoles): 403
            case (_, .enterprise), (.userWithRole, _), (.virtualWithRole, _): nil
            case (_, .enterpriseWithRoles): 403
            }
        }
    }

    @Test("is decided by the API's setting and by the caller", arguments: Setting.allCases, Who.allCases)
    func table(_ setting: Setting, _ who: Who) async throws {
        try await MobileSandbox.run { mobile async throws in
            let endpoint = CustomAPI.Endpoint(method: "GET", path: "/", roles: [], answer: .caller)
            let api = CustomAPI(name: "orders", version: "1.0", access: setting.access, endpoints: [endpoint])
            let call = Self.exchange(mobile)
            let access = CustomAPIAccess(api: api, endpoint: endpoint, caller: who.caller(try mobile.backend()))
            var status: Int?
            do throws(MobileError) {
                try access.admit(on: call)
            } catch {
                status = error.kind.status.code
            }
            #expect(status == who.refusal(setting))
            let decision = try #require(call.entry(status: 200).decisions.first)
            #expect(decision.allowed == (status == nil))
            #expect(decision.evidence.trace.explanation.last?.hasPrefix(status == nil ? "allowed" : "denied") == true)
        }
    }

    struct RoleCase: Sendable {
        var api: [String]
        var endpoint: [String]
        var caller: Set<String>
        var isAllowed: Bool

        init(api: [String], endpoint: [String], caller: Set<String>, _ isAllowed: Bool) {
            self.api = api
            self.endpoint = endpoint
            self.caller = caller
            self.isAllowed = isAllowed
        }
    }

    static let roleCases = [
        RoleCase(api: ["A", "B"], endpoint: [], caller: ["B"], true), RoleCase(api: ["A", "B"], endpoint: ["B"], caller: ["A"], false),
        RoleCase(api: ["A", "B"], endpoint: ["B"], caller: ["B"], true), RoleCase(api: ["A"], endpoint: ["B"], caller: ["B"], true),
        RoleCase(api: [], endpoint: ["B"], caller: ["A"], false), RoleCase(api: [], endpoint: ["B"], caller: ["A", "B"], true),
        RoleCase(api: [], endpoint: [], caller: [], true), RoleCase(api: ["A"], endpoint: [], caller: ["a"], false),
    ]

    @Test("requires an endpoint's own roles in place of the API's", arguments: roleCases)
    func roles(_ example: RoleCase) async throws {
        try await MobileSandbox.run { mobile async throws in
            let endpoint = CustomAPI.Endpoint(method: "GET", path: "/", roles: example.endpoint, answer: .caller)
            let api = CustomAPI(name: "orders", version: "1.0", access: .enterprise(roles: example.api), endpoints: [endpoint])
            var caller = Who.user.caller(try mobile.backend())
            caller.roles = example.caller
            let refusal = Result { try CustomAPIAccess(api: api, endpoint: endpoint, caller: caller).admit(on: Self.exchange(mobile)) }
            switch refusal {
            case .success: #expect(example.isAllowed)
            case .failure(let error as MobileError):
                #expect(!example.isAllowed)
                #expect(error.kind == .roleRequired)
            case .failure(let error): throw error
            }
        }
    }

    @Test("is in the journal, with the required roles and the caller's roles")
    func trace() async throws {
        try await MobileSandbox.run { mobile async throws in
            let endpoint = CustomAPI.Endpoint(method: "GET", path: "/{id}", roles: ["Manager"], answer: .caller)
            let api = CustomAPI(name: "orders", version: "1.0", access: .enterprise(roles: []), endpoints: [endpoint])
            var caller = Who.user.caller(try mobile.backend())
            caller.roles = ["Technician"]
            let call = Self.exchange(mobile)
            #expect(throws: MobileError.self) { try CustomAPIAccess(api: api, endpoint: endpoint, caller: caller).admit(on: call) }
            let decision = try #require(call.entry(status: 403).decisions.first)
            #expect(decision.resource == "orders(1.0) GET /{id}")
            #expect(!decision.allowed)
            let text = decision.evidence.trace.explanation.joined(separator: "\n")
            #expect(text.hasPrefix("erika asks for mobile:CallCustomAPI on orders(1.0) GET /{id}"))
            #expect(text.contains("access to orders(1.0)"))
            #expect(text.contains("Login required, Enterprise"))
            #expect(text.contains(#"mobile:Role: policy has ["Manager"], request has "Technician""#), "\(text)")
            // The message that the client can have decoded has the statements, too.
            let statements = decision.evidence.message.objectValue?["statements"]?.objectValue?["items"]?.arrayValue
            #expect(statements?.compactMap { $0.objectValue?["value"]?.stringValue } == decision.evidence.trace.entries.map(\.explanation))
            #expect(statements?.isEmpty == false)
        }
    }

    private static func exchange(_ mobile: MobileSandbox) -> Call {
        Call(
            request: Request(
                head: HTTPRequest(method: .get, scheme: "http", authority: "localhost:4566", path: "/mobile/custom/orders"),
                body: RequestBody()),
            peer: nil, isSecure: false, cloud: mobile.cloud, names: mobile.names)
    }
}
