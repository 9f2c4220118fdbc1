import Cloud
import Directory
import Federation
import Policy
import Testing
import WireFormats

@testable import AlibabaIdentityFaces

@Suite("Resource Access Management")
struct RAMTests {
    private static let open = #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"oss:*","Resource":"*"}]}"#
    private static let trust =
        #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"RAM":["acs:ram::1234567890123456:root"]}}]}"#

    @Test("a user is created, returned, changed and removed")
    func users() async throws {
        try await RAMSandbox.run { ram async throws in
            let made = try await ram.call(
                "CreateUser", ["UserName": "carol", "DisplayName": "Carol", "MobilePhone": "86-18600008888", "Email": "c@example.com"])
            let id = try #require(made.text("User", "UserId"))
            #expect(id.count == 18)
            #expect(id.allSatisfy { $0.isNumber })
            #expect(made.text("User", "UserName") == "carol")
            #expect(made["User"]?["UpdateDate"] == nil)
            let date = try #require(made.text("User", "CreateDate"))
            #expect(date.count == 20)
            #expect(date.hasSuffix("Z"))
            #expect(Timestamp(iso8601: date) != nil)
            try await ram.call("UpdateUser", ["UserName": "carol", "NewUserName": "caroline", "NewComments": "x"])
            #expect(try await ram.refusal("GetUser", ["UserName": "carol"]) == "404 EntityNotExist.User")
            let user = try await ram.call("GetUser", ["UserName": "caroline"])
            #expect(user.text("User", "UserId") == id)
            #expect(user.text("User", "Comments") == "x")
            #expect(user.text("User", "Email") == "c@example.com")
            #expect(try await ram.call("ListUsers").texts("Users", "UserName") == ["ann", "bob", "caroline"])
            try await ram.call("DeleteUser", ["UserName": "caroline"])
            #expect(try await ram.refusal("DeleteUser", ["UserName": "caroline"]) == "404 EntityNotExist.User")
        }
    }

