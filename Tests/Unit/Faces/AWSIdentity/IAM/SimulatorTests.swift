import Policy
import Testing
import WireFormats

@testable import AWSIdentityFaces

/// Runs the simulator over random policies. Its decision must equal that of enforcement.
@Suite("The policy simulator")
struct SimulatorTests {
    private static let account = "123456789012"
    private static let user = Principal(.user(arn: "arn:aws:iam::\(account):user/ann", id: "AIDAANN"), account: account)
    private static let role = Principal(
        .assumedRole(
            roleARN: "arn:aws:iam::\(account):role/r", roleID: "AROAR", sessionARN: "arn:aws:iam::\(account):role/r"), account: account)

    /// Random policies of every kind over a few actions, resources and keys.
    private struct World {
        var identity: [SimulatedPolicy]
        var boundary: SimulatedPolicy?
        var resource: SimulatedPolicy?
        var caller: Principal
        var owner: String
        var keys: [String: String]

        init(_ random: inout some RandomNumberGenerator) throws {
            identity = try (1...2).map { try Self.policy("PolicyInputList.\($0)", .identity, &random) }
            boundary = Bool.random(using: &random) ? try Self.policy("boundary", .boundary, &random) : nil
            resource = Bool.random(using: &random) ? try Self.policy("ResourcePolicy", .resource, &random) : nil
            caller = Bool.random(using: &random) ? user : role
            owner = Int.random(in: 0..<3, using: &random) == 0 && resource != nil ? "210987654321" : account
            keys = Bool.random(using: &random) ? ["x:key": "a"] : [:]
        }

        static func policy(
            _ name: String, _ kind: SimulatedPolicy.Kind, _ random: inout some RandomNumberGenerator
        ) throws -> SimulatedPolicy {
            let statements: [JSONValue] = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                var statement: JSONObject = [
                    "Effect": Int.random(in: 0..<4, using: &random) == 0 ? "Deny" : "Allow",
                    "Action": [.string(["*", "s3:Get*", "s3:PutObject", "iam:*"].randomElement(using: &random) ?? "*")],
                    "Resource": .string(["*", "arn:aws:s3:::b/*", "arn:aws:s3:::c"].randomElement(using: &random) ?? "*"),
                ]
                if Bool.random(using: &random) { statement["Condition"] = ["StringEquals": ["x:key": "a"]] }
                if kind == .resource {
                    statement["Principal"] =
                        [
                            "*", ["AWS": .string(account)], ["AWS": "arn:aws:iam::\(account):user/ann"],
                            ["AWS": "arn:aws:iam::\(account):role/r"],
                        ].randomElement(using: &random) ?? "*"
                }
                return .object(statement)
            }
            let document: JSONValue = ["Version": "2012-10-17", "Statement": .array(statements)]
            return try SimulatedPolicy(
                document.serialized(pretty: Bool.random(using: &random)), sourceID: name, kind: kind, fault: "no policy")
        }

        var simulator: Simulator {
            Simulator(
                policies: identity + [boundary, resource].compactMap(\.self), organization: [], caller: caller, callerKeys: [:],
                owner: owner, context: keys.map { .init(name: $0.key, values: .one($0.value)) })
        }

