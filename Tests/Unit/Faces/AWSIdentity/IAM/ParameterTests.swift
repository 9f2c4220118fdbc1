import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("Parameters of IAM operations")
struct ParameterTests {
    @Test(
        "integers have 32 bits",
        arguments: [
            ("2147483648", "MalformedInput"), ("0", "ValidationError"), ("01", nil), ("+1", nil), ("1.0", "MalformedInput"),
            (" 1", "MalformedInput"),
        ] as [(String, String?)])
    func numbers(_ text: String, _ code: String?) async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(try await iam.call("ListUsers", ["MaxItems": text]).code == code)
        }
    }

    @Test(
        "booleans are words or digits",
        arguments: [("true", nil), ("1", nil), ("false", nil), ("0", nil), ("True", "MalformedInput"), ("", "MalformedInput")]
            as [(String, String?)])
    func truth(_ text: String, _ code: String?) async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(try await iam.call("ListPolicies", ["OnlyAttached": text]).code == code)
        }
    }

    @Test(
        "an ARN of another type and an invalid ARN have different errors",
        arguments: [
            ("a-name-without-any-colons", "400 ValidationError Invalid ARN:  Could not be parsed!"),
            ("arn:aws:iam::000000000000:role/r", "400 InvalidInput ARN arn:aws:iam::000000000000:role/r is not valid."),
            (
                "arn:aws:iam::000000000000:policy/none",
                "404 NoSuchEntity Policy arn:aws:iam::000000000000:policy/none does not exist or is not attachable."
            ),
        ])
    func policyARNs(_ arn: String, _ refusal: String) async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(try await iam.call("AttachUserPolicy", ["UserName": "ann", "PolicyArn": arn]).refusal == refusal)
        }
    }

    @Test("inline policy names ignore case, and the first spelling is kept")
    func inlineNames() async throws {
        let document = #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#
        try await IAMSandbox.run { iam async throws in
            for name in ["MixedName", "mixedname"] {
                let answer = try await iam.call("PutUserPolicy", ["UserName": "bob", "PolicyName": name, "PolicyDocument": document])
                #expect(answer.status == 200)
            }
            #expect(try await iam.call("ListUserPolicies", ["UserName": "bob"]).members("PolicyNames") == ["MixedName"])
            let found = try await iam.call("GetUserPolicy", ["UserName": "bob", "PolicyName": "MIXEDNAME"])
            #expect(found.status == 200)
            #expect(found["PolicyName"] == "MIXEDNAME")
            #expect(try await iam.call("DeleteUserPolicy", ["UserName": "bob", "PolicyName": "mIXEDnAME"]).status == 200)
            #expect(try await iam.call("ListUserPolicies", ["UserName": "bob"]).members("PolicyNames").isEmpty)
        }
    }

    @Test("a usage filter applies only together with OnlyAttached")
    func usage() async throws {
        try await IAMSandbox.run { iam async throws in
            let document = #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#
            try await iam.call("CreatePolicy", ["PolicyName": "unused", "PolicyDocument": document])
            let filter = ("PolicyUsageFilter", "PermissionsPolicy")
            let all = try await iam.call("ListPolicies", ["Scope": "Local", filter.0: filter.1])
            #expect(all.members("Policies", "PolicyName") == ["unused"])
            let used = try await iam.call("ListPolicies", ["Scope": "Local", filter.0: filter.1, "OnlyAttached": "true"])
            #expect(used.members("Policies").isEmpty)
        }
    }

    @Test(
        "access-denied messages name existing resources by type and name, new ones by ARN",
        arguments: [
            ("ListAccessKeys", ["UserName": "ann"], "user ann"), ("CreateAccessKey", ["UserName": "ann"], "user ann"),
            ("CreateUser", ["UserName": "eve"], "arn:aws:iam::000000000000:user/eve"),
            ("ListUsers", [:], "arn:aws:iam::000000000000:user/"), ("GetGroup", ["GroupName": "g"], "group g"),
            ("GetInstanceProfile", ["InstanceProfileName": "p"], "instance profile p"), ("ListPolicies", [:], "policy path /"),
            (
                "GetPolicy", ["PolicyArn": "arn:aws:iam::000000000000:policy/p"],
                "policy arn:aws:iam::000000000000:policy/p"
            ), ("GetAccountSummary", [:], "*"),
        ] as [(String, [String: String], String)])
    func refusals(_ action: String, _ parameters: [String: String], _ resource: String) async throws {
        try await RolesSandbox.run { iam async throws in
            let fields = parameters.map { ($0.key, $0.value) }
            let answer = try await iam.call(action, fields.isEmpty ? [:] : [fields[0].0: fields[0].1], as: ("AKIAANN", "ann"))
            #expect(
                answer.message?.hasPrefix(
                    "User: arn:aws:iam::000000000000:user/ann is not authorized to perform: iam:\(action) on resource: \(resource) because no identity-based policy allows the iam:\(action) action. Go to "
                ) == true
            )
        }
    }

    @Test("the token version of the global endpoint is stored and shown in the account summary")
    func tokenVersion() async throws {
        try await IAMSandbox.run { iam async throws in
            func version() async throws -> String? {
                let entries = try await iam.call("GetAccountSummary").element("SummaryMap")?.children ?? []
                return entries.first { $0.child("key")?.text == "GlobalEndpointTokenVersion" }?.child("value")?.text
            }
            #expect(try await version() == "1")
            for (name, number) in [("v2Token", "2"), ("v1Token", "1")] {
                let answer = try await iam.call("SetSecurityTokenServicePreferences", ["GlobalEndpointTokenVersion": name])
                #expect(answer.status == 200)
                #expect(try await version() == number)
            }
            let wrong = try await iam.call("SetSecurityTokenServicePreferences", ["GlobalEndpointTokenVersion": "v3Token"])
            #expect(
                wrong.refusal
                    == "400 ValidationError 1 validation error detected: Value at 'globalEndpointTokenVersion' failed to satisfy constraint: Member must satisfy enum value set: [v2Token, v1Token]"
            )
        }
    }

    @Test("unknown filters are refused with the allowed values, and markers are bound to a filter")
    func kindsOfDetails() async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(
                try await iam.call("GetAccountAuthorizationDetails", ["Filter.member.1": "user"]).refusal
                    == "400 ValidationError 1 validation error detected: Value at 'filter' failed to satisfy constraint: Member must satisfy constraint: [Member must satisfy enum value set: [LocalManagedPolicy, User, AWSManagedPolicy, Role, Group]]"
            )
            #expect(
                try await iam.call("GetAccountAuthorizationDetails", ["Filter.member.1": "User", "Marker": "no-marker"]).refusal
                    == "400 ValidationError Marker and Filter do not match")
            let policy = #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}"#
            #expect(
                try await iam.call("GetContextKeysForCustomPolicy", ["PolicyInputList.member.2": policy]).message?.hasSuffix(
                    #"Member must satisfy regular expression pattern: [\u0009\u000A\u000D\u0020-\u007E\u00A1-\u00FF]+]"#) == true)
        }
    }

    @Test("no account is in an organization")
    func organization() async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(
                try await iam.call("ListOrganizationsFeatures").refusal
                    == "400 OrganizationNotFoundException The request was rejected because no organization is associated with your account."
            )
            #expect(
                try await iam.call("EnableOrganizationsRootSessions", by: IAMSandbox.bob).message?.hasSuffix(
                    "because no identity-based policy allows the iam:EnableOrganizationsRootSessions action") == true)
        }
    }

    @Test("services with a single service-linked role refuse a suffix")
    func serviceLinkedRoles() async throws {
        try await IAMSandbox.run { iam async throws in
            let made = try await iam.call("CreateServiceLinkedRole", ["AWSServiceName": "batch.amazonaws.com"])
            #expect(made["RoleName"] == "AWSServiceRoleForBatch")
            let suffixed = try await iam.call(
                "CreateServiceLinkedRole", ["AWSServiceName": "ssm.amazonaws.com", "CustomSuffix": "x"])
            #expect(suffixed.refusal == "400 InvalidInput Custom suffix is not allowed for ssm.amazonaws.com")
            let connect = try await iam.call(
                "CreateServiceLinkedRole", ["AWSServiceName": "connect.amazonaws.com", "CustomSuffix": "x"])
            #expect(connect["RoleName"] == "AWSServiceRoleForAmazonConnect_x")
        }
    }
}
