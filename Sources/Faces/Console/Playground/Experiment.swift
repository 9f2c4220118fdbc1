import HTTPTypes
import WireFormats

/// Something to break on purpose, and what the service answers then.
struct Experiment: Sendable {
    /// Sends what is wrong.
    typealias Act = @Sendable (WalkActions, inout Walk) async throws -> Exchange

    let id: String
    let title: String
    /// The codes that are expected.
    let expected: [String]
    let act: Act

    /// - Parameters:
    ///   - id: names the experiment in forms.
    ///   - title: what is wrong.
    ///   - expected: the codes that are expected.
    ///   - act: sends what is wrong, and returns the answer.
    init(_ id: String, _ title: String, _ expected: String..., act: @escaping Act) {
        (self.id, self.title, self.expected, self.act) = (id, title, expected, act)
    }

    init(_ id: String, _ title: String, of expected: [String], act: @escaping Act) {
        (self.id, self.title, self.expected, self.act) = (id, title, expected, act)
    }
}

/// Runs experiments and compares the answer with the expected one.
struct Experiments {
    let actions: WalkActions

    /// Runs the experiment of the form.
    func run(in walk: inout Walk) async throws -> String {
        let id = actions.field("experiment")
        guard let experiment = walk.course.experiments(in: walk).first(where: { $0.id == id }) else {
            throw ConsoleRefusal(code: "not_found", message: "There is no such experiment.", status: .notFound)
        }
        let exchange = try await experiment.act(actions, &walk)
        walk.results[id] = ExperimentResult(
            actual: exchange.code, message: exchange.refusal?.message ?? "", number: exchange.number,
            isAsExpected: experiment.expected.contains(exchange.code))
        return "#try-\(id)"
    }
}

extension Experiment {
    /// The codes of a store for what is wrong with credentials.
    private struct Codes {
        var secret = "SignatureDoesNotMatch"
        var token = "InvalidToken"
        var skew = "RequestTimeTooSkewed"
        var age = "ExpiredToken"
    }

    private static func codes(of store: WalkStorage) -> Codes {
        switch store {
        case .s3: Codes()
        case .ossV1: Codes(token: "InvalidSecurityToken", age: "SecurityTokenExpired")
        case .ossV4: Codes(token: "InvalidSecurityToken", age: "SecurityTokenExpired")
        }
    }

    /// Experiments with the credentials of any walk at an object store.
    static func files(at store: WalkStorage, otherKey: String = "other-person/notes.txt") -> [Experiment] {
        let codes = codes(of: store)
        return [
            Experiment("other-prefix", "Another person's file", "AccessDenied") { actions, walk in
                try await read(walk.files.others.first ?? otherKey, actions, walk) { _ in }
            },
            Experiment("no-prefix", "A listing without a prefix", "AccessDenied") { actions, walk in
                let request = FileRequest(title: "List without a prefix", method: "GET", target: "/\(walk.files.bucket)?list-type=2")
                return try await actions.send(request, as: .credentials(try actions.credentials(of: walk)), to: walk.files.store)
            },
            Experiment("secret", "The wrong secret", codes.secret) { actions, walk in
                try await read(ownKey(of: walk), actions, walk) { $0.secretAccessKey = String($0.secretAccessKey.reversed()) }
            },
            Experiment("cut", "The session token is cut", codes.token) { actions, walk in
                try await read(ownKey(of: walk), actions, walk) { $0.sessionToken = String($0.sessionToken.dropLast(12)) }
            },
            Experiment("skew", "The clock of the app is 20 minutes off", codes.skew) { actions, walk in
                let signed = try actions.signedLate(ownKey(of: walk), in: walk, by: .seconds(-1_200))
                return try await actions.sender.send(
                    "Read with an old signature", service: walk.files.store.service, signature: "none", "GET", signed.target,
                    headers: signed.headers)
            },
        ]
    }

    /// Time passes, so that the credentials expire. It is the last experiment of a walk.
    /// - Parameters:
    ///   - duration: such as `PT1H5M`.
    ///   - title: what is wrong.
    static func aging(_ duration: String, _ title: String, at store: WalkStorage) -> Experiment {
        Experiment("age", title, codes(of: store).age) { actions, walk in
            let credentials = try actions.credentials(of: walk)
            try await actions.age(duration, &walk)
            return try await actions.send(
                WalkActions.reading(ownKey(of: walk), in: walk), as: .credentials(credentials), to: walk.files.store)
        }
    }

    /// The first file of the person.
    static func ownKey(of walk: Walk) -> String { walk.files.own.first ?? "\(walk.files.prefix)hello.txt" }

    /// Reads an object with changed credentials.
    static func read(
        _ key: String, _ actions: WalkActions, _ walk: Walk, changing change: (inout WalkCredentials) -> Void
    ) async throws -> Exchange {
        var credentials = try actions.credentials(of: walk)
        change(&credentials)
        return try await actions.send(WalkActions.reading(key, in: walk), as: .credentials(credentials), to: walk.files.store)
    }
}
