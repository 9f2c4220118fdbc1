import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

@Suite("Identity pools: the enhanced flow")
struct EnhancedFlowTests {
    private typealias Sandbox = PoolSandbox

    @Test("C1: nineteen operations need a signature, and four do not look at one")
    func signatures() async throws {
        try await Sandbox.run { pools async throws in
            #expect(IdentityPoolsFace.operations.count == 23)
            #expect(IdentityPoolsFace.operations.filter { !$0.value.isSigned }.count == 4)
            let refused = try await pools.call("ListIdentityPools", ["MaxResults": 1])
            #expect(refused.status == 400)
            #expect(refused.refusal == "MissingAuthenticationTokenException Missing Authentication Token")
            let unknown = try await pools.signed("ListIdentityPools", ["MaxResults": 1], by: ("AKIANOBODY", "x"))
            #expect(unknown.refusal == "UnrecognizedClientException The security token included in the request is invalid.")
            let wrong: HTTPFields = [.authorization: "AWS4-HMAC-SHA256 nonsense"]
            #expect(try await pools.call("GetId", ["IdentityPoolId": .string(Sandbox.pool)], header: wrong).status == 200)
        }
    }

    @Test("C2: violated constraints are listed, and tokens are not repeated")
    func constraints() async throws {
        try await Sandbox.run { pools async throws in
            let empty = try await pools.call(
                "GetId", ["IdentityPoolId": .string(Sandbox.pool), "Logins": ["graph.facebook.com": ""]])
            #expect(
                empty.refusal
                    == "ValidationException 1 validation error detected: Value '{graph.facebook.com=}' at 'logins' failed to satisfy "
                    + "constraint: Map value must satisfy constraint: [Member must have length less than or equal to 50000, "
                    + "Member must have length greater than or equal to 1]")
            let secret = try await pools.call(
                "GetId", ["IdentityPoolId": "x", "Logins": ["a": "hidden", "b": ""]])
            #expect(!secret.answer.text.contains("hidden"))
            #expect(
                secret.refusal.contains(
                    "Value 'x' at 'identityPoolId' failed to satisfy constraint: Member must satisfy regular expression pattern: "
                        + "[\\w-]+:[0-9a-f-]+"))
            #expect(try await pools.call("GetId", ["IdentityPoolId": 1]).refusal.hasPrefix("SerializationException"))
        }
    }

    @Test("C5: pages of other origins can read answers and errors")
    func crossOrigin() async throws {
        try await Sandbox.run { pools async throws in
            let refused = try await pools.call("GetId", [:], header: [.origin: "https://app.example"])
            #expect(refused.status == 400)
            #expect(refused.answer["access-control-allow-origin"] == "*")
            #expect(refused.answer["access-control-expose-headers"] == "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date")
        }
    }

    @Test("C6: a guest is new each time, and a login always has the same identity")
    func identifiers() async throws {
        try await Sandbox.run { pools async throws in
            let first = try await pools.identity()
            #expect(first.hasPrefix("us-east-1:"))
            #expect(try await pools.identity() != first)
            let token = try await pools.companyToken()
            let member = try await pools.identity([Sandbox.company: .string(token)])
            #expect(try await pools.identity([Sandbox.company: .string(try await pools.companyToken())]) == member)
            let refused = try await pools.call("GetId", ["IdentityPoolId": .string(Sandbox.empty)])
            #expect(refused.refusal == "NotAuthorizedException Unauthenticated access is not supported for this identity pool.")
            let found = try await withThrowingTaskGroup(of: String.self) { group in
                let other = try await pools.companyToken([("sub", "employee-2")])
                for _ in 0..<8 { group.addTask { try await pools.identity([Sandbox.company: .string(other)]) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(found.count == 1)
        }
    }

    @Test(
        "C7: social logins are verified by their providers",
        arguments: [
            ("facebook", "graph.facebook.com", nil, ""), ("amazon", "www.amazon.com", nil, ""), ("google", "accounts.google.com", nil, ""),
            ("facebook", "graph.facebook.com", "5678", "Token is not from a supported provider of this identity pool."),
            ("google", "accounts.google.com", "g-other", "Token is not from a supported provider of this identity pool."),
        ] as [(String, String, String?, String)])
    func socialLogins(_ provider: String, _ key: String, _ client: String?, _ message: String) async throws {
        try await Sandbox.run { pools async throws in
            let token = try await pools.socialToken(provider, client: client)
            let answer = try await pools.call("GetId", ["IdentityPoolId": .string(Sandbox.pool), "Logins": [key: .string(token)]])
            if message.isEmpty {
                #expect(answer.status == 200, "\(answer.answer.text)")
            } else {
                #expect(answer.refusal == "NotAuthorizedException \(message)")
                let (cause, audience) = (try #require(answer.answer.journal.cause), try #require(client))
                #expect(cause.hasPrefix("the token's audience is \"\(audience)\""), "\(cause)")
            }
        }
    }

    @Test("C8: each wrong token of an issuer has its own text, also in the headers")
    func wrongTokens() async throws {
        try await Sandbox.run { pools async throws in
            func refusal(_ token: String, _ key: String = Sandbox.company) async throws -> String {
                let answer = try await pools.call("GetId", ["IdentityPoolId": .string(Sandbox.pool), "Logins": [key: .string(token)]])
                #expect(answer.status == 400)
                #expect(answer.answer["x-amzn-errortype"] == "NotAuthorizedException:")
                #expect(answer.json?["message"]?.stringValue == answer.answer["x-amzn-errormessage"])
                return answer.json?["message"]?.stringValue ?? ""
            }
            let now = pools.cloud.clock.now.seconds
            let good = try await pools.companyToken()
            #expect(try await refusal("x") == "Invalid login token. Not a valid OpenId Connect identity token.")
            #expect(try await refusal(good, "Facebook") == "Invalid login token. Issuer doesn't match providerName")
            #expect(
                try await refusal(pools.companyToken([("aud", Optional.none)])) == "Invalid login token. Missing a required claim: aud")
            #expect(
                try await refusal(pools.companyToken([("aud", "cli")]))
                    == "Token is not from a supported provider of this identity pool.")
            #expect(try await refusal("\(good.dropLast(8))AAAAAAAA") == "Invalid login token. Couldn't verify signed token.")
            #expect(
                try await refusal(pools.companyToken([("iat", .integer(now - 7200)), ("exp", .integer(now - 3600))]))
                    .hasPrefix("Invalid login token. Token expired: "))
            #expect(try await refusal(good, Sandbox.provider) == "Invalid login token. Can't pass in a Cognito token.")
            #expect(try await refusal("x", "graph.facebook.com") == "Invalid login token. Token is expired.")
            let missing = "us-east-1:ffffffff-0000-4000-8000-000000000001"
            #expect(
                try await pools.call("GetId", ["IdentityPoolId": .string(missing)]).refusal
                    == "ResourceNotFoundException IdentityPool '\(missing)' not found.")
            let withoutProviders = try await pools.call(
                "GetId", ["IdentityPoolId": .string(Sandbox.empty), "Logins": [Sandbox.company: .string(good)]])
            #expect(
                withoutProviders.refusal == "NotAuthorizedException Logins don't match. Please include at least one valid login for this "
                    + "identity or identity pool.")
        }
    }

    @Test("C8: an identity with logins is forbidden without one of them")
    func forbidden() async throws {
        try await Sandbox.run { pools async throws in
            let member = try await pools.identity([Sandbox.company: .string(try await pools.companyToken())])
            #expect(
                try await pools.credentials(member).refusal == "NotAuthorizedException Access to Identity '\(member)' is forbidden.")
            let other = try await pools.companyToken([("sub", "employee-2")])
            #expect(
                try await pools.credentials(member, [Sandbox.company: .string(other)]).refusal
                    == "NotAuthorizedException Access to Identity '\(member)' is forbidden.")
        }
    }

    @Test("C10: rules compare claims, and an absent claim matches none")
    func rules() {
        let claims: JSONObject = ["team": "red-1", "cognito:groups": ["a", "b"]]
        func matches(_ claim: String, _ comparison: PoolRoleMapping.Rule.Comparison, _ value: String) -> Bool {
            let rule = PoolRoleMapping.Rule(claim: claim, comparison: comparison, value: value, role: Sandbox.arn("admin"))
            let mapping = PoolRoleMapping(provider: "p", kind: .rules, resolution: .deny, rules: [rule])
            var pool = IdentityPool(account: Sandbox.account, id: Sandbox.pool, name: "shop")
            pool.roleMappings = [mapping]
            let login = PoolLogin(
                login: .init(provider: "p", subject: "s"), names: ["p"], audience: "a", claims: claims, methods: ["p"])
            return (try? PoolRole.choose(for: [login], in: pool, custom: nil)) != nil
        }
        #expect(matches("team", .equals, "red-1"))
        #expect(!matches("team", .equals, "red"))
        #expect(matches("team", .startsWith, "red"))
        #expect(matches("team", .contains, "d-1"))
        #expect(matches("team", .notEqual, "blue"))
        #expect(!matches("team", .notEqual, "red-1"))
        #expect(!matches("absent", .notEqual, "blue"))
        #expect(matches("cognito:groups", .contains, "b"))
        #expect(!matches("cognito:groups", .contains, "c"))
    }

    @Test("C10: the token names roles, of which the call can choose one")
    func tokenMapping() throws {
        var pool = IdentityPool(account: Sandbox.account, id: Sandbox.pool, name: "shop")
        pool.authenticatedRole = Sandbox.arn("member")
        pool.roleMappings = [PoolRoleMapping(provider: "p:c", kind: .token, resolution: .deny)]
        func role(_ claims: JSONObject, custom: String? = nil) -> Result<String, PoolRoleError> {
            let login = PoolLogin(
                login: .init(provider: "p", subject: "s"), names: ["p:c", "p"], audience: "c", claims: claims, methods: ["p"])
            return Result { () throws(PoolRoleError) in try PoolRole.choose(for: [login], in: pool, custom: custom) }
        }
        #expect(role(["cognito:preferred_role": "r1"]) == .success("r1"))
        #expect(role(["cognito:roles": ["r1", "r2"]]) == .failure(.ambiguous))
        #expect(role(["cognito:roles": ["r1", "r2"]], custom: "r2") == .success("r2"))
        #expect(role(["cognito:roles": "r1,r2"], custom: "r2") == .success("r2"))
        #expect(role(["cognito:roles": ["r1"]], custom: "r2") == .failure(.roleNotNamed))
        pool.roleMappings[0].resolution = .authenticatedRole
        #expect(role([:]) == .success(Sandbox.arn("member")))
        pool.roleMappings = []
        #expect(role([:], custom: "r1") == .failure(.customRoleNotSupported))
    }

    @Test("C11: a session has AWS's name, and an hour whatever the login has")
    func session() async throws {
        try await Sandbox.run { pools async throws in
            let now = pools.cloud.clock.now.seconds
            let logins: JSONObject = [Sandbox.company: .string(try await pools.companyToken([("exp", .integer(now + 60))]))]
            let member = try await pools.identity(logins)
            let answer = try await pools.credentials(member, logins)
            #expect(answer.status == 200, "\(answer.answer.text)")
            #expect(answer["IdentityId"]?.stringValue == member)
            let expiration = try #require(answer["Credentials"]?["Expiration"]?.numberValue)
            #expect((Double(now + 3600)...Double(now + 3660)).contains(expiration))
            let credentials = try #require(answer.credentials)
            let caller = try await pools.callSTS("GetCallerIdentity", [:], as: credentials)
            #expect(caller["Arn"] == "arn:aws:sts::000000000000:assumed-role/member/CognitoIdentityCredentials")
            #expect(caller["UserId"]?.hasSuffix(":CognitoIdentityCredentials") == true)
        }
    }

    @Test("C12: a role that does not trust the pool or the kind of login is a wrong configuration")
    func trust() async throws {
        try await Sandbox.run { pools async throws in
            let refused =
                "InvalidIdentityPoolConfigurationException Invalid identity pool configuration. Check assigned IAM roles for this pool."
            try await pools.change { $0.guestRole = Sandbox.arn("member") }
            let guest = try await pools.identity()
            let answer = try await pools.credentials(guest)
            #expect(answer.refusal == refused)
            #expect(answer.answer.journal.decisions.contains { !$0.allowed })
            try await pools.change { $0.guestRole = Sandbox.arn("absent") }
            #expect(try await pools.credentials(guest).refusal == refused)
            try await pools.change { $0.guestRole = nil }
            #expect(try await pools.credentials(guest).refusal == refused)
        }
    }

    @Test("C13: sessions of guests are limited, those of others are not")
    func guests() async throws {
        try await Sandbox.run { pools async throws in
            func session(_ answer: PoolAnswer) throws -> Session {
                let credentials = try #require(answer.credentials)
                return try pools.face.tokens.open(credentials.2, accessKeyID: credentials.0)
            }
            let guest = try session(try await pools.credentials(try await pools.identity()))
            #expect(guest.policies?.count == 1)
            #expect(guest.credentials.sessionPolicyARNs == ["arn:aws:iam::aws:policy/AmazonCognitoUnAuthedIdentitiesSessionPolicy"])
            #expect(ManagedPolicy.ofAWS(GuestPolicy.managed) != nil)
            #expect(guest.credentials.sessionPolicies[0].contains("s3:*"))
            #expect(!guest.credentials.sessionPolicies[0].contains("iam:"))
            let logins: JSONObject = [Sandbox.company: .string(try await pools.companyToken())]
            let member = try session(try await pools.credentials(try await pools.identity(logins), logins))
            #expect(member.policies == nil)
            #expect(member.credentials.claims.contains { $0.key == "cognito-identity.amazonaws.com:sub" })
        }
    }

    @Test("C14: claims become tags, if the role lets sessions have them")
    func tags() async throws {
        try await Sandbox.run { pools async throws in
            try await pools.change {
                $0.tagMaps = [PrincipalTagMap(provider: Sandbox.company, usesDefaults: true, claims: PrincipalTagMap.defaults)]
            }
            let logins: JSONObject = [Sandbox.company: .string(try await pools.companyToken())]
            let member = try await pools.identity(logins)
            #expect(try await pools.credentials(member, logins).refusal.hasPrefix("InvalidIdentityPoolConfigurationException"))
            try await pools.change { $0.authenticatedRole = Sandbox.arn("tagged") }
            let credentials = try #require(try await pools.credentials(member, logins).credentials)
            let session = try pools.face.tokens.open(credentials.2, accessKeyID: credentials.0)
            #expect(session.credentials.tags == [Tag(key: "client", value: "web"), Tag(key: "username", value: "employee-1")])
        }
    }

    @Test("C16: an expired login and expired credentials are refused")
    func aging() async throws {
        try await Sandbox.run { pools async throws in
            let logins: JSONObject = [Sandbox.company: .string(try await pools.companyToken())]
            let member = try await pools.identity(logins)
            let credentials = try #require(try await pools.credentials(member, logins).credentials)
            try await pools.cloud.age(by: .seconds(3601 + 300))
            #expect(
                try await pools.credentials(member, logins).refusal.hasPrefix(
                    "NotAuthorizedException Invalid login token. Token expired: "))
            #expect(try await pools.callSTS("GetCallerIdentity", [:], as: credentials).code == "ExpiredToken")
        }
    }

    @Test("C17: logins are linked, identities merged, and logins unlinked")
    func linking() async throws {
        try await Sandbox.run { pools async throws in
            let company: JSONObject = [Sandbox.company: .string(try await pools.companyToken())]
            let google: JSONObject = ["accounts.google.com": .string(try await pools.socialToken("google"))]
            var both = company
            both["accounts.google.com"] = google["accounts.google.com"]
            let guest = try await pools.identity()
            #expect(try await pools.credentials(guest, company)["IdentityId"]?.stringValue == guest)
            #expect(try await pools.identity(company) == guest)
            #expect(try await pools.credentials(guest).refusal.hasSuffix("is forbidden."))
            #expect(try await pools.credentials(guest, both).status == 200)
            #expect(try await pools.identity(google) == guest)
            let another = try await pools.identity()
            #expect(try await pools.credentials(another, google)["IdentityId"]?.stringValue == guest)
            #expect(try await pools.credentials(another).refusal.hasSuffix("is forbidden."))
            #expect(try await pools.credentials(another, google)["IdentityId"]?.stringValue == guest)
            let unlinked = try await pools.call(
                "UnlinkIdentity", ["IdentityId": .string(guest), "Logins": .object(google), "LoginsToRemove": ["accounts.google.com"]])
            #expect(unlinked.status == 200)
            #expect(unlinked.answer.body.isEmpty)
            let new = try await pools.identity(google)
            #expect(new != guest)
            let second: JSONObject = [Sandbox.company: .string(try await pools.companyToken([("sub", "employee-2")]))]
            var conflicting = google
            conflicting[Sandbox.company] = second[Sandbox.company]
            #expect(try await pools.credentials(new, conflicting).status == 200)
            var merged = company
            merged["accounts.google.com"] = google["accounts.google.com"]
            #expect(try await pools.credentials(new, merged).refusal.hasPrefix("ResourceConflictException"))
        }
    }
}
