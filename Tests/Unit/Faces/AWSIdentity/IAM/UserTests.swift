import AWSIdentityFaces
import Cloud
import Federation
import Testing
import WireFormats

@Suite("IAM users")
struct UserTests {
    @Test("are created, returned, renamed and deleted, and keep their identifier")
    func lifecycle() async throws {
        try await IAMSandbox.run { iam async throws in
            let made = try await iam.call(
                "CreateUser", ["UserName": "Carol", "Path": "/a/", "Tags.member.1.Key": "team", "Tags.member.1.Value": "red"])
            #expect(made["Arn"] == "arn:aws:iam::000000000000:user/a/Carol")
            #expect(made.members("Tags", "Key") == ["team"])
            let shown = try await iam.call("GetUser", ["UserName": "cAROL"])
            #expect(shown["UserId"] == made["UserId"])
            #expect(shown["UserId"]?.hasPrefix("AIDA") == true)
            #expect(shown["UserId"]?.count == 21)
            #expect(try await iam.call("UpdateUser", ["UserName": "carol", "NewUserName": "dora", "NewPath": "/b/"]).status == 200)
            let renamed = try await iam.call("GetUser", ["UserName": "dora"])
            #expect(renamed["Arn"] == "arn:aws:iam::000000000000:user/b/dora")
            #expect(renamed["UserId"] == made["UserId"])
            #expect(
                try await iam.call("GetUser", ["UserName": "Carol"]).refusal == "404 NoSuchEntity The user with name Carol cannot be found."
            )
            #expect(try await iam.call("DeleteUser", ["UserName": "dora"]).status == 200)
            #expect(try await iam.call("DeleteUser", ["UserName": "dora"]).code == "NoSuchEntity")
        }
    }

    @Test(
        "are refused with IAM's messages",
        arguments: [
            (["UserName": "ANN"], "409 EntityAlreadyExists User with name ANN already exists."),
            (
                ["UserName": "a b"],
                "400 ValidationError The specified value for userName is invalid. "
                    + "It must contain only alphanumeric characters and/or the following: +=,.@_-"
            ),
            (
                ["UserName": "c", "Path": "x"],
                "400 ValidationError The specified value for path is invalid. "
                    + "It must begin and end with / and contain only alphanumeric characters and/or / characters."
            ),
            (
                [:],
                "400 ValidationError 1 validation error detected: Value at 'userName' failed to satisfy constraint: "
                    + "Member must not be null"
            ),
            (
                [
                    "UserName": "c", "Tags.member.1.Key": "K", "Tags.member.1.Value": "", "Tags.member.2.Key": "k",
                    "Tags.member.2.Value": "",
                ],
                "400 InvalidInput Duplicate tag keys found. Please note that Tag keys are case insensitive."
            ),
            (
                ["UserName": "c", "PermissionsBoundary": "arn:aws:iam::000000000000:policy/none"],
                "404 NoSuchEntity Scope ARN: arn:aws:iam::000000000000:policy/none does not exist or is not attachable."
            ),
        ] as [(KeyValuePairs<String, String>, String)])
    func refusals(parameters: KeyValuePairs<String, String>, refusal: String) async throws {
        try await IAMSandbox.run { iam async throws in #expect(try await iam.call("CreateUser", parameters).refusal == refusal) }
    }

    @Test("a name that is too long is refused with the maximum length")
    func longName() async throws {
        try await IAMSandbox.run { iam async throws in
            let name = String(repeating: "n", count: 65)
            let answer = try await iam.call("CreateUser", ["UserName": name])
            #expect(
                answer.message == "1 validation error detected: Value at 'userName' failed to satisfy constraint: "
                    + "Member must have length less than or equal to 64")
        }
    }

    @Test("are listed without regard to case, in pages")
    func pages() async throws {
        try await IAMSandbox.run { iam async throws in
            for name in ["d", "C", "b", "A"] { try await iam.call("CreateUser", ["UserName": name, "Path": "/p/"]) }
            let first = try await iam.call("ListUsers", ["PathPrefix": "/p/", "MaxItems": "3"])
            #expect(first.members("Users", "UserName") == ["A", "b", "C"])
            #expect(first["IsTruncated"] == "true")
            let second = try await iam.call("ListUsers", ["PathPrefix": "/p/", "MaxItems": "3", "Marker": first["Marker"] ?? ""])
            #expect(second.members("Users", "UserName") == ["d"])
            #expect(second["IsTruncated"] == "false")
            #expect(second["Marker"] == nil)

            let names = (0..<20).map { "user-\($0)" }
            for name in names.shuffled() { try await iam.call("CreateUser", ["UserName": name, "Path": "/q/"]) }
            for size in [1, 7, 19, 20, 21] {
                var page = try await iam.call("ListUsers", ["PathPrefix": "/q/", "MaxItems": "\(size)"])
                var listed = page.members("Users", "UserName")
                while let marker = page["Marker"] {
                    page = try await iam.call("ListUsers", ["PathPrefix": "/q/", "MaxItems": "\(size)", "Marker": marker])
                    listed += page.members("Users", "UserName")
                }
                #expect(listed == names.sorted(), "pages of \(size)")
            }
        }
    }

    @Test("cannot be deleted while anything is attached to them")
    func hindrances() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateUser", ["UserName": "c"])
            try await iam.call("CreateGroup", ["GroupName": "g"])
            try await iam.call("AddUserToGroup", ["GroupName": "g", "UserName": "c"])
            #expect(
                try await iam.call("DeleteUser", ["UserName": "c"]).refusal
                    == "409 DeleteConflict Cannot delete entity, must remove users from group first.")
            try await iam.call("RemoveUserFromGroup", ["GroupName": "g", "UserName": "c"])
            try await iam.call("PutUserPolicy", ["UserName": "c", "PolicyName": "p", "PolicyDocument": InlinePolicyTests.document])
            #expect(
                try await iam.call("DeleteUser", ["UserName": "c"]).refusal
                    == "409 DeleteConflict Cannot delete entity, must delete policies first.")
            try await iam.call("DeleteUserPolicy", ["UserName": "c", "PolicyName": "p"])
            let key = try await iam.call("CreateAccessKey", ["UserName": "c"])["AccessKeyId"] ?? ""
            #expect(
                try await iam.call("DeleteUser", ["UserName": "c"]).refusal
                    == "409 DeleteConflict Cannot delete entity, must delete access keys first.")
            try await iam.call("DeleteAccessKey", ["UserName": "c", "AccessKeyId": key])
            #expect(try await iam.call("DeleteUser", ["UserName": "c"]).status == 200)
        }
    }

    @Test("a tag replaces one with the same key in another case")
    func tags() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("TagUser", ["UserName": "bob", "Tags.member.1.Key": "Team", "Tags.member.1.Value": "red"])
            try await iam.call("TagUser", ["UserName": "bob", "Tags.member.1.Key": "team", "Tags.member.1.Value": "blue"])
            let tags = try await iam.call("ListUserTags", ["UserName": "bob"])
            #expect(tags.members("Tags", "Key") == ["team"])
            #expect(tags.members("Tags", "Value") == ["blue"])
            try await iam.call("UntagUser", ["UserName": "bob", "TagKeys.member.1": "TEAM"])
            #expect(try await iam.call("ListUserTags", ["UserName": "bob"]).members("Tags").isEmpty)
        }
    }

    @Test("callers without permission do not learn which users exist")
    func permission() async throws {
        try await IAMSandbox.run { iam async throws in
            for name in ["ann", "nobody"] {
                let answer = try await iam.call("GetUser", ["UserName": name], by: IAMSandbox.bob)
                let text =
                    "403 AccessDenied User: arn:aws:iam::000000000000:user/bob is not authorized to perform: "
                    + "iam:GetUser on resource: user \(name) because no identity-based policy allows the iam:GetUser action. Go to "
                #expect(answer.refusal.hasPrefix(text))
            }
        }
    }

    @Test("a rename must be allowed for both names")
    func renamePermission() async throws {
        let statement = "{Effect: 'Allow', Action: 'iam:UpdateUser', Resource: 'arn:aws:iam::*:user/bob*'}"
        try await IAMSandbox.run(statement) { iam async throws in
            #expect(try await iam.call("UpdateUser", ["UserName": "bob", "NewUserName": "rob"], by: IAMSandbox.ann).code == "AccessDenied")
            #expect(try await iam.call("UpdateUser", ["UserName": "bob", "NewUserName": "bob2"], by: IAMSandbox.ann).status == 200)
        }
    }

    @Test("conditions see the tags of the request, and tags need a permission of their own")
    func tagConditions() async throws {
        let statement = """
            {Effect: 'Allow', Action: ['iam:CreateUser', 'iam:TagUser'], Resource: '*',
             Condition: {StringEquals: {'aws:RequestTag/team': 'red'}, 'ForAllValues:StringEquals': {'aws:TagKeys': ['team']}}},
            {Effect: 'Deny', Action: 'iam:TagUser', Resource: 'arn:aws:iam::*:user/untaggable'}
            """
        try await IAMSandbox.run(statement) { iam async throws in
            func create(_ name: String, _ tags: KeyValuePairs<String, String>) async throws -> Int {
                try await iam.call(
                    "CreateUser",
                    KeyValuePairs(
                        dictionaryLiteral: ("UserName", name), ("Tags.member.1.Key", tags[0].key), ("Tags.member.1.Value", tags[0].value)),
                    by: IAMSandbox.ann
                ).status
            }
            #expect(try await create("c", ["team": "red"]) == 200)
            #expect(try await create("d", ["team": "blue"]) == 403)
            #expect(try await create("e", ["town": "red"]) == 403)
            #expect(try await create("untaggable", ["team": "red"]) == 403)
        }
    }

    @Test("policies may omit the account in ARNs in the dialect of RADOS Gateway", arguments: Dialect.allCases)
    func accountlessARNs(dialect: Dialect) async throws {
        let statement = "{Effect: 'Allow', Action: 'iam:GetUser', Resource: 'arn:aws:iam:::user/bob'}"
        try await IAMSandbox.run(statement, dialect: dialect) { iam async throws in
            let status = try await iam.call("GetUser", ["UserName": "bob"], by: IAMSandbox.ann).status
            #expect(status == (dialect == .ceph ? 200 : 403))
        }
    }

    @Test("RADOS Gateway allows principals without account, Principal in policies, and two values for a tag")
    func rolesOfRADOSGateway() async throws {
        func trust(_ principal: String) -> String {
            #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"\#(principal)"},"Action":"sts:AssumeRole"}]}"#
        }
        let policy = #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Principal":"*","Resource":"*"}}"#
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateRole", ["RoleName": "r", "AssumeRolePolicyDocument": trust("000000000000")])
            for (action, parameter) in [("CreateRole", "AssumeRolePolicyDocument"), ("UpdateAssumeRolePolicy", "PolicyDocument")] {
                let answer = try await iam.call(action, ["RoleName": "r", parameter: trust("arn:aws:iam:::user/bob")])
                #expect(answer.status == 400)
                #expect(answer.code == "MalformedPolicyDocument")
                #expect(answer.message == #"Invalid principal in policy: "AWS":"arn:aws:iam:::user/bob""#)
            }
            let put = try await iam.call("PutRolePolicy", ["RoleName": "r", "PolicyName": "p", "PolicyDocument": policy])
            #expect(put.code == "MalformedPolicyDocument")
            #expect(put.message == "Policy document should not specify a principal.")
        }
        try await IAMSandbox.run(dialect: .ceph) { iam async throws in
            let created = try await iam.call(
                "CreateRole",
                [
                    "RoleName": "r", "AssumeRolePolicyDocument": trust("arn:aws:iam:::user/bob"), "Tags.member.1.Key": "team",
                    "Tags.member.1.Value": "red", "Tags.member.2.Key": "team", "Tags.member.2.Value": "blue",
                ])
            #expect(created.status == 200)
            #expect(created.all("Value") == ["red", "blue"])
            #expect(try await iam.call("PutRolePolicy", ["RoleName": "r", "PolicyName": "p", "PolicyDocument": policy]).status == 200)
            let shown = try await iam.call("GetRolePolicy", ["RoleName": "r", "PolicyName": "p"])["PolicyDocument"]
            #expect(shown.flatMap(percentDecoded) == policy)
            let user = try await iam.call("PutUserPolicy", ["UserName": "bob", "PolicyName": "p", "PolicyDocument": policy])
            #expect(user.status == 400)
            #expect(user.code == "MalformedPolicyDocument")
        }
    }
}
