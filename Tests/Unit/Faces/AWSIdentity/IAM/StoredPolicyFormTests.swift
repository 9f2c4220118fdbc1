import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("The form of policies, in every operation of IAM that stores one")
struct StoredPolicyFormTests {
    private static let identity = #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#
    private static let reversed = #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"},"Version":"2012-10-17"}"#
    private static let trust =
        #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"AWS":"*"}}]}"#
    private static let legacy = "400 MalformedPolicyDocument The policy failed legacy parsing"

    @Test(
        "policies of identities",
        arguments: [
            ("CreatePolicy", ["PolicyName": "other"]),
            ("CreatePolicyVersion", ["PolicyArn": "arn:aws:iam::000000000000:policy/files"]),
            ("PutUserPolicy", ["UserName": "ann", "PolicyName": "p"]), ("PutGroupPolicy", ["GroupName": "team", "PolicyName": "p"]),
            ("PutRolePolicy", ["RoleName": "r", "PolicyName": "p"]),
        ] as [(String, FormFields)])
    func identities(action: String, parameters: FormFields) async throws {
        try await RolesSandbox.run { iam async throws in
            try await iam.done("CreatePolicy", ["PolicyName": "files", "PolicyDocument": Self.identity])
            try await iam.done("CreateGroup", ["GroupName": "team"])
            #expect(try await iam.createRole("r").status == 200)
            func put(_ document: String) async throws -> STSAnswer {
                var parameters = parameters
                parameters.fields.append(.init(name: "PolicyDocument", value: document))
                return try await iam.call(action, parameters)
            }
            #expect(try await put("\n" + Self.identity).refusal == Self.legacy)
            #expect(try await put(Self.reversed).refusal == Self.legacy)
            #expect(try await put(Self.identity).status == 200)
        }
    }

    @Test("trust policies")
    func trusts() async throws {
        try await RolesSandbox.run { iam async throws in
            #expect(try await iam.createRole("r").status == 200)
            for (action, parameter, name) in [
                ("CreateRole", "AssumeRolePolicyDocument", "new"), ("UpdateAssumeRolePolicy", "PolicyDocument", "r"),
            ] {
                let refused = try await iam.call(action, ["RoleName": name, parameter: "  " + Self.trust])
                #expect(refused.refusal == "400 MalformedPolicyDocument JSON strings must not have leading  spaces")
                #expect(try await iam.call(action, ["RoleName": name, parameter: Self.trust]).status == 200)
            }
        }
    }
}
