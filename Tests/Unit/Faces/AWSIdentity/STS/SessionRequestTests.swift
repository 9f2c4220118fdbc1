import Cloud
import Directory
import Policy
import Testing
import WireFormats

@testable import AWSIdentityFaces
@testable import Tokens

private let namespace = "https://aws.amazon.com/"
private let format = "principal_tags passed in claim is not in correct format."
private let tagFault = "The session tag claim is invalid."
private let keysFault = "transitive_tag_keys passed in claim is not in correct format."
private let otherKey = "Transitive tag keys must name tags of the session."
private let sourceFault = "The source identity claim is invalid."
private let rolesFault = "The roles claim is not in a supported format"
private let noRoles = "The roles claim contains no valid role ARNs"
private let otherRoles = "The target role ARN is not present in the roles claim of the identity token"

@Suite("Session claims of an ID token")
struct SessionRequestTests {
    private func claims(_ members: (String, JSONValue)...) -> JSONObject {
        JSONObject(members.map { (namespace + $0.0, $0.1) })
    }

    @Test(
        "are tags, nested or flattened, which the trust policy must allow",
        arguments: [
            (#"{"https://aws.amazon.com/tags":{"principal_tags":{"team":["red"]},"transitive_tag_keys":["team"]}}"#, "red"),
            (
                #"{"https://aws.amazon.com/tags/principal_tags/team":"red","https://aws.amazon.com/tags/transitive_tag_keys":["TEAM"]}"#,
                "red"
            ),
            (#"{"https://aws.amazon.com/tags":{"principal_tags":{"team":["blue"]}}}"#, "blue"),
            (#"{"https://aws.amazon.com/tags":{"principal_tags":{"Team":[""]}}}"#, ""),
        ])
    func tags(claims: String, value: String) async throws {
        try await STSSandbox.run { sts async throws in
            let claims = try #require(try JSONValue(parsing: claims).objectValue)
            let token = try await sts.token(claims: claims)
            #expect(try await sts.assume("tagged", token).status == 200)
            let refused = try await sts.assume("company", token)
            #expect(refused.status == 403)
            #expect(refused.message == "Not authorized to perform sts:AssumeRoleWithWebIdentity")
            #expect(refused.journal.decisions.map(\.action) == ["sts:AssumeRoleWithWebIdentity", "sts:TagSession"])
            #expect(refused.journal.decisions.map(\.allowed) == [true, false])
            #expect(try await sts.assume("by-tag", token).status == (value == "red" ? 200 : 403))
        }
    }

    @Test(
        "are refused if their form is invalid",
        arguments: [
            (#"{"tags":[]}"#, format),
            (#"{"tags":{"principal_tags":[]}}"#, format),
            (#"{"tags":{"principal_tags":{"team":"red"}}}"#, format),
            (#"{"tags":{"principal_tags":{"team":["red","blue"]}}}"#, format),
            (#"{"tags":{"principal_tags":{"team":[]}}}"#, format),
            (#"{"tags":{"principal_tags":{"team":[1]}}}"#, format),
            (#"{"tags/principal_tags/team":["red"]}"#, format),
            (#"{"tags/principal_tags/":"red"}"#, tagFault),
            (#"{"tags/principal_tags/aws:team":"red"}"#, tagFault),
            (#"{"tags/principal_tags/te*m":"red"}"#, tagFault),
            (#"{"tags":{"principal_tags":{"team":["red"],"TEAM":["blue"]}}}"#, tagFault),
            (#"{"tags":{"principal_tags":{"team":["red"]},"transitive_tag_keys":"team"}}"#, keysFault),
            (#"{"tags":{"principal_tags":{"team":["red"]},"transitive_tag_keys":[1]}}"#, keysFault),
            (#"{"tags":{"principal_tags":{"team":["red"]},"transitive_tag_keys":["other"]}}"#, otherKey),
            (#"{"source_identity":1}"#, sourceFault),
            (#"{"source_identity":"x"}"#, sourceFault),
            (#"{"source_identity":"aws:x"}"#, sourceFault),
            (#"{"source_identity":"a b"}"#, sourceFault),
            (#"{"roles":1}"#, rolesFault),
            (#"{"roles":{}}"#, rolesFault),
            (#"{"roles":[1]}"#, noRoles),
            (#"{"roles":" ; "}"#, noRoles),
            (#"{"roles":"tagged"}"#, noRoles),
            (#"{"roles":["arn:aws:iam::000000000000:role/tagged-not"]}"#, otherRoles),
        ])
    func malformed(members: String, message: String) async throws {
        try await STSSandbox.run { sts async throws in
            let members = try #require(try JSONValue(parsing: members).objectValue).members
            let claims = JSONObject(members.map { (namespace + $0.name, $0.value) })
            let answer = try await sts.assume("tagged", sts.token(claims: claims))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message == message)
        }
    }

    @Test("are at most fifty tags")
    func manyTags() async throws {
        try await STSSandbox.run { sts async throws in
            func token(_ count: Int) async throws -> String {
                try await sts.token(claims: JSONObject((0..<count).map { (namespace + "tags/principal_tags/k\($0)", "v") }))
            }
            #expect(try await sts.assume("tagged", token(50)).status == 200)
            #expect(try await sts.assume("tagged", token(51)).code == "InvalidIdentityToken")
        }
    }

    @Test("count toward the packed size of a session")
    func sizeOfTags() async throws {
        try await STSSandbox.run { sts async throws in
            func answer(_ tags: Int) async throws -> STSAnswer {
                let value = JSONValue.string(String(repeating: "v", count: 200))
                let claims = JSONObject((0..<tags).map { (namespace + "tags/principal_tags/k\($0)", value) })
                return try await sts.assume("tagged", sts.token(claims: claims))
            }
            let sizes = try await [answer(0), answer(1), answer(2)].compactMap { $0["PackedPolicySize"].flatMap { Int($0) } }
            // 24 percent is the share of a web identity; one tag has 205 of 460 bytes.
            #expect(sizes == [24, 24 + 44 * 76 / 100, 24 + 89 * 76 / 100])
            #expect(
                try await answer(3).refusal == "400 PackedPolicyTooLarge Packed size of session tags consumes 133% of allotted space.")
        }
    }

    @Test("are a source identity, which the trust policy must allow and the response repeats")
    func sourceIdentity() async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token(claims: claims(("source_identity", "alice@home")))
            let answer = try await sts.assume("tagged", token)
            #expect(answer.status == 200)
            #expect(answer["SourceIdentity"] == "alice@home")
            let refused = try await sts.assume("company", token)
            #expect(refused.status == 403)
            #expect(refused.code == "AccessDenied")
            #expect(refused.journal.decisions.map(\.action) == ["sts:AssumeRoleWithWebIdentity", "sts:SetSourceIdentity"])
            #expect(try await sts.assume("tagged", sts.token())["SourceIdentity"] == nil)
        }
    }

    @Test(
        "are the roles that the token may assume",
        arguments: [
            (.string("arn:aws:iam::000000000000:role/other;arn:aws:iam::000000000000:role/by-roles"), true),
            (["arn:aws:iam::000000000000:role/by-roles"], true), ([1, " arn:aws:iam::000000000000:role/by-roles\t"], true),
            (" arn:aws:iam::000000000000:role/other ; arn:aws:iam::000000000000:role/by-roles\n", true),
            ("arn:aws:iam::000000000000:role/other", false), ([], false),
            (["arn:aws:iam::000000000000:role/*"], false),
        ] as [(JSONValue, Bool)])
    func roles(claim: JSONValue, isAuthorized: Bool) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("by-roles", sts.token(claims: claims(("roles", claim))))
            #expect(answer.status == (isAuthorized ? 200 : 400))
            if !isAuthorized { #expect(answer.code == "InvalidIdentityToken") }
            #expect(try await sts.assume("by-roles", sts.token()).status == 403)
        }
    }

    @Test(
        "set the condition key of role authorization to false if the roles are null or missing",
        arguments: [([:], "false"), (["roles": .null], "false"), (["roles": "arn:aws:iam::000000000000:role/company"], "true")]
            as [(JSONObject, String)])
    func roleAuthorizedByIdp(members: JSONObject, value: String) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.signed(sts.claims(members.members.map { (namespace + $0.name, $0.value) }))
            for wanted in ["true", "false"] {
                try await sts.cloud.edit { directory in
                    var role = try #require(directory.role("company", in: STSSandbox.account)?.role)
                    role.trustPolicy = TrustPolicy(
                        document: try .init(
                            parsing: """
                                {"Statement": {"Effect": "Allow", "Action": "sts:AssumeRoleWithWebIdentity",
                                 "Principal": {"Federated": "arn:aws:iam::000000000000:oidc-provider/login.company.example"},
                                 "Condition": {"Bool": {"sts:RoleAuthorizedByIdp": "\(wanted)"}}}}
                                """, kind: .trust))
                    directory.put(.role(role))
                }
                #expect(try await sts.assume("company", token).status == (wanted == value ? 200 : 403))
            }
        }
    }

    @Test("are read from the last of several members of a name, and so is the header")
    func repeatedNames() async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company")
            let claims = JSONValue.object(sts.claims()).serialized()
            let payload = #"{"sub":"nobody","aud":"nobody","exp":1,"# + claims.dropFirst()
            let header = #"{"alg":"none","kid":"nobody","# + JSONValue.object(key.header).serialized().dropFirst()
            let text = Array(header.utf8).base64url + "." + Array(payload.utf8).base64url
            let answer = try await sts.assume("company", "\(text).\(key.sign(Array(text.utf8)).base64url)")
            #expect(answer.status == 200)
            #expect(answer["SubjectFromWebIdentityToken"] == "employee-1")
            #expect(answer["Audience"] == "web")
        }
    }
}
