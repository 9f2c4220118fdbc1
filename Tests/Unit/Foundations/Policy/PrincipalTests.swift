import Policy
import Testing
import WireFormats

@Suite("Principals in resource and trust policies")
struct PrincipalTests {
    static let facebook = Principal(.federated(provider: "graph.facebook.com"), account: account)
    static let company = Principal(.federated(provider: "arn:aws:iam::\(account):oidc-provider/id.example.com"), account: account)
    static let service = Principal(.service("ec2.amazonaws.com"))
    static let everybody: [(String, Principal)] = [
        ("anonymous", .anonymous), ("root", root), ("user", alice), ("role", roleSession), ("federated user", federatedUser),
        ("facebook", facebook),
        ("company", company), ("service", service), ("stranger", Principal(.root, account: otherAccount)),
    ]

    /// The callers that a Principal element matches, by the names above. It matches a user's federated session if it matches the user.
    @Test(
        "match these callers",
        arguments: [
            (["AWS": "*"], ["anonymous", "root", "user", "role", "federated user", "service", "stranger"]),
            (["AWS": "123456789012"], ["root", "user", "role", "federated user"]),
            (["AWS": "arn:aws:iam::123456789012:root"], ["root", "user", "role", "federated user"]),
            (["AWS": "arn:aws:iam::123456789012:user/staff/alice"], ["user", "federated user"]),
            (["AWS": "arn:aws:iam::123456789012:user/alice"], []), (["AWS": "arn:aws:iam::123456789012:role/app/files"], ["role"]),
            (["AWS": "arn:aws:iam::123456789012:role/files"], []), (["AWS": "arn:aws:sts::123456789012:assumed-role/files/s1"], ["role"]),
            (["AWS": "arn:aws:sts::123456789012:assumed-role/files/s2"], []),
            (["AWS": "arn:aws:sts::123456789012:federated-user/guest"], ["federated user"]), (["AWS": "AIDAALICEALICEALICE1"], ["user"]),
            (["AWS": "AROAFILESFILESFILES1"], ["role"]), (["Federated": "graph.facebook.com"], ["facebook"]),
            (["Federated": "arn:aws:iam::123456789012:oidc-provider/id.example.com"], ["company"]),
            (["Federated": "arn:aws:iam::210987654321:oidc-provider/id.example.com"], []), (["Service": "ec2.amazonaws.com"], ["service"]),
            (["Service": "*"], ["service"]), (["AWS": "210987654321"], ["stranger"]), (["CanonicalUser": "79a59df900b949e5"], []),
        ] as [(JSONValue, [String])])
    func names(_ element: JSONValue, _ expected: [String]) throws {
        let document = try policy(["Principal": element, "Action": "sts:AssumeRole", "Effect": "Deny"], kind: .trust)
        let set = PolicySet(resource: AttachedPolicy("trust", document))
        let named = Self.everybody.filter { _, principal in
            set.decision(for: request("sts:AssumeRole", by: principal)).outcome == .explicitDeny(in: .roleTrust)
        }
        #expect(named.map(\.0) == expected)
    }

    @Test("the canonical user id is that of the account")
    func canonicalUser() throws {
        let set = PolicySet(
            resource: AttachedPolicy("b", try policy(["Principal": ["CanonicalUser": "79a5"], "Effect": "Deny"], kind: .resource)))
        var principal = alice
        #expect(set.decision(for: request(by: principal)).outcome == .implicitDeny(missing: .identityBased))
        principal.canonicalUserID = "79a5"
        #expect(set.decision(for: request(by: principal)).outcome == .explicitDeny(in: .resourceBased))
    }

    @Test(
        "NotPrincipal exempts only callers that are named in each of their forms",
        arguments: [
            (["arn:aws:iam::123456789012:user/staff/alice"], ["root", "user", "role"]),
            (["arn:aws:iam::123456789012:user/staff/alice", "123456789012"], ["role"]), (["123456789012"], ["user", "role"]),
            (["arn:aws:iam::123456789012:role/app/files", "123456789012"], ["user", "role"]),
            (["arn:aws:iam::123456789012:role/app/files", "arn:aws:sts::123456789012:assumed-role/files/s1", "123456789012"], ["user"]),
            (["*"], []),
        ] as [([JSONValue], [String])])
    func notPrincipal(_ excepted: [JSONValue], _ denied: [String]) throws {
        let document = try policy(["NotPrincipal": ["AWS": .array(excepted)], "Effect": "Deny"], kind: .resource)
        let set = PolicySet(identity: [AttachedPolicy("all", try policy())], resource: AttachedPolicy("b", document))
        let refused = [("root", root), ("user", alice), ("role", roleSession)].filter { !set.decision(for: request(by: $0.1)).isAllowed }
        #expect(refused.map(\.0) == denied)
    }

    @Test("a saved policy does not match a principal that is created again with the same name")
    func binding() throws {
        let arn = "arn:aws:iam::123456789012:user/staff/alice"
        let document = try policy(["Principal": ["AWS": .string(arn)]], kind: .resource)
        let now = PolicySet(resource: AttachedPolicy("b", document.bound { $0 == arn ? "AIDAALICEALICEALICE1" : nil }))
        let before = PolicySet(resource: AttachedPolicy("b", document.bound { $0 == arn ? "AIDAALICEALICEALICE0" : nil }))
        #expect(now.decision(for: request()).isAllowed)
        #expect(!before.decision(for: request()).isAllowed)
        #expect(document.principalNames == [arn])
    }

    @Test("a saved policy matches a principal that was renamed since")
    func renamed() throws {
        let document = try policy(["Principal": ["AWS": "arn:aws:iam::123456789012:user/before"]], kind: .resource)
        let bound = document.bound { _ in "AIDAALICEALICEALICE1" }
        #expect(PolicySet(resource: AttachedPolicy("b", bound)).decision(for: request()).isAllowed)
        #expect(!PolicySet(resource: AttachedPolicy("b", document)).decision(for: request()).isAllowed)
    }
}
