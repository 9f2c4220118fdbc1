import Cloud
import Testing
import WireFormats

@Suite("An IAM account")
struct AccountTests {
    @Test("has one alias, which no other account can have")
    func alias() async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(try await iam.call("CreateAccountAlias", ["AccountAlias": "first"]).status == 200)
            #expect(try await iam.call("CreateAccountAlias", ["AccountAlias": "second"]).status == 200)
            #expect(try await iam.call("ListAccountAliases").members("AccountAliases") == ["second"])
            #expect(
                try await iam.call("CreateAccountAlias", ["AccountAlias": "second"], by: ("other", "test")).code == "EntityAlreadyExists")
            #expect(try await iam.call("DeleteAccountAlias", ["AccountAlias": "first"]).code == "NoSuchEntity")
            #expect(try await iam.call("DeleteAccountAlias", ["AccountAlias": "second"]).status == 200)
            #expect(try await iam.call("CreateAccountAlias", ["AccountAlias": "a--b"]).code == "ValidationError")
        }
    }

    @Test("has no password policy until one is made, and each change resets omitted settings to their defaults")
    func passwordPolicy() async throws {
        try await IAMSandbox.run { iam async throws in
            let none = "404 NoSuchEntity The Password Policy with domain name 000000000000 cannot be found."
            #expect(try await iam.call("GetAccountPasswordPolicy").refusal == none)
            try await iam.call("UpdateAccountPasswordPolicy", ["MinimumPasswordLength": "12", "MaxPasswordAge": "90"])
            let policy = try await iam.call("GetAccountPasswordPolicy")
            #expect(policy["MinimumPasswordLength"] == "12")
            #expect(policy["ExpirePasswords"] == "true")
            #expect(policy["MaxPasswordAge"] == "90")
            try await iam.call("UpdateAccountPasswordPolicy", ["RequireSymbols": "true"])
            let changed = try await iam.call("GetAccountPasswordPolicy")
            #expect(changed["MinimumPasswordLength"] == "6")
            #expect(changed["ExpirePasswords"] == "false")
            #expect(changed["MaxPasswordAge"] == nil)
            #expect(
                try await iam.call("UpdateAccountPasswordPolicy", ["MinimumPasswordLength": "5"]).message
                    == "1 validation error detected: Value at 'minimumPasswordLength' failed to satisfy constraint: "
                    + "Member must have value greater than or equal to 6")
            #expect(try await iam.call("DeleteAccountPasswordPolicy").status == 200)
            #expect(
                try await iam.call("DeleteAccountPasswordPolicy").refusal
                    == "404 NoSuchEntity The account policy with name PasswordPolicy cannot be found.")
        }
    }

    @Test("creates a new credential report every four hours")
    func credentialReport() async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(try await iam.call("GetCredentialReport").refusal.hasPrefix("410 ReportNotPresent"))
            #expect(try await iam.call("GenerateCredentialReport")["State"] == "STARTED")
            try await iam.call("CreateUser", ["UserName": "late"])
            #expect(try await iam.call("GenerateCredentialReport")["State"] == "COMPLETE")
            func lines() async throws -> [[Substring]] {
                let content = try #require([UInt8](base64: try await iam.call("GetCredentialReport")["Content"] ?? ""))
                return String(decoding: content, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
            }
            let report = try await lines()
            #expect(report.map { $0[0] } == ["user", "<root_account>", "ann", "bob"])
            #expect(report.allSatisfy { $0.count == 22 })
            #expect(report[1][8] == "true")
            #expect(report[1][12] == "iam")
            #expect(report[2][12] == "N/A")
            try await iam.cloud.age(by: .seconds(4 * 3600))
            #expect(try await iam.call("GetCredentialReport").code == "ReportExpired")
            #expect(try await iam.call("GenerateCredentialReport")["State"] == "STARTED")
            #expect(try await lines().count == 5)
        }
    }
}
