import Cloud
import Directory
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("IAM roles")
struct RoleTests {
    @Test("return the values they were created with, all of them only in GetRole")
    func members() async throws {
        try await RolesSandbox.run { iam async throws in
            let made = try await iam.done(
                "CreateRole",
                [
                    "RoleName": "App", "Path": "/apps/", "AssumeRolePolicyDocument": RolesSandbox.trust, "Description": "for apps",
                    "MaxSessionDuration": "7200", "Tags.member.1.Key": "team", "Tags.member.1.Value": "red",
                ])
            #expect(made["Arn"] == "arn:aws:iam::000000000000:role/apps/App")
            #expect(made["RoleId"]?.hasPrefix("AROA") == true)
            #expect(made["MaxSessionDuration"] == nil)
            #expect(made["Description"] == nil)
            #expect(made["Key"] == "team")
            #expect(made["AssumeRolePolicyDocument"].flatMap(percentDecoded) == RolesSandbox.trust)
            let found = try await iam.done("GetRole", ["RoleName": "app"])
            #expect(found["RoleId"] == made["RoleId"])
            #expect(found["MaxSessionDuration"] == "7200")
            #expect(found["Description"] == "for apps")
            let trust = RolesSandbox.trust.replacing("\"000000000000\"", with: "\"arn:aws:iam::000000000000:root\"")
            #expect(found["AssumeRolePolicyDocument"].flatMap(percentDecoded) == trust)
            #expect(found.element("RoleLastUsed")?.children.isEmpty == true)
            let listed = try await iam.done("ListRoles", ["PathPrefix": "/apps/"])
            #expect(listed.all("RoleName") == ["App"])
            #expect(listed["Key"] == nil)
            #expect(listed["MaxSessionDuration"] == "7200")
            #expect(try await iam.createRole("APP").message == "Role with name APP already exists.")
            for name in ["b", "C"] { #expect(try await iam.createRole(name).status == 200) }
            #expect(try await iam.done("ListRoles").all("RoleName") == ["App", "b", "C"])
        }
    }

    @Test("have the path of service-linked roles only if CreateServiceLinkedRole creates them")
    func servicePath() async throws {
        try await RolesSandbox.run { iam async throws in
            let answer = try await iam.call(
                "CreateRole",
                ["RoleName": "r", "Path": "/aws-service-role/ec2.amazonaws.com/", "AssumeRolePolicyDocument": RolesSandbox.trust])
            #expect(answer.code == "InvalidInput")
            #expect(answer.message == "Path prefix '/aws-service-role/' can only be used for AWS Service linked Roles")
        }
    }

    @Test("keep their trust bound to the users who had the names when the policy was saved")
    func binding() async throws {
        try await RolesSandbox.run { iam async throws in
            let id = try #require(try await iam.done("GetUser", ["UserName": "ann"])["UserId"])
            let arn = "arn:aws:iam::000000000000:user/ann"
            #expect(try await iam.createRole("r", trust: RolesSandbox.trusting(#"{"AWS":["\#(arn)"]}"#)).status == 200)
            let role = try #require(iam.cloud.directory.role("r", in: "000000000000"))
            #expect(role.role.trustPolicy.bound == [arn: id])
            try await iam.cloud.edit { directory in
                guard var user = directory.user("ann", in: "000000000000")?.user else { return }
                directory.remove(.init(.user, user.arn))
                user.id = "AIDANEWNEWNEWNEWNEWNE"
                directory.put(.user(user))
            }
            let text = try await iam.done("GetRole", ["RoleName": "r"])["AssumeRolePolicyDocument"].flatMap(percentDecoded)
            #expect(text == RolesSandbox.trusting(#"{"AWS":["\#(id)"]}"#))
        }
    }

    @Test(
        "reject trust policies with IAM's messages",
        arguments: [
            (
                #"{"AWS":"arn:aws:iam::000000000000:user/nobody"}"#, "",
                #"Invalid principal in policy: "AWS":"arn:aws:iam::000000000000:user/nobody""#
            ),
            (#"{"AWS":"AROAAAAAAAAAAAAAAAAAA"}"#, "", #"Invalid principal in policy: "AWS":"AROAAAAAAAAAAAAAAAAAA""#),
            (#""*""#, "", #"AssumeRolepolicy contained an invalid principal: "STAR":"*"."#),
            (#"{"Service":"ec2"}"#, "", #"Invalid principal in policy: "SERVICE":"ec2""#),
            (#"{"AWS":"*"}"#, #","Resource":"*""#, "Has prohibited field Resource"),
            (
                #"{"Federated":"accounts.google.com"}"#, "",
                "The trust policy for the shared identity provider accounts.google.com must have a condition on accounts.google.com:aud or accounts.google.com:oaud or accounts.google.com:sub."
            ),
            (
                #"{"Federated":"graph.facebook.com"}"#, #","Condition":{"StringNotEquals":{"graph.facebook.com:app_id":"1"}}"#,
                "The trust policy for the shared identity provider graph.facebook.com must have a condition on graph.facebook.com:app_id or graph.facebook.com:sub."
            ),
            (
                #"{"Federated":"arn:aws:iam::000000000000:oidc-provider/token.actions.githubusercontent.com"}"#,
                #","Condition":{"StringLike":{"token.actions.githubusercontent.com:sub":"*"}}"#,
                "The trust policy for the shared identity provider arn:aws:iam::000000000000:oidc-provider/token.actions.githubusercontent.com must have a condition on token.actions.githubusercontent.com:sub or token.actions.githubusercontent.com:job_workflow_ref."
            ),
            (
                #"{"Federated":"cognito-identity.amazonaws.com"}"#, "", "A condition block must be present for the Cognito provider"
            ),
        ])
    func trust(principal: String, more: String, message: String) async throws {
        try await RolesSandbox.run { iam async throws in
            let answer = try await iam.createRole("r", trust: RolesSandbox.trusting(principal, more))
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedPolicyDocument")
            #expect(answer.message == message)
        }
    }

    @Test(
        "accept trust policies with a condition on the provider's tokens, and principals of other accounts",
        arguments: [
            (#"{"AWS":"arn:aws:iam::999999999999:role/vendor"}"#, ""), (#"{"Service":["ec2.amazonaws.com","pods.eks.amazonaws.com"]}"#, ""),
            (#"{"Federated":"accounts.google.com"}"#, #","Condition":{"StringEquals":{"accounts.google.com:aud":"a"}}"#),
            (#"{"Federated":"www.amazon.com"}"#, #","Condition":{"StringEquals":{"www.amazon.com:app_id":"a"}}"#),
            (
                #"{"Federated":"arn:aws:iam::000000000000:oidc-provider/token.actions.githubusercontent.com"}"#,
                #","Condition":{"StringLike":{"token.actions.githubusercontent.com:sub":"repo:o/*"}}"#
            ),
            (#"{"Federated":"arn:aws:iam::000000000000:oidc-provider/login.example"}"#, ""),
        ])
    func accepted(principal: String, more: String) async throws {
        try await RolesSandbox.run { iam async throws in
            #expect(try await iam.createRole("r", trust: RolesSandbox.trusting(principal, more)).status == 200)
        }
    }

    @Test("are updated one attribute at a time")
    func changes() async throws {
        try await RolesSandbox.run { iam async throws in
            #expect(try await iam.createRole("r").status == 200)
            try await iam.done("UpdateRole", ["RoleName": "r", "MaxSessionDuration": "43200"])
            let described = try await iam.done("UpdateRoleDescription", ["RoleName": "r", "Description": "text"])
            #expect(described["Description"] == "text")
            #expect(described["MaxSessionDuration"] == nil)
            let found = try await iam.done("GetRole", ["RoleName": "r"])
            #expect(found["MaxSessionDuration"] == "43200")
            #expect(found["Description"] == "text")
            #expect(try await iam.call("UpdateRole", ["RoleName": "r", "MaxSessionDuration": "60"]).code == "ValidationError")
            let long = RolesSandbox.trusting(#"{"AWS":"*"}"#, #","Sid":"\#(String(repeating: "a", count: 2048))""#)
            let answer = try await iam.call("UpdateAssumeRolePolicy", ["RoleName": "r", "PolicyDocument": long])
            #expect(answer.status == 409)
            #expect(answer.message == "Cannot exceed quota for ACLSizePerRole: 2048")
            let missing = try await iam.call("UpdateRole", ["RoleName": "x"])
            #expect(missing.status == 404)
            #expect(missing.message == "The role with name x cannot be found.")
        }
    }

    @Test("can be deleted when nothing is attached to them")
    func deletion() async throws {
        try await RolesSandbox.run { iam async throws in
            #expect(try await iam.createRole("r").status == 200)
            try await iam.done("CreateInstanceProfile", ["InstanceProfileName": "p"])
            try await iam.done("AddRoleToInstanceProfile", ["InstanceProfileName": "p", "RoleName": "r"])
            try await iam.done("PutRolePolicy", ["RoleName": "r", "PolicyName": "i", "PolicyDocument": RolesSandbox.document])
            try await iam.done("AttachRolePolicy", ["RoleName": "r", "PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"])
            func refusal() async throws -> String? {
                let answer = try await iam.call("DeleteRole", ["RoleName": "r"])
                #expect(answer.status == 409)
                #expect(answer.code == "DeleteConflict")
                return answer.message
            }
            #expect(try await refusal() == "Cannot delete entity, must remove roles from instance profile first.")
            try await iam.done("RemoveRoleFromInstanceProfile", ["InstanceProfileName": "p", "RoleName": "r"])
            #expect(try await refusal() == "Cannot delete entity, must detach all policies first.")
            try await iam.done("DetachRolePolicy", ["RoleName": "r", "PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"])
            #expect(try await refusal() == "Cannot delete entity, must delete policies first.")
            try await iam.done("DeleteRolePolicy", ["RoleName": "r", "PolicyName": "i"])
            try await iam.done("DeleteRole", ["RoleName": "r"])
            #expect(try await iam.call("GetRole", ["RoleName": "r"]).code == "NoSuchEntity")
        }
    }

    @Test("of services are created and deleted by their own operations")
    func serviceLinked() async throws {
        try await RolesSandbox.run { iam async throws in
            let service: FormFields = ["AWSServiceName": "autoscaling.amazonaws.com"]
            let made = try await iam.done("CreateServiceLinkedRole", service)
            #expect(made["Arn"] == "arn:aws:iam::000000000000:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling")
            let name = "AWSServiceRoleForAutoScaling"
            #expect(
                try await iam.call("CreateServiceLinkedRole", service).message
                    == "Service role name \(name) has been taken in this account, please try a different suffix.")
            #expect(
                try await iam.call("CreateServiceLinkedRole", ["AWSServiceName": "ecs.amazonaws.com", "CustomSuffix": "x"]).message
                    == "Custom suffix is not allowed for ecs.amazonaws.com")
            for (action, more) in [
                ("DeleteRole", [:]), ("AttachRolePolicy", ["PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"]),
                ("UpdateRole", ["Description": "x", "MaxSessionDuration": "7200"]), ("UpdateRole", ["MaxSessionDuration": "7200"]),
            ] as [(String, FormFields)] {
                var parameters: FormFields = ["RoleName": name]
                parameters.fields += more.fields
                let answer = try await iam.call(action, parameters)
                #expect(answer.status == 400, "\(action)")
                #expect(answer.code == "UnmodifiableEntity", "\(action)")
            }
            for (action, description) in [("UpdateRole", "one"), ("UpdateRoleDescription", "two")] {
                try await iam.done(action, ["RoleName": name, "Description": description])
                #expect(try await iam.done("GetRole", ["RoleName": name])["Description"] == description)
            }
            let task = try #require(try await iam.done("DeleteServiceLinkedRole", ["RoleName": name])["DeletionTaskId"])
            #expect(task.hasPrefix("task/aws-service-role/autoscaling.amazonaws.com/\(name)/"))
            #expect(task.split(separator: "/").last?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            #expect(try await iam.done("GetServiceLinkedRoleDeletionStatus", ["DeletionTaskId": task])["Status"] == "SUCCEEDED")
            #expect(try await iam.call("GetServiceLinkedRoleDeletionStatus", ["DeletionTaskId": task + "0"]).code == "NoSuchEntity")
            #expect(try await iam.call("GetRole", ["RoleName": name]).code == "NoSuchEntity")
        }
    }

    @Test("of services have the policy that AWS defines for the service")
    func servicePolicies() async throws {
        #expect(ServiceLinkedRole.byService.values.allSatisfy { ManagedPolicy.ofAWS($0.policyARN) != nil })
        try await RolesSandbox.run { iam async throws in
            let made = try await iam.done("CreateServiceLinkedRole", ["AWSServiceName": "batch.amazonaws.com"])
            let attached = try await iam.done("ListAttachedRolePolicies", ["RoleName": made["RoleName"] ?? ""])
            #expect(attached["PolicyArn"] == "arn:aws:iam::aws:policy/aws-service-role/BatchServiceRolePolicy")
            try await iam.done("CreateServiceLinkedRole", ["AWSServiceName": "rds.amazonaws.com"])
            let found = try await iam.done("GetRole", ["RoleName": "AWSServiceRoleForRDS"])
            #expect(found["Description"] == "Allows Amazon RDS to manage AWS resources on your behalf")
        }
    }

    @Test("cannot be viewed, changed or passed without permission")
    func permissions() async throws {
        try await RolesSandbox.run { iam async throws in
            #expect(try await iam.createRole("r").status == 200)
            let ann = ("AKIAANN", "ann"), reader = ("AKIAREADER", "reader")
            for action in ["GetRole", "DeleteRole", "ListRolePolicies", "ListRoleTags"] {
                for name in ["r", "nobody"] {
                    let answer = try await iam.call(action, ["RoleName": name], as: ann)
                    #expect(answer.status == 403)
                    #expect(answer.code == "AccessDenied")
                    #expect(
                        answer.message?.hasPrefix(
                            "User: arn:aws:iam::000000000000:user/ann is not authorized to perform: iam:\(action) on resource: role \(name) because no identity-based policy allows the iam:\(action) action. Go to "
                        ) == true
                    )
                }
            }
            #expect(try await iam.call("GetRole", ["RoleName": "r"], as: reader).status == 200)
            #expect(try await iam.call("DeleteRole", ["RoleName": "r"], as: reader).code == "AccessDenied")
            #expect(try await iam.call("GetRole", ["RoleName": "r"], as: ("other", "other")).code == "NoSuchEntity")
        }
    }
}
