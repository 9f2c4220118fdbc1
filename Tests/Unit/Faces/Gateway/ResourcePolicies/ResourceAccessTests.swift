import GatewayFace
import Policy
import Testing
import WireFormats

@Suite("Policies of resources as upstreams have them")
struct ResourceAccessTests {
    private static let queue = GatewayOfATest.arn("sqs:@:q")

    private static let ann = Principal(
        .user(arn: "arn:aws:iam::\(GatewayOfATest.account):user/ann", id: "AIDAANNANNANNANNANNA"), account: GatewayOfATest.account)

    /// Returns whether the policies on a resource allow a caller without a policy an action.
    private static func allows(
        _ access: ResourceAccess, _ action: String, on resource: String = queue, keys: [String: ConditionValues] = [:]
    ) -> Bool {
        var context = ConditionKeys()
        for (name, values) in keys { context.set(name, to: values) }
        let request = RequestContext(
            action: action, resource: resource, principal: ann, resourceAccount: GatewayOfATest.account, keys: context)
        return PolicySet(resource: access.policy, lists: access.grants).decision(for: request).isAllowed
    }

    @Test(
        "G39: documents without a statement are no policies",
        arguments: [nil, "", "{}", "{\"Version\":\"2012-10-17\",\"Statement\":[]}"] as [String?])
    func none(_ text: String?) {
        let access = ResourceAccess(reading: text, of: Self.queue)
        #expect(access.policy == nil)
        #expect(access.fault == nil)
    }

    @Test("G39: what is not a policy has a fault", arguments: ["[]", "{", "{\"Statement\":[{\"Effect\":\"Maybe\"}]}"])
    func faults(_ text: String) {
        let access = ResourceAccess(reading: text, of: Self.queue)
        #expect(access.policy == nil)
        #expect(access.fault?.isEmpty == false)
    }

    @Test("G39: statements of Lambda are read as moto stores them")
    func statementsOfLambda() {
        let function = GatewayOfATest.arn("lambda:@:function:f")
        func access(_ members: String) -> ResourceAccess {
            ResourceAccess(
                reading: """
                    {"Version":"2012-10-17","Id":"default","Statement":[{"Sid":"s","Effect":"Allow","Action":"lambda:InvokeFunction",\
                    "Resource":"\(function)",\(members)}]}
                    """, of: function)
        }
        let named = access("\"Principal\":\"arn:aws:iam::\(GatewayOfATest.account):user/ann\"")
        #expect(named.fault == nil)
        #expect(Self.allows(named, "lambda:InvokeFunction", on: function))
        let ofAccount = access("\"Principal\":\"\(GatewayOfATest.account)\"")
        #expect(ofAccount.fault == nil)
        #expect(!Self.allows(ofAccount, "lambda:InvokeFunction", on: function))
        let url = access("\"Principal\":\"*\",\"FunctionUrlAuthType\":\"NONE\"")
        #expect(url.fault == nil)
        #expect(!Self.allows(url, "lambda:InvokeFunction", on: function))
        #expect(Self.allows(url, "lambda:InvokeFunction", on: function, keys: ["lambda:FunctionUrlAuthType": .one("NONE")]))
        #expect(access("\"Principal\":{\"Service\":\"s3.amazonaws.com\"}").fault == nil)
    }

    @Test("G40: a grant allows its principal its operations, under its constraints")
    func grants() throws {
        let key = GatewayOfATest.arn("kms:@:key/k1")
        func allows(_ grant: String, _ action: String, keys: [String: ConditionValues] = [:]) throws -> Bool {
            let access = ResourceAccess(grants: KeyGrant.policies(try JSONValue(parsing: grant), on: key))
            return Self.allows(access, action, on: key, keys: keys)
        }
        let me = "\"GranteePrincipal\":\"arn:aws:iam::\(GatewayOfATest.account):user/ann\""
        let plain = "{\"GrantId\":\"g\",\(me),\"Operations\":[\"Decrypt\",\"DescribeKey\",\"CreateGrant\"],\"Constraints\":null}"
        #expect(try allows(plain, "kms:Decrypt"))
        #expect(try allows(plain, "kms:DescribeKey"))
        #expect(try !allows(plain, "kms:Encrypt"))
        #expect(try allows(plain, "kms:CreateGrant", keys: ["kms:GrantOperations": .many(["Decrypt"])]))
        #expect(try !allows(plain, "kms:CreateGrant", keys: ["kms:GrantOperations": .many(["Decrypt", "Encrypt"])]))
        #expect(try !allows(plain, "kms:RetireGrant"))
        let other = "{\"GranteePrincipal\":\"arn:aws:iam::\(GatewayOfATest.account):user/bob\",\"Operations\":[\"Decrypt\"]}"
        #expect(try !allows(other, "kms:Decrypt"))
        let retiring = "{\"RetiringPrincipal\":\"arn:aws:iam::\(GatewayOfATest.account):user/ann\",\"Operations\":[]}"
        #expect(try allows(retiring, "kms:RetireGrant"))

        func constrained(_ constraint: String) -> String {
            "{\(me),\"Operations\":[\"Decrypt\",\"DescribeKey\",\"CreateGrant\"],\"Constraints\":{\"\(constraint)\":{\"app\":\"${a}\"}}}"
        }
        let context: [String: ConditionValues] = [
            "kms:EncryptionContext:app": .one("${a}"), "kms:EncryptionContextKeys": .many(["app"]),
        ]
        let more: [String: ConditionValues] = [
            "kms:EncryptionContext:app": .one("${a}"), "kms:EncryptionContextKeys": .many(["app", "env"]),
        ]
        for constraint in ["EncryptionContextEquals", "EncryptionContextSubset"] {
            let grant = constrained(constraint)
            #expect(try !allows(grant, "kms:Decrypt"))
            #expect(try allows(grant, "kms:Decrypt", keys: context))
            #expect(try allows(grant, "kms:Decrypt", keys: more) == (constraint == "EncryptionContextSubset"))
            #expect(try allows(grant, "kms:DescribeKey"))
            #expect(try !allows(grant, "kms:CreateGrant", keys: ["kms:GrantOperations": .many(["Decrypt"])]))
        }
        #expect(try !allows(constrained("SomethingNew"), "kms:DescribeKey"))
    }

    @Test("G39: a policy is known for a time, until a call changes policies")
    func known() {
        let access = ResourceAccess(fault: "f")
        let known = KnownPolicies(age: .seconds(3600))
        known.keep(access, of: Self.queue, since: known.change)
        #expect(known.access(to: Self.queue)?.fault == "f")
        #expect(known.access(to: "other") == nil)
        known.forget()
        #expect(known.access(to: Self.queue) == nil)
        // A look-up that began before the change does not count.
        let before = known.change
        known.forget()
        known.keep(access, of: Self.queue, since: before)
        #expect(known.access(to: Self.queue) == nil)
        let expired = KnownPolicies(age: .zero)
        expired.keep(access, of: Self.queue, since: expired.change)
        #expect(expired.access(to: Self.queue) == nil)
    }
}
