import Calls
import WireFormats

/// The paths of the Playground.
enum WalkKind: String, CaseIterable, Sendable {
    case webIdentity = "web-identity"
    case saml
    case alibaba
    case mobile
    case vending

    var title: String {
        switch self {
        case .webIdentity: "AWS web identity"
        case .saml: "AWS SAML"
        case .alibaba: "Alibaba Cloud"
        case .mobile: "Mobile cloud"
        case .vending: "Token vending machine"
        }
    }

    var explanation: String {
        switch self {
        case .webIdentity: "Log in with Google, Facebook, Amazon or an OpenID Connect provider, exchange the token at STS, and use S3."
        case .saml: "Log in at a SAML identity provider, send its assertion to STS, and use S3."
        case .alibaba: "Get credentials from an app server, by AssumeRole or with an ID token, and use OSS."
        case .mobile: "Log in to a mobile backend by each method that it offers, and call its APIs."
        case .vending: "Register and log in as apps of 2012 did, decrypt the token, and use S3."
        }
    }

    /// The seed of the repository that has the path.
    var seed: String {
        switch self {
        case .webIdentity, .saml: "seed/personal-file-store.json5"
        case .alibaba: "seed/alibaba.json5"
        case .mobile: "seed/mobile-cloud.json5"
        case .vending: "seed/vending-machine.json5"
        }
    }
}

/// One way from a person to an object: its provider, its steps, its experiments and its programs.
protocol WalkCourse: Sendable {
    var kind: WalkKind { get }
    /// What the person logs in to.
    var title: String { get }
    /// The names of what the person gets on the way, for the chain.
    var stations: WalkStations { get }
    /// The fields of the form that starts such a walk, without the person. They hold no secret.
    var settings: FormFields { get }
    /// Returns the user name of the person who is logged in.
    func personName(in walk: Walk) -> String
    /// The experiments that the walk can run now.
    func experiments(in walk: Walk) -> [Experiment]

    /// Returns the steps of the page.
    func steps(of page: WalkPage) async throws -> HTML
    /// Returns the walk as programs; none before there is something to run.
    func programs(of page: WalkPage) -> [WalkProgram]
    /// Performs an action of the steps.
    /// - Returns: the place of the page to show; `nil` for an unknown action.
    func perform(_ action: String, by actions: WalkActions, in walk: inout Walk) async throws -> String?
    /// Returns what reads and changes the policies of roles.
    func keeper(_ actions: WalkActions) -> any PolicyKeeper
    /// Gets a new token, after an experiment made that of the walk invalid.
    func renew(by actions: WalkActions, in walk: inout Walk) async throws
    /// Finds the folder that the credentials may use.
    func scope(of walk: Walk, by actions: WalkActions) async throws -> PolicyScope?
    /// Returns the name of the person whose folder has a key; `nil` if none has.
    func owner(of key: String) -> String?
    /// Sends a request to the object store under the credentials.
    func send(_ request: FileRequest, by actions: WalkActions, in walk: inout Walk) async throws -> Exchange
    /// Returns a URL with which anyone may read an object for fifteen minutes.
    func presign(_ key: String, by actions: WalkActions, in walk: inout Walk) async throws -> String
    /// The ARN of the root user who lists other people's files.
    func root(_ info: CloudInfo) -> String?
}

/// The names of what a person gets on the way to an object.
struct WalkStations: Sendable {
    var token = "Token"
    var credentials = "Credentials"
    var object = "Object"
    /// Whether step 1 gives a token; otherwise it gives the credentials.
    var hasToken = true
}

/// A program that repeats the walk.
struct WalkProgram: Sendable {
    var name: String
    var code: String
}

/// A request to the object store.
struct FileRequest: Sendable {
    var title: String
    var method: String
    var target: String
    var type: String?
    var body: String?
}

extension WalkCourse {
    var stations: WalkStations { WalkStations() }
    func programs(of page: WalkPage) -> [WalkProgram] { [] }
    func keeper(_ actions: WalkActions) -> any PolicyKeeper { RoleReader(sender: actions.sender, root: actions.info.root ?? "") }
    func renew(by actions: WalkActions, in walk: inout Walk) async throws {}
    func owner(of key: String) -> String? { nil }
    func root(_ info: CloudInfo) -> String? { info.root }

    func scope(of walk: Walk, by actions: WalkActions) async throws -> PolicyScope? {
        let keeper = keeper(actions)
        guard let credentials = walk.credentials, let role = try await keeper.roles().first(where: { $0.arn == walk.order.roleARN }) else {
            return nil
        }
        return PolicyScope(policies: try await keeper.complete(role).policies.map(\.document), claims: credentials.claims)
    }

    func send(_ request: FileRequest, by actions: WalkActions, in walk: inout Walk) async throws -> Exchange {
        try await actions.send(request, as: .credentials(try actions.credentials(of: walk)), to: walk.files.store)
    }

    func presign(_ key: String, by actions: WalkActions, in walk: inout Walk) async throws -> String {
        actions.presign(key, in: walk, with: try actions.credentials(of: walk))
    }
}

/// Reads and changes the policies of a cloud's roles.
protocol PolicyKeeper: Sendable {
    /// Returns all roles without their permission policies.
    func roles() async throws -> [WalkRole]
    /// Loads the permission policies of a role.
    func complete(_ role: WalkRole) async throws -> WalkRole
    /// Stores a trust policy or a permission policy.
    /// - Throws: ``ConsoleRefusal`` if the service refuses it.
    func put(_ document: String, at place: Walk.PolicyPlace) async throws
}
