import Policy
import Testing

@testable import AWSIdentityFaces

@Suite("Tags in IAM")
struct TagListTests {
    private static let url = "https://login.example"
    private static let provider = "arn:aws:iam::000000000000:oidc-provider/login.example"

    @Test("of a new resource need the permission to tag as well")
    func permission() async throws {
        let policy = "{Effect: 'Allow', Action: ['iam:Create*'], Resource: '*'}"
        try await IAMSandbox.run(policy) { iam async throws in
            let statement = #"{"Effect":"Allow","Principal":{"AWS":"111111111111"},"Action":"sts:AssumeRole"}"#
            let trust = #"{"Version":"2012-10-17","Statement":[\#(statement)]}"#
            let untagged = try await iam.call("CreateRole", ["RoleName": "a", "AssumeRolePolicyDocument": trust], by: IAMSandbox.ann)
            #expect(untagged.status == 200)
            let role = try await iam.call(
                "CreateRole",
                ["RoleName": "b", "AssumeRolePolicyDocument": trust, "Tags.member.1.Key": "k", "Tags.member.1.Value": "v"],
                by: IAMSandbox.ann)
            #expect(role.status == 403)
            #expect(
                role.message?.contains("is not authorized to perform: iam:TagRole on resource: arn:aws:iam::000000000000:role/b because")
                    == true)
            #expect(try await iam.call("GetRole", ["RoleName": "b"]).code == "NoSuchEntity")
            let profile = try await iam.call(
                "CreateInstanceProfile", ["InstanceProfileName": "p", "Tags.member.1.Key": "k", "Tags.member.1.Value": "v"],
                by: IAMSandbox.ann)
            #expect(profile.message?.contains("iam:TagInstanceProfile") == true)
            let trusted = try await iam.call(
                "CreateOpenIDConnectProvider", ["Url": Self.url, "Tags.member.1.Key": "k", "Tags.member.1.Value": "v"], by: IAMSandbox.ann)
            #expect(trusted.message?.contains("iam:TagOpenIDConnectProvider") == true)
        }
    }

    @Test("have case-insensitive keys for users and roles only")
    func letterCase() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call(
                "CreateOpenIDConnectProvider",
                [
                    "Url": Self.url, "Tags.member.1.Key": "Team", "Tags.member.1.Value": "1", "Tags.member.2.Key": "team",
                    "Tags.member.2.Value": "2",
                ])
            let arn = ("OpenIDConnectProviderArn", Self.provider)
            let first = try await iam.call("ListOpenIDConnectProviderTags", [arn.0: arn.1, "MaxItems": "1"])
            #expect(first.members("Tags", "Key") == ["Team"])
            let second = try await iam.call("ListOpenIDConnectProviderTags", [arn.0: arn.1, "Marker": first["Marker"] ?? ""])
            #expect(second.members("Tags", "Key") == ["team"])
            try await iam.call("UntagOpenIDConnectProvider", [arn.0: arn.1, "TagKeys.member.1": "TEAM"])
            try await iam.call("UntagOpenIDConnectProvider", [arn.0: arn.1, "TagKeys.member.1": "Team"])
            #expect(try await iam.call("ListOpenIDConnectProviderTags", [arn.0: arn.1]).members("Tags", "Key") == ["team"])
            let user = try await iam.call(
                "TagUser",
                [
                    "UserName": "ann", "Tags.member.1.Key": "Team", "Tags.member.1.Value": "1", "Tags.member.2.Key": "team",
                    "Tags.member.2.Value": "2",
                ])
            #expect(
                user.refusal
                    == "400 InvalidInput Duplicate tag keys found. Please note that Tag keys are case insensitive.")
        }
    }

    @Test("must be present as a list, which may not be empty for identity providers")
    func lists() async throws {
        let missing = "400 ValidationError 1 validation error detected: Value at"
        try await IAMSandbox.run { iam async throws in
            #expect(
                try await iam.call("TagUser", ["UserName": "ann"]).refusal
                    == "\(missing) 'tags' failed to satisfy constraint: Member must not be null")
            #expect(
                try await iam.call("UntagUser", ["UserName": "ann"]).refusal
                    == "\(missing) 'tagKeys' failed to satisfy constraint: Member must not be null")
            #expect(try await iam.call("TagUser", ["UserName": "ann", "Tags": ""]).status == 200)
            // The pattern of keys allows a space.
            #expect(
                try await iam.call("TagUser", ["UserName": "ann", "Tags.member.1.Key": " ", "Tags.member.1.Value": ""]).status == 200)
            try await iam.call("CreateOpenIDConnectProvider", ["Url": Self.url])
            for (action, list) in [("TagOpenIDConnectProvider", "Tags"), ("UntagOpenIDConnectProvider", "TagKeys")] {
                let answer = try await iam.call(action, ["OpenIDConnectProviderArn": Self.provider, list: ""])
                #expect(answer.status == 400)
                #expect(answer.code == "InvalidInput")
            }
        }
    }

    @Test("are checked after the permission, except for their syntax")
    func order() async throws {
        try await IAMSandbox.run { iam async throws in
            let tag = ("Tags.member.1.Key", "Tags.member.1.Value")
            let reserved = try await iam.call("TagUser", ["UserName": "ann", tag.0: "aws:x", tag.1: ""], by: IAMSandbox.bob)
            #expect(reserved.code == "AccessDenied")
            #expect(try await iam.call("TagUser", ["UserName": "ann", tag.0: "aws:x", tag.1: ""]).code == "InvalidInput")
            let malformed = try await iam.call("TagUser", ["UserName": "ann", tag.0: "a!", tag.1: "b"], by: IAMSandbox.bob)
            #expect(
                malformed.message
                    == "1 validation error detected: Value at 'tags.1.member.key' failed to satisfy constraint: "
                    + #"Member must satisfy regular expression pattern: [\p{L}\p{Z}\p{N}_.:/=+\-@]+"#)
            let keys = try await iam.call("UntagUser", ["UserName": "ann", "TagKeys.member.1": "a!"])
            #expect(
                keys.message
                    == "1 validation error detected: Value at 'tagKeys' failed to satisfy constraint: Member must satisfy constraint: "
                    + "[Member must have length less than or equal to 128, Member must have length greater than or equal to 1, "
                    + #"Member must satisfy regular expression pattern: [\p{L}\p{Z}\p{N}_.:/=+\-@]+]"#)
        }
    }
}