        func decision(_ action: String) -> Decision {
            var conditionKeys = ConditionKeys()
            for (name, value) in keys { conditionKeys.set(name, to: value) }
            func attached(_ policy: SimulatedPolicy) -> AttachedPolicy { AttachedPolicy(policy.sourceID, policy.document) }
            return PolicySet(identity: identity.map(attached), boundary: boundary.map(attached), resource: resource.map(attached))
                .decision(
                    for: RequestContext(
                        action: action, resource: "arn:aws:s3:::b/k", principal: caller, resourceAccount: owner, keys: conditionKeys))
        }
    }

    @Test("decides as enforcement does, and names the statements that decide")
    func agrees() throws {
        var random = Generator(state: 1)
        var seen: Set<EvaluationDecision> = []
        for _ in 0..<1000 {
            let world = try World(&random)
            for action in ["s3:GetObject", "s3:PutObject"] {
                let simulated = world.simulator.decision(on: action, "arn:aws:s3:::b/k")
                let decision = world.decision(action)
                #expect(simulated.decision == EvaluationDecision(decision))
                seen.insert(simulated.decision)
                #expect(simulated.statements.isEmpty == (simulated.decision == .implicitDeny))
                #expect(simulated.missingKeys.isEmpty || simulated.decision == .implicitDeny && world.keys.isEmpty)
                let effect = simulated.decision == .explicitDeny ? "Deny" : "Allow"
                for statement in simulated.statements {
                    let source = try #require(
                        (world.identity + [world.boundary, world.resource].compactMap(\.self)).first {
                            $0.sourceID == statement.sourceID
                        })
                    #expect(text(of: source.text, from: statement.start, to: statement.end).contains(#""Effect":"\#(effect)""#))
                }
            }
        }
        #expect(seen == [.allowed, .implicitDeny, .explicitDeny])
    }

    /// Returns the text between two positions, without white space.
    private func text(of policy: String, from start: TextPosition, to end: TextPosition) -> String {
        let lines = policy.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func offset(_ position: TextPosition) -> Int {
            lines[..<(position.line - 1)].reduce(0) { $0 + $1.count + 1 } + position.column - 1
        }
        let text = policy.dropFirst(offset(start)).prefix(offset(end) - offset(start))
        return text.filter { !$0.isWhitespace }
    }

    @Test(
        "an action does not apply to the resources of another service",
        arguments: [
            ("s3:GetObject", "arn:aws:iam::123456789012:user/x", EvaluationDecision.implicitDeny),
            ("s3:GetObject", "arn:aws:s3:::b/k", .allowed),
            ("sts:AssumeRole", "arn:aws:iam::123456789012:role/r", .allowed), ("iam:GetUser", "arn:aws:s3:::b/k", .implicitDeny),
            ("madeup:Action", "arn:aws:s3:::b/k", .allowed), ("s3:GetObject", "*", .allowed),
        ])
    func services(_ action: String, _ resource: String, _ expected: EvaluationDecision) throws {
        let everything = try SimulatedPolicy(
            #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}"#, sourceID: "PolicyInputList.1", kind: .identity, fault: "")
        let simulator = Simulator(
            policies: [everything], organization: [], caller: Self.user, callerKeys: [:], owner: Self.account, context: [])
        #expect(simulator.decision(on: action, resource).decision == expected)
    }

    @Test(
        "excluded policies are matched by the name of their holder, with any number of wildcards",
        arguments: [("a*", true), ("?a*a", true), ("*b", false), ("*", true), (String(repeating: "*a", count: 60) + "*b", false)])
    func holders(pattern: String, isCovered: Bool) throws {
        let document = try PolicyDocument(
            parsing: #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}"#, kind: .identity)
        let holder = String(repeating: "a", count: 64)
        let policy = AttachedPolicy("p", document, origin: .inline(.user, holder, name: "p"))
        #expect(PolicyExclusion.inline(.user, holder: pattern, name: "p").covers(policy) == isCovered)
    }

    @Test(
        "a page has a limited number of decisions, and covers at least one action",
        arguments: [(0, 1000), (10, 1000), (11, 909), (5000, 2), (20_000, 1)])
    func pages(resources: Int, actions: Int) throws {
        let parameters: [(String, String)] =
            [("ActionNames.member.1", "s3:GetObject"), ("MaxItems", "1000")]
            + (0..<resources).map { ("ResourceArns.member.\($0 + 1)", "arn:aws:s3:::b/\($0)") }
        var form: FormFields = [:]
        form.fields = parameters.map { .init(name: $0.0, value: $0.1) }
        var read = QueryParameters(form, quotes: false)
        let request = try SimulationRequest(&read)
        #expect(request.limitOfPage == actions)
    }
}

/// A repeatable generator of random numbers (SplitMix64).
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
