import Cloud
import Testing
import WireFormats

@testable import AWSIdentityFaces

/// IAM API Reference, "GenerateServiceLastAccessedDetails".
@Suite("IAM last-access reports")
struct AccessReportTests {
    private static let ann = "arn:aws:iam::000000000000:user/staff/ann"

    /// Makes a call and appends its entry to the journal.
    private func noted(_ iam: IAMSandbox, _ action: String, by key: (String, String)) async throws {
        iam.cloud.journal.append(try await iam.call(action, by: key).journal)
    }

    @Test("list the services and actions that the journal contains")
    func user() async throws {
        let statement = "{Effect: 'Allow', Action: ['iam:*', 's3:GetObject', 'ec2:Describe*'], Resource: '*'}"
        try await IAMSandbox.run(statement) { iam async throws in
            try await noted(iam, "ListUsers", by: IAMSandbox.ann)
            try await noted(iam, "ListRoles", by: IAMSandbox.bob)
            let made = try await iam.call("GenerateServiceLastAccessedDetails", ["Arn": Self.ann, "Granularity": "ACTION_LEVEL"])
            let job = try #require(made["JobId"])
            #expect(job.count == 36)
            let report = try await iam.call("GetServiceLastAccessedDetails", ["JobId": job])
            #expect(report["JobStatus"] == "COMPLETED")
            #expect(report["JobType"] == "ACTION_LEVEL")
            #expect(report["IsTruncated"] == "false")
            #expect(report["JobCreationDate"] != nil)
            #expect(report["JobCompletionDate"] != nil)
            let services = try #require(report.element("ServicesLastAccessed")).children
            #expect(services.map { $0.child("ServiceNamespace")?.text } == ["ec2", "iam", "s3"])
            #expect(services.map { $0.child("LastAuthenticatedEntity")?.text } == [nil, Self.ann, nil])
            #expect(services.map { $0.child("TotalAuthenticatedEntities")?.text } == ["0", "1", "0"])
            #expect(services[1].child("ServiceName")?.text == "AWS Identity and Access Management (IAM)")
            #expect(services[1].child("LastAuthenticated").flatMap { Timestamp(iso8601: $0.text) } != nil)
            let actions = services[1].child("TrackedActionsLastAccessed")?.children ?? []
            #expect(actions.map { $0.child("ActionName")?.text } == ["ListUsers"])
        }
    }

    @Test("list the users and roles that have a policy")
    func entities() async throws {
        try await IAMSandbox.run { iam async throws in
            let policy = "arn:aws:iam::aws:policy/IAMFullAccess"
            for name in ["ann", "bob"] { try await iam.call("AttachUserPolicy", ["UserName": name, "PolicyArn": policy]) }
            try await noted(iam, "ListUsers", by: IAMSandbox.bob)
            let job = try #require(try await iam.call("GenerateServiceLastAccessedDetails", ["Arn": policy])["JobId"])
            let report = try await iam.call("GetServiceLastAccessedDetailsWithEntities", ["JobId": job, "ServiceNamespace": "iam"])
            let infos = (report.element("EntityDetailsList")?.children ?? []).compactMap { $0.child("EntityInfo") }
            #expect(infos.map { $0.child("Name")?.text } == ["bob", "ann"])
            try #require(infos.map { $0.child("Type")?.text } == ["USER", "USER"])
            #expect(infos[1].child("Path")?.text == "/staff/")
            let next = try await iam.call(
                "GetServiceLastAccessedDetailsWithEntities", ["JobId": job, "ServiceNamespace": "iam", "MaxItems": "1"])
            #expect(next["IsTruncated"] == "true")
            #expect(next["Marker"] != nil)
            #expect(
                try await iam.call("GetServiceLastAccessedDetailsWithEntities", ["JobId": job, "ServiceNamespace": "ec2"]).code
                    == "NoSuchEntity")
        }
    }

    @Test("are refused for missing entities and without permission")
    func refusals() async throws {
        try await IAMSandbox.run("{Effect: 'Allow', Action: 'iam:ListUsers', Resource: '*'}") { iam async throws in
            let none = "arn:aws:iam::000000000000:user/none"
            #expect(try await iam.call("GenerateServiceLastAccessedDetails", ["Arn": none]).code == "NoSuchEntity")
            #expect(try await iam.call("GenerateServiceLastAccessedDetails", ["Arn": Self.ann], by: IAMSandbox.ann).code == "AccessDenied")
            let job = "3f0c2f3a-1b1c-4d1e-8f2a-000000000000"
            #expect(try await iam.call("GetServiceLastAccessedDetails", ["JobId": job]).code == "NoSuchEntity")
            #expect(try await iam.call("GetServiceLastAccessedDetails", ["JobId": "short"]).code == "ValidationError")
        }
    }
}
