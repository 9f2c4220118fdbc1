import Policy
import Testing
import WireFormats

@Suite("Properties of all policies")
struct DecisionPropertyTests {
    /// A random set of policies of every type over a few actions, resources and keys, and a caller.
    struct World {
        var identity: [JSONValue]
        var boundary: [JSONValue]?
        var session: [JSONValue]?
        var resource: [JSONValue]?
        var context: RequestContext

        init(_ generator: inout SeededGenerator) {
            identity = Self.statements(&generator, principal: false)
            boundary = Bool.random(using: &generator) ? Self.statements(&generator, principal: false) : nil
            session = Bool.random(using: &generator) ? Self.statements(&generator, principal: false) : nil
            resource = Bool.random(using: &generator) ? Self.statements(&generator, principal: true) : nil
            let principal = Self.pick([alice, root, roleSession, federatedUser, .anonymous], &generator)
            let action = Self.pick(["s3:GetObject", "s3:PutObject"], &generator)
            let owner = Self.pick([account, account, otherAccount], &generator)
            context = request(action, by: principal, owner: owner, with: Bool.random(using: &generator) ? ["x:k": .one("a")] : [:])
        }

        static func pick<Value>(_ values: [Value], _ generator: inout SeededGenerator) -> Value {
            values[Int.random(in: 0..<values.count, using: &generator)]
        }

        static func statement(_ generator: inout SeededGenerator, principal: Bool, effect: JSONValue) -> JSONValue {
            var statement: JSONObject = [
                "Effect": effect, "Action": pick(["*", "s3:Get*", "s3:PutObject", "iam:*"], &generator),
                "Resource": pick(["*", "arn:aws:s3:::b/*", "arn:aws:s3:::c"], &generator),
            ]
            if Bool.random(using: &generator) {
                statement["Condition"] = pick(
                    [["StringEquals": ["x:k": "a"]], ["StringNotEquals": ["x:k": "a"]], ["Null": ["x:k": "true"]]], &generator)
            }
            if principal {
                statement["Principal"] = pick(
                    [
                        "*", ["AWS": "123456789012"], ["AWS": "arn:aws:iam::123456789012:role/app/files"],
                        ["AWS": "arn:aws:iam::123456789012:user/staff/alice"],
                    ],
                    &generator)
            }
            return .object(statement)
        }

        static func statements(_ generator: inout SeededGenerator, principal: Bool) -> [JSONValue] {
            (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                statement(&generator, principal: principal, effect: pick(["Allow", "Allow", "Allow", "Deny"], &generator))
            }
        }

        static func attach(_ statements: [JSONValue], _ kind: PolicyDocument.Kind = .identity) throws -> AttachedPolicy {
            AttachedPolicy("p", try PolicyDocument(json: ["Version": "2012-10-17", "Statement": .array(statements)], kind: kind))
        }

        func set() throws -> PolicySet {
            PolicySet(
                identity: [try Self.attach(identity)], boundary: try boundary.map { try Self.attach($0) },
                session: try session.map { [try Self.attach($0)] },
                resource: try resource.map { try Self.attach($0, .resource) })
        }
    }

    static let worlds: [World] = {
        var generator = SeededGenerator(seed: 2026)
        return (0..<800).map { _ in World(&generator) }
    }()

    @Test("the random sets have all kinds of decisions")
    func variety() throws {
        let outcomes = Set(try Self.worlds.map { try $0.set().decision(for: $0.context).outcome })
        #expect(
            outcomes.isSuperset(of: [
                .allowed, .explicitDeny(in: .identityBased), .explicitDeny(in: .resourceBased), .explicitDeny(in: .session),
                .explicitDeny(in: .permissionsBoundary),
                .implicitDeny(missing: .identityBased), .implicitDeny(missing: .resourceBased), .implicitDeny(missing: .session),
                .implicitDeny(missing: .permissionsBoundary),
            ]))
    }

    @Test("the trace has the decision of the evaluation, and contains a deny exactly if one decides")
    func traceAgrees() throws {
        for world in Self.worlds {
            let set = try world.set()
            let trace = set.trace(for: world.context)
            #expect(trace.decision == set.decision(for: world.context))
            let showsDeny = trace.entries.contains { $0.isDeny && $0.mismatch == nil }
            if case .explicitDeny = trace.decision.outcome { #expect(showsDeny) } else { #expect(!showsDeny) }
        }
    }

    @Test("an explicit deny in any applicable policy always decides")
    func denyWins() throws {
        let everything: JSONValue = ["Effect": "Deny", "Action": "*", "Resource": "*"]
        let everybody: JSONValue = ["Effect": "Deny", "Action": "*", "Resource": "*", "Principal": "*"]
        for world in Self.worlds {
            var denied = world
            denied.resource = (world.resource ?? []) + [everybody]
            #expect(!(try denied.set().decision(for: world.context).isAllowed))
            guard world.context.principal != root, world.context.principal != .anonymous else { continue }
            denied = world
            denied.identity.append(everything)
            #expect(!(try denied.set().decision(for: world.context).isAllowed))
        }
    }

    @Test("adding a policy that only denies never grants")
    func denyOnlyNeverGrants() throws {
        var generator = SeededGenerator(seed: 11)
        for world in Self.worlds where !(try world.set().decision(for: world.context).isAllowed) {
            var set = try world.set()
            set.identity.append(try World.attach([World.statement(&generator, principal: false, effect: "Deny")]))
            #expect(!set.decision(for: world.context).isAllowed)
            var more = world
            more.resource = (world.resource ?? []) + [World.statement(&generator, principal: true, effect: "Deny")]
            #expect(!(try more.set().decision(for: world.context).isAllowed))
        }
    }

    @Test("the order of statements, and their division into policies, does not matter")
    func orderDoesNotMatter() throws {
        var generator = SeededGenerator(seed: 5)
        for world in Self.worlds {
            let decision = try world.set().decision(for: world.context)
            var shuffled = world
            shuffled.identity.shuffle(using: &generator)
            shuffled.boundary?.shuffle(using: &generator)
            shuffled.session?.shuffle(using: &generator)
            shuffled.resource?.shuffle(using: &generator)
            var set = try shuffled.set()
            #expect(set.decision(for: world.context) == decision)
            set.identity = try shuffled.identity.map { try World.attach([$0]) }
            #expect(set.decision(for: world.context) == decision)
        }
    }
}
