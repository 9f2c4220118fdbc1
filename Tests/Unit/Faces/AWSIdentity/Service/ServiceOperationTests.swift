import Calls
import Cloud
import Federation
import Fixtures
import Testing

@testable import AWSIdentityFaces

@Suite("Operations of AWS services")
struct ServiceOperationTests {
    @Test(
        "refuse members that Virga does not support, before they look for a signature",
        arguments: [
            ("CreateSAMLProvider", "ContextProvider"), ("CreateSAMLProvider", "IdentityCenterInstanceArn"),
            ("UpdateSAMLProvider", "RemoveContextProvider"), ("UpdateSAMLProvider", "RemoveIdentityCenterInstance"),
            ("CreateOpenIDConnectProvider", "IdentityCenterInstanceArn"),
            ("UpdateOpenIDConnectProvider", "RemoveIdentityCenterInstance"),
        ])
    func unsupportedMembers(operation: String, member: String) async throws {
        try await IAMSandbox.run { iam async throws in
            let answer = try await iam.call(operation, ["\(member)": "x"], by: ("nobody", "secret"))
            #expect(answer.refusal == "501 NotImplemented \(operation) does not support \(member).")
        }
    }

    @Test("of the service model that Virga does not have are refused by name")
    func notImplemented() async throws {
        try await IAMSandbox.run { iam async throws in
            let answer = try await iam.call("GetAccountProperties")
            #expect(answer.refusal == "501 NotImplemented The action GetAccountProperties is not implemented by this sandbox.")
            #expect(answer.journal.operation == "GetAccountProperties")
        }
    }

    @Test(
        "check their members before they authorize the caller",
        arguments: [
            "ListUsers", "ListGroups", "ListRoles", "ListPolicies", "ListInstanceProfiles", "ListServerCertificates",
            "ListVirtualMFADevices", "ListAccountAliases", "ListSigningCertificates", "ListSSHPublicKeys",
        ])
    func order(operation: String) async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(try await iam.call(operation, ["MaxItems": "0"], by: IAMSandbox.bob).code == "ValidationError")
            #expect(try await iam.call(operation, by: IAMSandbox.bob).code == "AccessDenied")
        }
    }

    @Test("that need no signature are not those that policies name as actions of a signed caller")
    func unsigned() {
        #expect(STSFace.operation(ofAction: "STS:assumerole") == "AssumeRole")
        #expect(STSFace.operation(ofAction: "sts:AssumeRoleWithSAML") == nil)
        #expect(STSFace.operation(ofAction: "sts:AssumeRoleWithWebIdentity") == nil)
    }
}
