import Policy
import Testing
import WireFormats

@Suite("Policies that RADOS Gateway accepts and AWS does not")
struct PolicyDialectTests {
    private func document(_ statement: JSONValue, _ kind: PolicyDocument.Kind, _ dialect: PolicyDialect) throws -> PolicyDocument {
        try PolicyDocument(json: ["Version": "2012-10-17", "Statement": statement], kind: kind, dialect: dialect)
    }

    @Test(
        "principals without an account",
        arguments: [
            ("AWS", "arn:aws:iam:::user/alice"), ("AWS", "arn:aws:iam:::role/files"), ("AWS", "arn:aws:iam:::root"),
            ("AWS", "arn:aws:sts:::assumed-role/files/s1"), ("AWS", "arn:aws:iam:::assumed-role/files/s1"),
            ("Federated", "arn:aws:iam:::oidc-provider/id.example.com"),
        ])
    func noAccount(type: String, name: String) throws {
        for kind in [PolicyDocument.Kind.trust, .resource] {
            let statement: JSONValue = [
                "Effect": "Allow", "Principal": .one(type, .string(name)), "Action": kind == .trust ? "sts:AssumeRole" : "s3:GetObject",
            ]
            let full: JSONValue =
                kind == .trust
                ? statement : .object(JSONObject((statement.objectValue?.members ?? []).map { ($0.name, $0.value) } + [("Resource", "*")]))
            _ = try document(full, kind, .ceph)
            let error = #expect(throws: PolicySyntaxError.self) { try document(full, kind, .aws) }
            let suffix = kind == .trust ? ": \"\(type.uppercased())\":\"\(name)\"" : ""
            #expect(error?.message == "Invalid principal in policy\(suffix)")
        }
    }

    @Test(
        "accounts with twelve digits or none, and another form of sessions only without an account",
        arguments: [
            "arn:aws:iam::1:user/alice", "arn:aws:iam::123456789012:assumed-role/files/s1", "arn:aws:iam:::assumed-role/files",
            "arn:aws:iam:::user/", "arn:aws:iam:::group/g",
        ])
    func malformed(name: String) {
        #expect(throws: PolicySyntaxError.self) {
            try document(["Effect": "Allow", "Principal": ["AWS": .string(name)], "Action": "sts:AssumeRole"], .trust, .ceph)
        }
    }

    @Test("both names of a session, that of Ceph and that of AWS")
    func session() throws {
        let caller = Principal(
            .assumedRole(roleARN: "arn:aws:iam:::role/files", roleID: "AROAFILES", sessionARN: "arn:aws:sts:::assumed-role/files/s1"),
            account: "")
        for (name, isNamed) in [
            ("arn:aws:iam:::assumed-role/files/s1", true), ("arn:aws:sts:::assumed-role/files/s1", true),
            ("arn:aws:iam:::assumed-role/files/s2", false),
        ] {
            let policy = try document(
                ["Effect": "Deny", "Principal": ["AWS": .string(name)], "Action": "s3:*", "Resource": "*"], .resource, .ceph)
            let decision = PolicySet(resource: AttachedPolicy("b", policy)).decision(for: request(by: caller, owner: ""))
            #expect((decision.outcome == .explicitDeny(in: .resourceBased)) == isNamed)
        }
    }

    @Test("a Principal in a role's policy, which is ignored")
    func principalOfIdentity() throws {
        let statement: JSONValue = ["Effect": "Allow", "Principal": ["AWS": "210987654321"], "Action": "s3:*", "Resource": "*"]
        let error = #expect(throws: PolicySyntaxError.self) { try document(statement, .identity, .aws) }
        #expect(error?.message == "Policy document should not specify a principal.")
        let set = PolicySet(identity: [AttachedPolicy("p", try document(statement, .identity, .ceph))])
        #expect(set.decision(for: request()).isAllowed)
    }

    @Test(
        "several values of a single-valued key",
        arguments: [
            ("StringEquals", "a", true), ("StringEquals", "b", true), ("StringEquals", "c", false), ("StringNotEquals", "a", false),
            ("StringNotEquals", "c", true), ("ForAllValues:StringEquals", "a", false), ("ForAllValues:StringEquals", ["a", "b"], true),
            ("ForAnyValue:StringEquals", ["b", "c"], true), ("StringEquals", "${x:k}", true), ("Null", "false", true),
        ] as [(String, JSONValue, Bool)])
    func severalValues(name: String, wanted: JSONValue, expected: Bool) throws {
        #expect(try holds(name, "x:k", wanted, ["x:k": .any(["a", "b"])]) == expected)
    }
}