    @Test(
        "invalid parameters",
        arguments: [
            ("CreateUser", [:], "400 MissingUserName"), ("CreateUser", ["UserName": "a b"], "400 InvalidParameter.UserName.InvalidChars"),
            ("CreateUser", ["UserName": String(repeating: "a", count: 65)], "400 InvalidParameter.UserName.Length"),
            ("CreateUser", ["UserName": "bob"], "409 EntityAlreadyExists.User"),
            ("CreateUser", ["UserName": "BOB"], "409 EntityAlreadyExists.User"),
            ("CreateUser", ["UserName": "x", "MobilePhone": "123"], "400 InvalidParameter.MobilePhone.Format"),
            ("CreateUser", ["UserName": "x", "Email": "@"], "400 InvalidParameter.Email.Format"),
            (
                "CreateUser", ["UserName": "x", "Comments": String(repeating: "é", count: 129)], "400 InvalidParameter.Comments.Length"
            ),
            ("CreateGroup", ["GroupName": "g@x"], "400 InvalidParameter.GroupName.InvalidChars"),
            ("CreateRole", ["RoleName": "r"], "400 MissingAssumeRolePolicyDocument"),
            ("CreateRole", ["RoleName": "r", "AssumeRolePolicyDocument": "{}"], "400 MalformedPolicyDocument"),
            ("CreateRole", ["RoleName": "r", "AssumeRolePolicyDocument": open], "400 MalformedPolicyDocument"),
            ("CreateRole", ["RoleName": "app", "AssumeRolePolicyDocument": trust], "409 EntityAlreadyExists.Role"),
            (
                "CreateRole", ["RoleName": "r", "AssumeRolePolicyDocument": trust, "MaxSessionDuration": "900"],
                "400 InvalidParameter.MaxSessionDuration"
            ),
            ("CreatePolicy", ["PolicyName": "a.b", "PolicyDocument": open], "400 InvalidParameter.PolicyName.InvalidChars"),
            ("CreatePolicy", ["PolicyName": "p", "PolicyDocument": open], "409 EntityAlreadyExists.Policy"),
            ("CreatePolicy", ["PolicyName": "q", "PolicyDocument": trust], "400 MalformedPolicyDocument"),
            (
                "CreatePolicy", ["PolicyName": "q", "PolicyDocument": String(repeating: " ", count: 6145)],
                "400 InvalidParameter.PolicyDocument.Length"
            ),
            ("GetPolicy", ["PolicyName": "p", "PolicyType": "Mine"], "400 InvalidParameter.PolicyType"),
            ("GetPolicy", ["PolicyName": "p", "PolicyType": "System"], "404 EntityNotExist.Policy"),
            ("GetPolicyVersion", ["PolicyName": "p", "PolicyType": "Custom", "VersionId": "1"], "400 InvalidParameter.VersionId.Format"),
            ("GetPolicyVersion", ["PolicyName": "p", "PolicyType": "Custom", "VersionId": "v2"], "404 EntityNotExist.Policy.Version"),
            ("AttachPolicyToUser", ["PolicyName": "p", "PolicyType": "Custom", "UserName": "none"], "404 EntityNotExist.User"),
            ("AttachPolicyToUser", ["PolicyName": "none", "PolicyType": "System", "UserName": "bob"], "404 EntityNotExist.Policy"),
            ("AttachPolicyToUser", ["PolicyName": "p", "PolicyType": "Custom", "UserName": "ann"], "409 EntityAlreadyExists.User.Policy"),
            ("AttachPolicyToRole", ["PolicyName": "p", "PolicyType": "Custom", "RoleName": "app"], "409 EntityAlreadyExists.Role.Policy"),
            ("DetachPolicyFromUser", ["PolicyName": "p", "PolicyType": "Custom", "UserName": "bob"], "404 EntityNotExist.User.Policy"),
            ("AddUserToGroup", ["UserName": "bob", "GroupName": "none"], "404 EntityNotExist.Group"),
            ("UpdateAccessKey", ["UserName": "ann", "UserAccessKeyId": "x", "Status": "Active"], "404 EntityNotExist.User.AccessKey"),
            ("UpdateAccessKey", ["UserName": "ann", "UserAccessKeyId": "LTAIANN", "Status": "On"], "400 InvalidParameter.Status"),
            ("DeleteUser", ["UserName": "ann"], "409 DeleteConflict.User.AccessKey"),
            ("DeleteRole", ["RoleName": "app"], "409 DeleteConflict.Role.Policy"),
            ("DeletePolicy", ["PolicyName": "p"], "409 DeleteConflict.Policy.User"),
            ("GetLoginProfile", ["UserName": "bob"], "404 EntityNotExist.User.LoginProfile"),
            ("CreateLoginProfile", ["UserName": "bob", "Password": "short"], "400 InvalidParameter.Password.TooWeak"),
            ("ListUsers", ["MaxItems": "0"], "400 InvalidParameter.MaxItems"),
            ("ListUsers", ["Marker": "!"], "400 InvalidParameter.Marker"),
            ("SetAccountAlias", ["AccountAlias": "a--b"], "400 InvalidParameter.AccountAlias.Format"),
            ("SetAccountAlias", ["AccountAlias": "a"], "400 InvalidParameter.AccountAlias.Length"),
            ("SetPasswordPolicy", ["MinimumPasswordLength": "7"], "400 InvalidParameter.MinimumPasswordLength.Range"),
            ("GetUser", ["UserName": "eve"], "404 EntityNotExist.User"), ("NoSuchAction", [:], "404 InvalidAction.NotFound"),
        ] as [(String, [String: String], String)])
    func refusals(action: String, parameters: [String: String], refusal: String) async throws {
        try await RAMSandbox.run { ram async throws in
            #expect(try await ram.refusal(action, parameters) == refusal)
        }
    }

