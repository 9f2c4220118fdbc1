import Cloud
import Directory
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("IAM managed policies")
struct ManagedPolicyTests {
    private static let arn = "arn:aws:iam::000000000000:policy/team/files"

    private func create(_ iam: RolesSandbox) async throws {
        try await iam.done("CreatePolicy", ["PolicyName": "files", "Path": "/team/", "PolicyDocument": RolesSandbox.document])
    }

    @Test("keep their text as it was written")
    func text() async throws {
        try await RolesSandbox.run { iam async throws in
            let made = try await iam.done(
                "CreatePolicy",
                [
                    "PolicyName": "files", "Path": "/team/", "PolicyDocument": RolesSandbox.document, "Description": "d",
                    "Tags.member.1.Key": "k", "Tags.member.1.Value": "v",
                ])
            #expect(made["Arn"] == Self.arn)
            #expect(made["PolicyId"]?.hasPrefix("ANPA") == true)
            #expect(made["AttachmentCount"] == "0")
            let version = try await iam.done("GetPolicyVersion", ["PolicyArn": Self.arn, "VersionId": "v1"])
            #expect(version["Document"].flatMap(percentDecoded) == RolesSandbox.document)
            #expect(version["IsDefaultVersion"] == "true")
            let found = try await iam.done("GetPolicy", ["PolicyArn": Self.arn])
            #expect(found["Description"] == "d")
            #expect(found.all("Key") == ["k"])
            #expect(
                try await iam.call("CreatePolicy", ["PolicyName": "FILES", "PolicyDocument": RolesSandbox.document]).message
                    == "A policy called FILES already exists. Duplicate names are not allowed.")
        }
    }

    @Test("have at most five versions, whose numbers are not reused")
    func versions() async throws {
        try await RolesSandbox.run { iam async throws in
            try await create(iam)
            for _ in 2...5 {
                try await iam.done("CreatePolicyVersion", ["PolicyArn": Self.arn, "PolicyDocument": RolesSandbox.document])
            }
            let full = try await iam.call("CreatePolicyVersion", ["PolicyArn": Self.arn, "PolicyDocument": RolesSandbox.document])
            #expect(full.status == 409)
            #expect(full.code == "LimitExceeded")
            #expect(
                full.message
                    == "A managed policy can have up to 5 versions. Before you create a new version, you must delete an existing version.")
            let first = try await iam.call("DeletePolicyVersion", ["PolicyArn": Self.arn, "VersionId": "v1"])
            #expect(first.code == "DeleteConflict")
            #expect(first.message == "Cannot delete the default version of a policy.")
            try await iam.done("SetDefaultPolicyVersion", ["PolicyArn": Self.arn, "VersionId": "v4"])
            for version in ["v1", "v5"] { try await iam.done("DeletePolicyVersion", ["PolicyArn": Self.arn, "VersionId": version]) }
            let made = try await iam.done(
                "CreatePolicyVersion", ["PolicyArn": Self.arn, "PolicyDocument": RolesSandbox.document, "SetAsDefault": "true"])
            #expect(made["VersionId"] == "v6")
            #expect(made["IsDefaultVersion"] == "true")
            #expect(try await iam.done("ListPolicyVersions", ["PolicyArn": Self.arn]).all("VersionId") == ["v6", "v4", "v3", "v2"])
            let missing = try await iam.call("GetPolicyVersion", ["PolicyArn": Self.arn, "VersionId": "v9"])
            #expect(missing.message == "Policy \(Self.arn) version v9 does not exist or is not attachable.")
            let conflict = try await iam.call("DeletePolicy", ["PolicyArn": Self.arn])
            #expect(conflict.code == "DeleteConflict")
            #expect(conflict.message?.hasPrefix("This policy has more than one version.") == true)
        }
    }

    @Test("count their attachments, and cannot be deleted while attached")
    func uses() async throws {
        try await RolesSandbox.run { iam async throws in
            try await create(iam)
            #expect(try await iam.createRole("r").status == 200)
            try await iam.done("AttachUserPolicy", ["UserName": "ann", "PolicyArn": Self.arn])
            try await iam.done("AttachRolePolicy", ["RoleName": "r", "PolicyArn": Self.arn])
            try await iam.done("PutRolePermissionsBoundary", ["RoleName": "r", "PermissionsBoundary": Self.arn])
            let found = try await iam.done("GetPolicy", ["PolicyArn": Self.arn])
            #expect(found["AttachmentCount"] == "2")
            #expect(found["PermissionsBoundaryUsageCount"] == "1")
            let entities = try await iam.done("ListEntitiesForPolicy", ["PolicyArn": Self.arn])
            #expect(entities.all("UserName") == ["ann"])
            #expect(entities.all("RoleName") == ["r"])
            let roles = try await iam.done(
                "ListEntitiesForPolicy",
                ["PolicyArn": Self.arn, "EntityFilter": "Role", "PolicyUsageFilter": "PermissionsBoundary"])
            #expect(roles.all("UserName").isEmpty)
            #expect(roles.all("RoleName") == ["r"])
            let attached = try await iam.done("ListPolicies", ["OnlyAttached": "true"])
            #expect(attached.all("Arn") == ["arn:aws:iam::000000000000:policy/team/files", "arn:aws:iam::aws:policy/IAMReadOnlyAccess"])
            let refused = try await iam.call("DeletePolicy", ["PolicyArn": Self.arn])
            #expect(refused.status == 409)
            #expect(refused.message == "Cannot delete a policy attached to entities.")
            try await iam.done("DeleteRolePermissionsBoundary", ["RoleName": "r"])
            try await iam.done("DetachRolePolicy", ["RoleName": "r", "PolicyArn": Self.arn])
            try await iam.done("DetachUserPolicy", ["UserName": "ann", "PolicyArn": Self.arn])
            try await iam.done("DeletePolicy", ["PolicyArn": Self.arn])
            #expect(try await iam.call("GetPolicy", ["PolicyArn": Self.arn]).message == "Policy \(Self.arn) was not found.")
        }
    }

    @Test(
        "of services can be attached only to service-linked roles",
        arguments: [
            ("AttachUserPolicy", "UserName", "ann", "PolicyArn"), ("AttachRolePolicy", "RoleName", "r", "PolicyArn"),
            ("PutRolePermissionsBoundary", "RoleName", "r", "PermissionsBoundary"),
        ])
    func ofServices(_ action: String, _ holder: String, _ name: String, _ policy: String) async throws {
        try await RolesSandbox.run { iam async throws in
            #expect(try await iam.createRole("r").status == 200)
            let arn = "arn:aws:iam::aws:policy/aws-service-role/AutoScalingServiceRolePolicy"
            let refused = try await iam.call(action, [holder: name, policy: arn])
            #expect(refused.status == 400)
            #expect(refused.code == "PolicyNotAttachable")
        }
    }

    @Test("are listed by scope and path, in pages")
    func listing() async throws {
        try await RolesSandbox.run { iam async throws in
            try await create(iam)
            #expect(try await iam.done("ListPolicies", ["Scope": "Local"]).all("PolicyName") == ["files"])
            #expect(try await iam.done("ListPolicies", ["Scope": "Local", "PathPrefix": "/other/"]).all("PolicyName").isEmpty)
            let ours = try await iam.done("ListPolicies", ["Scope": "AWS", "PathPrefix": "/job-function/", "MaxItems": "2"])
            #expect(ours.all("PolicyName").count == 2)
            #expect(ours["IsTruncated"] == "true")
            let marker = try #require(ours["Marker"])
            let more = try await iam.done(
                "ListPolicies", ["Scope": "AWS", "PathPrefix": "/job-function/", "Marker": marker, "MaxItems": "1000"])
            #expect(more.all("PolicyName").contains("ViewOnlyAccess"))
            #expect(more["IsTruncated"] == "false")
            #expect(Set(more.all("PolicyName")).isDisjoint(with: ours.all("PolicyName")))
        }
    }

    @Test(
        "are refused with IAM's messages",
        arguments: [
            ("", "Syntax errors in policy."), (#"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}}"#, old),
            (#"{"Version":"2008-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}}"#, old),
            (#"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*"}}"#, "Policy statement must contain resources."),
            (
                #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"invalid","Resource":"*"}}"#,
                "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc."
            ),
            (#"{"Version":"2012-10-17","Version":"2012-10-17"}"#, "Syntax errors in policy."),
        ])
    func documents(text: String, message: String) async throws {
        try await RolesSandbox.run { iam async throws in
            let answer = try await iam.call("CreatePolicy", ["PolicyName": "p", "PolicyDocument": text.isEmpty ? "x" : text])
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedPolicyDocument")
            #expect(answer.message == message)
        }
    }

    private static let old = "Policy document must be version 2012-10-17 or greater."

    @Test("have a size limit that does not count white space")
    func size() async throws {
        try await RolesSandbox.run { iam async throws in
            func document(_ count: Int) -> String {
                let sid = String(repeating: "a", count: count)
                return
                    #"{ "Version": "2012-10-17", "Statement": {"Sid": "\#(sid)", "Effect": "Allow", "Action": "s3:*", "Resource": "*"} }"#
            }
            let empty = document(0).countedSize
            try await iam.done("CreatePolicy", ["PolicyName": "fits", "PolicyDocument": document(6144 - empty)])
            let answer = try await iam.call("CreatePolicy", ["PolicyName": "long", "PolicyDocument": document(6145 - empty)])
            #expect(answer.status == 409)
            #expect(answer.message == "Cannot exceed quota for PolicySize: 6144")
        }
    }

    @Test("of AWS are present with their documents and cannot be changed")
    func ofAWS() async throws {
        try await RolesSandbox.run { iam async throws in
            let arn = "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"
            let found = try await iam.done("GetPolicy", ["PolicyArn": arn])
            let version = try #require(found["DefaultVersionId"])
            let text = try await iam.done("GetPolicyVersion", ["PolicyArn": arn, "VersionId": version])["Document"]
            #expect(text.flatMap(percentDecoded)?.contains(#""s3:Get*","s3:List*""#) == true)
            for (action, more) in [
                ("DeletePolicy", [:]), ("CreatePolicyVersion", ["PolicyDocument": RolesSandbox.document]),
                ("SetDefaultPolicyVersion", ["VersionId": "v1"]),
            ] as [(String, FormFields)] {
                var parameters: FormFields = ["PolicyArn": arn]
                parameters.fields += more.fields
                let answer = try await iam.call(action, parameters)
                #expect(answer.status == 403)
                #expect(answer.code == "AccessDenied")
            }
            let wrong = try await iam.call("GetPolicy", ["PolicyArn": "arn:aws:iam::aws:policies"])
            #expect(wrong.code == "InvalidInput")
            #expect(wrong.message == "ARN arn:aws:iam::aws:policies is not valid.")
        }
    }

    @Test("of AWS all compile")
    func compiled() {
        let all = ManagedPolicy.allOfAWS
        #expect(all.count > 1500)
        #expect(Set(all.map(\.arn)).count == all.count)
        for policy in all {
            let found = ManagedPolicy.ofAWS(policy.arn)
            #expect(found?.document != nil, "\(policy.arn)")
            #expect(found?.defaultVersion == policy.defaultVersion, "\(policy.arn)")
        }
        for name in [
            "AdministratorAccess", "ReadOnlyAccess", "PowerUserAccess", "SecurityAudit", "job-function/ViewOnlyAccess", "IAMFullAccess",
            "AmazonS3FullAccess", "service-role/AWSLambdaBasicExecutionRole", "service-role/AmazonECSTaskExecutionRolePolicy",
            "aws-service-role/AutoScalingServiceRolePolicy",
        ] { #expect(ManagedPolicy.ofAWS("arn:aws:iam::aws:policy/\(name)") != nil, "\(name)") }
        for role in ServiceLinkedRole.byService.values { #expect(ManagedPolicy.ofAWS(role.policyARN) != nil, "\(role.policy)") }
        #expect(ManagedPolicy.ofAWS("arn:aws:iam::aws:policy/NoSuchPolicy") == nil)
    }
}
