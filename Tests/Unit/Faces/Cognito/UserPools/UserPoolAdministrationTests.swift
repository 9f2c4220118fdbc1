import Calls
import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("Administration of user pools")
struct UserPoolAdministrationTests {
    @Test("C25: a new pool has the defaults of the service")
    func createsPools() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let made = try await sandbox.call("CreateUserPool", ["PoolName": "new"], key: ("test", "test"))
            let pool = try #require(made["UserPool"])
            let id = try #require(pool["Id"]?.stringValue)
            #expect(UserPool.isIdentifier(id))
            #expect(pool["Arn"] == .string("arn:aws:cognito-idp:us-east-1:111122223333:userpool/\(id)"))
            #expect(
                pool["Policies"]?["PasswordPolicy"] == [
                    "MinimumLength": 8, "RequireUppercase": true, "RequireLowercase": true, "RequireNumbers": true, "RequireSymbols": true,
                    "TemporaryPasswordValidityDays": 7,
                ])
            #expect(pool["MfaConfiguration"] == "OFF")
            #expect(pool["DeletionProtection"] == "INACTIVE")
            #expect(pool["LambdaConfig"] == [:])
            #expect(pool["SchemaAttributes"]?.arrayValue?.count == 20)
            #expect(pool["UsernameAttributes"] == nil)
            #expect(pool["UsernameConfiguration"] == nil)
            let described = try await sandbox.admin("DescribeUserPool", ["UserPoolId": .string(id)])
            #expect(described["UserPool"]?["Name"] == "new")
            #expect(try await sandbox.admin("DeleteUserPool", ["UserPoolId": .string(id)]).isEmpty)
            expect(
                try await sandbox.admin("DescribeUserPool", ["UserPoolId": .string(id)]), "ResourceNotFoundException",
                "User pool \(id) does not exist.")
        }
    }

    @Test("C25: a pool shows whether case counts if its creator said so", arguments: [true, false])
    func showsCaseSensitivity(isCaseSensitive: Bool) async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let configuration: JSONValue = ["CaseSensitive": .bool(isCaseSensitive)]
            let made = try await sandbox.call(
                "CreateUserPool", ["PoolName": "new", "UsernameConfiguration": configuration], key: ("test", "test"))
            #expect(made["UserPool"]?["UsernameConfiguration"] == configuration)
            let id = try #require(made["UserPool"]?["Id"])
            let described = try await sandbox.admin("DescribeUserPool", ["UserPoolId": id])
            #expect(described["UserPool"]?["UsernameConfiguration"] == configuration)
        }
    }

    @Test("C25: what a pool has is accepted when it is sent back")
    func sendsBack() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let described = try #require(try await sandbox.admin("DescribeUserPool", [:])["UserPool"])
            var members: JSONObject = ["PasswordHistorySize": 0]
            for (name, value) in described["Policies"]?["PasswordPolicy"]?.objectValue?.members ?? [] { members[name] = value }
            let factors: JSONValue = ["AllowedFirstAuthFactors": ["PASSWORD"]]
            members = ["Policies": ["PasswordPolicy": .object(members), "SignInPolicy": factors], "MfaConfiguration": "OFF"]
            let names = [
                "AccountRecoverySetting", "AutoVerifiedAttributes", "DeletionProtection", "EmailConfiguration", "LambdaConfig",
                "UserAttributeUpdateSettings", "UserPoolTier", "VerificationMessageTemplate",
            ]
            for name in names { members[name] = try #require(described[name]) }
            let answer = try await sandbox.admin("UpdateUserPool", members)
            #expect(answer.body == [:])
            var changed = try #require(try await sandbox.admin("DescribeUserPool", [:])["UserPool"]?.objectValue)
            changed["LastModifiedDate"] = described["LastModifiedDate"]
            #expect(JSONValue.object(changed) == described)
        }
    }

    @Test("C25: a new client has the defaults of the service, and an update returns omitted settings to them")
    func createsClients() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let made = try await sandbox.admin(
                "CreateUserPoolClient",
                ["ClientName": "web", "GenerateSecret": true, "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"], "AuthSessionValidity": 5])
            let client = try #require(made["UserPoolClient"])
            #expect(client["RefreshTokenValidity"] == 30)
            #expect(client["EnableTokenRevocation"] == true)
            #expect(client["AuthSessionValidity"] == 5)
            #expect(client["ClientSecret"] != nil)
            let id = try #require(client["ClientId"])
            let none: JSONValue = []
            let changed = try await sandbox.admin(
                "UpdateUserPoolClient", ["ClientId": id, "ReadAttributes": none, "WriteAttributes": none, "ExplicitAuthFlows": none])
            #expect(changed["UserPoolClient"]?["ReadAttributes"] == nil)
            #expect(changed["UserPoolClient"]?["WriteAttributes"] == nil)
            #expect(changed["UserPoolClient"]?["AuthSessionValidity"] == 3)
            #expect(changed["UserPoolClient"]?["ExplicitAuthFlows"] == nil)
            #expect(try await sandbox.admin("DeleteUserPoolClient", ["ClientId": id]).isEmpty)
            expect(
                try await sandbox.admin("DescribeUserPoolClient", ["ClientId": id]), "ResourceNotFoundException",
                "User pool client does not exist.")
        }
    }

    @Test("C3: a call of an administrator needs a signature and a permission")
    func authorizes() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let members: JSONObject = ["UserPoolId": .string(UserPoolSandbox.pool), "Username": "alice"]
            expect(
                try await sandbox.call("AdminGetUser", members), "MissingAuthenticationTokenException", "Missing Authentication Token")
            expect(
                try await sandbox.call("AdminGetUser", members, key: ("AKIAUNKNOWN", "x")), "UnrecognizedClientException",
                "The security token included in the request is invalid.")
            expect(
                try await sandbox.call("AdminGetUser", members, key: ("AKIANOBODY", "nobody")), "AccessDeniedException",
                """
                User: arn:aws:iam::111122223333:user/nobody is not authorized to perform: cognito-idp:AdminGetUser on resource: \
                arn:aws:cognito-idp:us-east-1:111122223333:userpool/us-east-1_AbCdEf123 because no identity-based policy allows the \
                cognito-idp:AdminGetUser action
                """)
        }
    }

    @Test("C1: calls of apps ignore a signature that is there, even a malformed one")
    func ignoresSignatures() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.call(
                "InitiateAuth",
                [
                    "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": "app",
                    "AuthParameters": ["USERNAME": "alice", "PASSWORD": .string(UserPoolSandbox.password)],
                ], authorization: "AWS4-HMAC-SHA256 nonsense")
            #expect(answer.status == 200)
        }
    }

    @Test("C5, C8: errors have both headers, and those for pages")
    func headers() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.call("GetUser", ["AccessToken": "none"], origin: "https://app.example")
            expect(answer, "NotAuthorizedException", "Invalid Access Token")
            #expect(answer.headers[HTTPField.Name(literal: "x-amzn-ErrorType")] == "NotAuthorizedException:")
            #expect(answer.headers[HTTPField.Name(literal: "x-amzn-ErrorMessage")] == "Invalid Access Token")
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
        }
    }

    @Test(
        "Members and operations that Virga does not have are refused by name",
        arguments: [
            ("CreateUserPool", ["PoolName": "x", "LambdaConfig": ["PreSignUp": "arn:aws:lambda:us-east-1:111122223333:function:f"]]),
            ("CreateUserPool", ["PoolName": "x", "UserPoolAddOns": [:]]), ("CreateManagedLoginBranding", [:]),
            ("CreateUserPool", ["PoolName": "x", "UserPoolTier": "LITE"]),
            ("CreateUserPool", ["PoolName": "x", "VerificationMessageTemplate": ["DefaultEmailOption": "CONFIRM_WITH_LINK"]]),
            (
                "CreateUserPool",
                ["PoolName": "x", "UserAttributeUpdateSettings": ["AttributesRequireVerificationBeforeUpdate": ["email"]]]
            ),
            ("CreateUserPool", ["PoolName": "x", "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD", "SMS_OTP"]]]]),
            ("CreateUserPool", ["PoolName": "x", "Policies": ["PasswordPolicy": ["PasswordHistorySize": 3]]]),
        ] as [(String, JSONObject)])
    func refusesByName(operation: String, members: JSONObject) async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(try await sandbox.call(operation, members, key: ("test", "test")), "UnsupportedOperationException")
        }
    }

    @Test("C2: a violated constraint is named")
    func constraints() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(
                try await sandbox.admin("AdminConfirmSignUp", ["UserPoolId": "YOUR_USER_POOL_ID", "Username": "x"]),
                "InvalidParameterException",
                """
                1 validation error detected: Value 'YOUR_USER_POOL_ID' at 'userPoolId' failed to satisfy constraint: Member must satisfy \
                regular expression pattern: [\\w-]+_[0-9a-zA-Z]+
                """)
        }
    }

    @Test("Tags and custom attributes of a pool")
    func tagsAndAttributes() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let arn: JSONValue = "arn:aws:cognito-idp:us-east-1:111122223333:userpool/us-east-1_AbCdEf123"
            func call(_ operation: String, _ members: JSONObject) async throws -> UserPoolSandbox.Answer {
                try await sandbox.call(operation, members, key: ("test", "test"))
            }
            #expect(try await call("TagResource", ["ResourceArn": arn, "Tags": ["a": "1", "b": "2"]]).body == [:])
            #expect(try await call("UntagResource", ["ResourceArn": arn, "TagKeys": ["a"]]).body == [:])
            #expect(try await call("ListTagsForResource", ["ResourceArn": arn])["Tags"] == ["b": "2"])
            // An update without tags keeps them.
            _ = try await sandbox.admin("UpdateUserPool", ["DeletionProtection": "INACTIVE"])
            #expect(try await call("ListTagsForResource", ["ResourceArn": arn])["Tags"] == ["b": "2"])
            let attribute: JSONValue = ["Name": "shoe", "AttributeDataType": "Number"]
            #expect(try await sandbox.admin("AddCustomAttributes", ["CustomAttributes": [attribute]]).body == [:])
            expect(try await sandbox.admin("AddCustomAttributes", ["CustomAttributes": [attribute]]), "InvalidParameterException")
            let pool = try #require(sandbox.cloud.directory.userPools.pool(UserPoolSandbox.pool))
            #expect(pool.attribute("custom:shoe")?.type == .number)
        }
    }

    @Test("C36: members are added twice and removed once without an error")
    func groups() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            _ = try await sandbox.admin("CreateGroup", ["GroupName": "team", "Precedence": 3])
            expect(try await sandbox.admin("CreateGroup", ["GroupName": "team"]), "GroupExistsException")
            for _ in 0..<2 {
                #expect(try await sandbox.admin("AdminAddUserToGroup", ["GroupName": "team", "Username": "alice"]).isEmpty)
            }
            let groups = try await sandbox.admin("AdminListGroupsForUser", ["Username": "alice"])
            #expect(groups["Groups"]?.arrayValue?.compactMap { $0["GroupName"]?.stringValue } == ["admins", "team", "all"])
            let members = try await sandbox.admin("ListUsersInGroup", ["GroupName": "team"])
            #expect(members["Users"]?.arrayValue?.count == 1)
            for _ in 0..<2 {
                #expect(try await sandbox.admin("AdminRemoveUserFromGroup", ["GroupName": "team", "Username": "alice"]).isEmpty)
            }
            #expect(try sandbox.user("alice").groups == ["all", "admins"])
        }
    }

    @Test("C3: who cannot pass a role gives it to no group")
    func passesRoles() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(
                try await sandbox.call(
                    "CreateGroup",
                    [
                        "UserPoolId": .string(UserPoolSandbox.pool), "GroupName": "x", "RoleArn": "arn:aws:iam::111122223333:role/admin",
                    ], key: ("AKIANOBODY", "nobody")), "AccessDeniedException")
        }
    }

    @Test("C28: an administrator creates a person, whose temporary password is sent")
    func createsPeople() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let made = try await sandbox.admin(
                "AdminCreateUser",
                [
                    "Username": "carol", "UserAttributes": [["Name": "email", "Value": "carol@company.example"]],
                    "DesiredDeliveryMediums": ["EMAIL"],
                ])
            #expect(made["User"]?["UserStatus"] == "FORCE_CHANGE_PASSWORD")
            let sent = try #require(try sandbox.user("carol").codes.first)
            #expect(sent.destination == "carol@company.example")
            #expect(try await sandbox.signIn("carol", sent.code)["ChallengeName"] == "NEW_PASSWORD_REQUIRED")
            expect(
                try await sandbox.admin("AdminCreateUser", ["Username": "carol"]), "UsernameExistsException", "User account already exists")
            _ = try await sandbox.admin(
                "AdminSetUserPassword", ["Username": "carol", "Password": "An0ther-One", "Permanent": true])
            #expect(try await sandbox.signIn("carol", "An0ther-One").token("AccessToken") != nil)
        }
    }

    @Test("C30: a new address from an administrator is verified only if the call says so, in any order")
    func changesAddresses() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            func update(_ attributes: [(String, String)]) async throws -> UserPoolUser {
                let list = attributes.map { (name, value) -> JSONValue in ["Name": .string(name), "Value": .string(value)] }
                let answer = try await sandbox.admin(
                    "AdminUpdateUserAttributes", ["Username": "alice", "UserAttributes": .array(list)])
                #expect(answer.status == 200)
                return try sandbox.user("alice")
            }
            let same = try await update([("email", "alice@company.example")])
            #expect(same.isVerified("email") && same.codes.isEmpty)
            let other = try await update([("email", "other@company.example")])
            #expect(!other.isVerified("email"))
            #expect(other.codes.map(\.destination) == ["other@company.example"])
            let third = try await update([("email_verified", "true"), ("email", "third@company.example")])
            #expect(third.isVerified("email"))
            #expect(third.codes.map(\.destination) == ["other@company.example"])
            let phone = try await update([("phone_number", "+15550100")])
            #expect(!phone.isVerified("phone_number"))
            #expect(phone.codes.count == 1)
        }
    }

    @Test("C30: ListUsers pages, and finds people by attributes")
    func listsPeople() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            var names: Set<String> = []
            var token: JSONValue?
            repeat {
                var members: JSONObject = ["Limit": 1]
                members["PaginationToken"] = token
                let page = try await sandbox.admin("ListUsers", members)
                for user in page["Users"]?.arrayValue ?? [] { names.insert(user["Username"]?.stringValue ?? "") }
                token = page["PaginationToken"]
            } while token != nil
            #expect(names == ["alice", "new", "off"])
            let found = try await sandbox.admin("ListUsers", ["Filter": "email ^= \"alice@\""])
            #expect(found["Users"]?.arrayValue?.count == 1)
            let none = try await sandbox.admin("ListUsers", ["Filter": "username = \"ali\""])
            #expect(none["Users"]?.arrayValue?.isEmpty == true)
        }
    }
}