    @Test("lists are returned in pages")
    func pages() async throws {
        try await RAMSandbox.run { ram async throws in
            for name in ["dan", "carol", "Zoe"] { try await ram.call("CreateUser", ["UserName": name]) }
            let first = try await ram.call("ListUsers", ["MaxItems": "2"])
            #expect(first.texts("Users", "UserName") == ["Zoe", "ann"])
            #expect(first.text("IsTruncated") == "true")
            let second = try await ram.call("ListUsers", ["MaxItems": "3", "Marker": try #require(first.text("Marker"))])
            #expect(second.texts("Users", "UserName") == ["bob", "carol", "dan"])
            #expect(second.text("IsTruncated") == "false")
            #expect(second["Marker"] == nil)
        }
    }

    @Test("a user has at most two access keys, and an inactive one cannot sign")
    func accessKeys() async throws {
        try await RAMSandbox.run { ram async throws in
            let made = try await ram.call("CreateAccessKey", ["UserName": "bob"])
            let id = try #require(made.text("AccessKey", "AccessKeyId"))
            #expect(id.hasPrefix("LTAI5t"))
            #expect(id.count == 24)
            #expect(made.text("AccessKey", "AccessKeySecret")?.count == 30)
            #expect(made.text("AccessKey", "Status") == "Active")
            try await ram.call("CreateAccessKey", ["UserName": "bob"])
            #expect(try await ram.refusal("CreateAccessKey", ["UserName": "bob"]) == "409 LimitExceeded.User.AccessKey")
            let listed = try await ram.call("ListAccessKeys", ["UserName": "bob"])
            #expect(listed.texts("AccessKeys", "AccessKeyId").count == 2)
            #expect(listed.texts("AccessKeys", "AccessKeySecret").isEmpty)
            try await ram.call("UpdateAccessKey", ["UserName": "bob", "UserAccessKeyId": id, "Status": "Inactive"])
            guard case .user(_, let key)? = ram.cloud.directory.keys[id] else { throw RAMSandbox.NoSuchCaller() }
            #expect(!key.isActive)
            try await ram.call("DeleteAccessKey", ["UserName": "bob", "UserAccessKeyId": id])
            #expect(ram.cloud.directory.keys[id] == nil)
        }
    }

    @Test("the times of an access key age")
    func agedKey() async throws {
        try await RAMSandbox.run { ram async throws in
            let made = try await ram.call("CreateAccessKey", ["UserName": "bob"])
            let created = try #require(made.text("AccessKey", "CreateDate").flatMap { Timestamp(iso8601: $0) })
            try await ram.cloud.age(by: .seconds(86_400))
            let listed = try await ram.call("ListAccessKeys", ["UserName": "bob"])
            #expect(listed.texts("AccessKeys", "CreateDate").contains((created - .seconds(86_400)).iso8601))
        }
    }

    @Test("policies have at most five versions, one of which is the default")
    func versions() async throws {
        try await RAMSandbox.run { ram async throws in
            let made = try await ram.call("CreatePolicy", ["PolicyName": "q", "PolicyDocument": Self.open, "Description": "d"])
            #expect(made.text("Policy", "PolicyType") == "Custom")
            #expect(made.text("Policy", "DefaultVersion") == "v1")
            for _ in 0..<4 { try await ram.call("CreatePolicyVersion", ["PolicyName": "q", "PolicyDocument": Self.open]) }
            let more = ["PolicyName": "q", "PolicyDocument": Self.open, "SetAsDefault": "true"]
            #expect(try await ram.refusal("CreatePolicyVersion", more) == "409 LimitExceeded.Policy.Version")
            try await ram.call("DeletePolicyVersion", ["PolicyName": "q", "VersionId": "v5"])
            let sixth = try await ram.call("CreatePolicyVersion", more)
            #expect(sixth.text("PolicyVersion", "VersionId") == "v6")
            #expect(sixth.text("PolicyVersion", "IsDefaultVersion") == "true")
            #expect(
                try await ram.refusal("DeletePolicyVersion", ["PolicyName": "q", "VersionId": "v6"])
                    == "409 DeleteConflict.Policy.Version.Default")
            let rotated = try await ram.call(
                "CreatePolicyVersion",
                ["PolicyName": "q", "PolicyDocument": Self.open, "RotateStrategy": "DeleteOldestNonDefaultVersionWhenLimitExceeded"])
            #expect(rotated.text("PolicyVersion", "VersionId") == "v7")
            let versions = try await ram.call("ListPolicyVersions", ["PolicyName": "q", "PolicyType": "Custom"])
            #expect(versions.texts("PolicyVersions", "VersionId") == ["v2", "v3", "v4", "v6", "v7"])
            try await ram.call("SetDefaultPolicyVersion", ["PolicyName": "q", "VersionId": "v3"])
            let policy = try await ram.call("GetPolicy", ["PolicyName": "q", "PolicyType": "Custom"])
            #expect(policy.text("Policy", "DefaultVersion") == "v3")
            #expect(policy.text("DefaultPolicyVersion", "PolicyDocument") == Self.open)
            #expect(try await ram.refusal("DeletePolicy", ["PolicyName": "q"]) == "409 DeleteConflict.Policy.Version")
            try await ram.call("DeletePolicy", ["PolicyName": "q", "CascadingDelete": "true"])
            #expect(try await ram.refusal("GetPolicy", ["PolicyName": "q", "PolicyType": "Custom"]) == "404 EntityNotExist.Policy")
        }
    }

    @Test("attached policies take effect at once, also through groups, and are listed with their date")
    func attachments() async throws {
        try await RAMSandbox.run { ram async throws in
            let bob = { () throws -> Caller in try ram.caller("bob") }
            #expect(try await ram.refusal("ListUsers", by: bob()) == "403 NoPermission")
            try await ram.call("AttachPolicyToUser", ["PolicyType": "System", "PolicyName": "AliyunRAMReadOnlyAccess", "UserName": "bob"])
            #expect(try await ram.refusal("ListUsers", by: bob()) == nil)
            let attached = try await ram.call("ListPoliciesForUser", ["UserName": "bob"])
            #expect(attached.texts("Policies", "PolicyName") == ["AliyunRAMReadOnlyAccess"])
            #expect(attached.texts("Policies", "AttachDate").count == 1)
            let entities = try await ram.call("ListEntitiesForPolicy", ["PolicyType": "System", "PolicyName": "AliyunRAMReadOnlyAccess"])
            #expect(entities.texts("Users", "UserName") == ["bob"])
            #expect(entities.texts("Roles", "RoleName").isEmpty)
            try await ram.call(
                "DetachPolicyFromUser", ["PolicyType": "System", "PolicyName": "AliyunRAMReadOnlyAccess", "UserName": "bob"])
            #expect(try await ram.refusal("ListUsers", by: bob()) == "403 NoPermission")

            try await ram.call("CreateGroup", ["GroupName": "admins", "Comments": "c"])
            try await ram.call("AddUserToGroup", ["GroupName": "admins", "UserName": "bob"])
            try await ram.call("AttachPolicyToGroup", ["PolicyType": "Custom", "PolicyName": "p", "GroupName": "admins"])
            #expect(try await ram.refusal("ListUsers", by: bob()) == nil)
            try await ram.call("UpdateGroup", ["GroupName": "admins", "NewGroupName": "operators"])
            #expect(try await ram.refusal("ListUsers", by: bob()) == nil)
            #expect(try await ram.call("ListGroupsForUser", ["UserName": "bob"]).texts("Groups", "GroupName") == ["operators"])
            #expect(try await ram.call("ListUsersForGroup", ["GroupName": "operators"]).texts("Users", "UserName") == ["bob"])
            #expect(try await ram.refusal("DeleteGroup", ["GroupName": "operators"]) == "409 DeleteConflict.Group.User")
            #expect(try await ram.refusal("DeleteUser", ["UserName": "bob"]) == "409 DeleteConflict.User.Group")
            try await ram.call("RemoveUserFromGroup", ["GroupName": "operators", "UserName": "bob"])
            #expect(try await ram.refusal("ListUsers", by: bob()) == "403 NoPermission")
            #expect(try await ram.refusal("DeleteGroup", ["GroupName": "operators"]) == "409 DeleteConflict.Group.Policy")
        }
    }

    @Test("permission is checked for the resource of a call, and a session is limited by its session policy")
    func permission() async throws {
        try await RAMSandbox.run("{Effect: 'Allow', Action: ['ram:GetUser', 'ram:CreateAccessKey'], Resource: 'acs:ram:*:*:user/b*'}") {
            ram async throws in
            let ann = try ram.caller("ann")
            #expect(try await ram.refusal("GetUser", ["UserName": "bob"], by: ann) == nil)
            #expect(try await ram.refusal("GetUser", ["UserName": "ann"], by: ann) == "403 NoPermission")
            #expect(try await ram.refusal("CreateUser", ["UserName": "bert"], by: ann) == "403 NoPermission")
            #expect(try await ram.refusal("CreateAccessKey", by: ann) == "403 NoPermission")
            try await ram.call("SetSecurityPreference", ["AllowUserToManageAccessKeys": "true"])
            #expect(try await ram.refusal("CreateAccessKey", by: ann) == nil)
            #expect(try await ram.refusal("GetUser", ["UserName": "bob"], by: ram.session()) == nil)
            let narrow = #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"oss:*","Resource":"*"}]}"#
            #expect(try await ram.refusal("GetUser", ["UserName": "bob"], by: ram.session(policy: narrow)) == "403 NoPermission")
        }
    }

    @Test("a deny for one spelling of a name applies to every spelling")
    func spelling() async throws {
        let denial = """
            {Effect: 'Allow', Action: 'ram:*', Resource: '*'}, {Effect: 'Deny', Action: 'ram:*', Resource: [
              'acs:ram::\(RAMSandbox.account):user/bob', 'acs:ram::\(RAMSandbox.account):role/app', 'acs:ram::\(RAMSandbox.account):group/crew']}
            """
        try await RAMSandbox.run(denial) { ram async throws in
            try await ram.call("CreateGroup", ["GroupName": "crew"])
            let ann = try ram.caller("ann")
            for name in ["bob", "BOB", "Bob"] {
                #expect(try await ram.refusal("GetUser", ["UserName": name], by: ann) == "403 NoPermission")
                #expect(try await ram.refusal("CreateAccessKey", ["UserName": name], by: ann) == "403 NoPermission")
                let admin = ["PolicyType": "System", "PolicyName": "AdministratorAccess", "UserName": name]
                #expect(try await ram.refusal("AttachPolicyToUser", admin, by: ann) == "403 NoPermission")
                let mail = "\(name)@\(RAMSandbox.account).onaliyun.com"
                #expect(try await ram.refusal("DeleteUser", ["UserPrincipalName": mail], by: ann, of: .ims) == "403 NoPermission")
            }
            #expect(try await ram.refusal("DeleteRole", ["RoleName": "APP"], by: ann) == "403 NoPermission")
            let member = ["UserName": "ann", "GroupName": "CREW"]
            #expect(try await ram.refusal("AddUserToGroup", member, by: ann) == "403 NoPermission")
            let tag = ["ResourceType": "role", "ResourceNames": #"["App"]"#, "Tag.1.Key": "x"]
            #expect(try await ram.refusal("TagResources", tag, by: ann) == "403 NoPermission")
            #expect(try await ram.refusal("GetUser", ["UserName": "ANN"], by: ann) == nil)
        }
    }

    @Test("a policy can deny what the account allows its users to do for themselves")
    func deniedToThemselves() async throws {
        try await RAMSandbox.run("{Effect: 'Deny', Action: 'ram:CreateAccessKey', Resource: '*'}") { ram async throws in
            try await ram.call("SetSecurityPreference", ["AllowUserToManageAccessKeys": "true"])
            let ann = try ram.caller("ann")
            #expect(try await ram.refusal("ListAccessKeys", by: ann) == nil)
            #expect(try await ram.refusal("CreateAccessKey", by: ann) == "403 NoPermission")
        }
    }

    @Test("a policy keeps its description unless the call contains a new one")
    func description() async throws {
        try await RAMSandbox.run { ram async throws in
            try await ram.call("CreatePolicy", ["PolicyName": "q", "PolicyDocument": Self.open, "Description": "d"])
            #expect(try await ram.refusal("UpdatePolicyDescription", ["PolicyName": "q"]) == "400 MissingNewDescription")
            #expect(try await ram.call("GetPolicy", ["PolicyName": "q", "PolicyType": "Custom"]).text("Policy", "Description") == "d")
            try await ram.call("UpdatePolicyDescription", ["PolicyName": "q", "NewDescription": ""])
            #expect(try await ram.call("GetPolicy", ["PolicyName": "q", "PolicyType": "Custom"]).text("Policy", "Description") == "")
        }
    }

    @Test("roles return their trust policies unchanged")
    func roles() async throws {
        try await RAMSandbox.run { ram async throws in
            let made = try await ram.call(
                "CreateRole", ["RoleName": "r", "AssumeRolePolicyDocument": Self.trust, "MaxSessionDuration": "7200", "Description": "d"])
            #expect(made.text("Role", "Arn") == "acs:ram::\(RAMSandbox.account):role/r")
            #expect(made.text("Role", "RoleId")?.count == 18)
            #expect(made.text("Role", "AssumeRolePolicyDocument") == Self.trust)
            #expect(made.text("Role", "MaxSessionDuration") == "7200")
            let other = Self.trust.replacing("1234567890123456:root", with: "1234567890123456:user/bob")
            try await ram.call("UpdateRole", ["RoleName": "r", "NewAssumeRolePolicyDocument": other, "NewMaxSessionDuration": "3600"])
            #expect(try await ram.call("GetRole", ["RoleName": "r"]).text("Role", "AssumeRolePolicyDocument") == other)
            let listed = try await ram.call("ListRoles")
            #expect(listed.texts("Roles", "RoleName") == ["app", "r"])
            #expect(listed.texts("Roles", "AssumeRolePolicyDocument").isEmpty)
            try await ram.call("DeleteRole", ["RoleName": "r"])
        }
    }

    @Test("passwords follow the account's password policy")
    func passwords() async throws {
        try await RAMSandbox.run { ram async throws in
            try await ram.call(
                "SetPasswordPolicy", ["MinimumPasswordLength": "10", "RequireNumbers": "true", "PasswordReusePrevention": "1"])
            #expect(try await ram.call("GetPasswordPolicy").text("PasswordPolicy", "MinimumPasswordLength") == "10")
            #expect(
                try await ram.refusal("CreateLoginProfile", ["UserName": "bob", "Password": "abcdefghijk"])
                    == "400 InvalidParameter.Password.TooWeak")
            let made = try await ram.call(
                "CreateLoginProfile", ["UserName": "bob", "Password": "abcdefghij1", "PasswordResetRequired": "True"])
            #expect(made.text("LoginProfile", "PasswordResetRequired") == "true")
            #expect(made.text("LoginProfile", "UserName") == "bob")
            let bob = try ram.caller("bob")
            let same = ["OldPassword": "abcdefghij1", "NewPassword": "abcdefghij1"]
            #expect(try await ram.refusal("ChangePassword", same, by: bob) == "400 InvalidParameter.NewPassword.TooWeak")
            #expect(try await ram.refusal("ChangePassword", ["OldPassword": "abcdefghij1", "NewPassword": "abcdefghij2"], by: bob) == nil)
            #expect(try await ram.call("GetLoginProfile", ["UserName": "bob"]).text("LoginProfile", "PasswordResetRequired") == "false")
            #expect(try await ram.refusal("DeleteUser", ["UserName": "bob"]) == "409 DeleteConflict.User.LoginProfile")
        }
    }

    @Test("an account has an alias, which is the number of the account by default")
    func alias() async throws {
        try await RAMSandbox.run { ram async throws in
            #expect(try await ram.call("GetAccountAlias").text("AccountAlias") == RAMSandbox.account)
            try await ram.call("SetAccountAlias", ["AccountAlias": "harbour"])
            #expect(try await ram.call("GetAccountAlias").text("AccountAlias") == "harbour")
            #expect(try await ram.call("GetDefaultDomain", of: .ims).text("DefaultDomainName") == "harbour.onaliyun.com")
            try await ram.call("ClearAccountAlias")
            #expect(try await ram.call("GetAccountAlias").text("AccountAlias") == RAMSandbox.account)
        }
    }

    @Test("roles, policies and users have tags")
    func tags() async throws {
        try await RAMSandbox.run { ram async throws in
            try await ram.call(
                "CreateRole",
                ["RoleName": "r", "AssumeRolePolicyDocument": Self.trust, "Tag": #"[{"Key":"team","Value":"red"}]"#])
            try await ram.call(
                "TagResources", ["ResourceType": "role", "ResourceNames": #"["r","app"]"#, "Tag.1.Key": "stage", "Tag.1.Value": "test"])
            #expect(try await ram.call("ListRoles", ["Tag": #"[{"Key":"team","Value":"red"}]"#]).texts("Roles", "RoleName") == ["r"])
            let all = try await ram.call("ListTagResources", ["ResourceType": "role"])
            guard case .array(let found)? = all["TagResources"] else { throw RAMSandbox.NoSuchCaller() }
            #expect(found.map { $0.text("ResourceName") } == ["app", "r", "r"])
            #expect(found.map { $0.text("TagKey") } == ["stage", "stage", "team"])
            let first = try await ram.call("ListTagResources", ["ResourceType": "role", "PageSize": "2"])
            let second = try await ram.call(
                "ListTagResources", ["ResourceType": "role", "PageSize": "2", "NextToken": try #require(first.text("NextToken"))])
            guard case .array(let rest)? = second["TagResources"] else { throw RAMSandbox.NoSuchCaller() }
            #expect(rest.map { $0.text("TagKey") } == ["team"])
            #expect(second.text("NextToken") == "")
            try await ram.call("UntagResources", ["ResourceType": "role", "ResourceNames": #"["r"]"#, "TagKeys": #"["team"]"#])
            #expect(try await ram.call("ListRoles", ["Tag": #"[{"Key":"team"}]"#]).texts("Roles", "RoleName").isEmpty)
            #expect(
                try await ram.refusal("TagResources", ["ResourceType": "role", "ResourceNames": #"["r"]"#, "Tag.1.Key": "acs:x"])
                    == "400 InvalidParameter.Tag")
            #expect(
                try await ram.refusal("TagResources", ["ResourceType": "user", "ResourceNames": #"["bob"]"#, "Tag.1.Key": "x"])
                    == "400 InvalidParameter.ResourceType")
            try await ram.call("TagResources", ["ResourceType": "policy", "ResourceNames": #"["p"]"#, "Tag.1.Key": "x"])
            #expect(ram.cloud.directory.policies["acs:ram::\(RAMSandbox.account):policy/p"]?.tags == [Tag(key: "x", value: "")])
            let bob = "bob@\(RAMSandbox.account).onaliyun.com"
            try await ram.call("TagResources", ["ResourceType": "user", "ResourcePrincipalName.1": bob, "Tag.1.Key": "y"], of: .ims)
            #expect(try await ram.call("ListUsers", ["Tag.1.Key": "y"], of: .ims).texts("Users", "UserPrincipalName") == [bob])
        }
    }
}
