import Cloud
import Cryptography
import Directory
import Federation
import Testing
import WireFormats

@Suite("Virtual MFA devices in IAM")
struct DeviceTests {
    private static let serial = "arn:aws:iam::000000000000:mfa/phone"

    /// The password that the test's device shows, a number of passwords before or after the present one.
    private func code(_ iam: IAMSandbox, _ offset: Int64) throws -> String {
        let device = try #require(iam.cloud.directory.devices[Self.serial])
        return OneTimePassword.password(
            seed: device.seed, counter: OneTimePassword.counter(atSeconds: iam.cloud.clock.now.seconds) + offset)
    }

    private func enable(_ iam: IAMSandbox, _ user: String, _ first: String, _ second: String) async throws -> STSAnswer {
        try await iam.call(
            "EnableMFADevice",
            ["UserName": user, "SerialNumber": Self.serial, "AuthenticationCode1": first, "AuthenticationCode2": second])
    }

    @Test("are created with a seed, enabled with two consecutive codes, deactivated and deleted")
    func lifecycle() async throws {
        try await IAMSandbox.run { iam async throws in
            let made = try await iam.call("CreateVirtualMFADevice", ["VirtualMFADeviceName": "phone"])
            #expect(made["SerialNumber"] == Self.serial)
            let seed = try #require([UInt8](base64: made["Base32StringSeed"] ?? ""))
            #expect(seed.count == 64)
            #expect(String(decoding: seed, as: UTF8.self) == iam.cloud.directory.devices[Self.serial]?.seed.base32)
            #expect(
                try await iam.call("CreateVirtualMFADevice", ["VirtualMFADeviceName": "phone"]).refusal
                    == "409 EntityAlreadyExists MFA device already exists.")

            let wrong = "403 InvalidAuthenticationCode Authentication code for device is not valid."
            #expect(try await enable(iam, "bob", try code(iam, 0), try code(iam, 0)).refusal == wrong)
            #expect(try await enable(iam, "bob", try code(iam, 0), try code(iam, -1)).refusal == wrong)
            #expect(try await enable(iam, "bob", try code(iam, -1), try code(iam, 0)).status == 200)
            let taken = "409 EntityAlreadyExists MFA Device"
            #expect(try await enable(iam, "ann", try code(iam, -1), try code(iam, 0)).refusal == "\(taken) is already in use.")
            #expect(try await enable(iam, "bob", try code(iam, -1), try code(iam, 0)).refusal == "\(taken) for user bob already exists.")
            let device = try #require(iam.cloud.directory.devices[Self.serial])
            #expect(try device.accepts(code: code(iam, 0), at: iam.cloud.clock.now))

            #expect(try await iam.call("ListMFADevices", ["UserName": "bob"]).members("MFADevices", "SerialNumber") == [Self.serial])
            #expect(try await iam.call("ListVirtualMFADevices", ["AssignmentStatus": "Assigned"])["UserName"] == "bob")
            #expect(try await iam.call("ListVirtualMFADevices", ["AssignmentStatus": "Unassigned"]).members("VirtualMFADevices").isEmpty)
            #expect(
                try await iam.call("GetMFADevice", ["SerialNumber": Self.serial]).refusal
                    == "400 ValidationError The MFA device serial number sent in the request is invalid or not supported by this API. Currently, only hardware FIDO security keys are supported. Please use the compatible device or API."
            )
            #expect(
                try await iam.call("DeleteUser", ["UserName": "bob"]).refusal
                    == "409 DeleteConflict Cannot delete entity, must remove tokens from principal first.")
            #expect(
                try await iam.call("DeleteVirtualMFADevice", ["SerialNumber": Self.serial]).refusal
                    == "409 DeleteConflict MFA VirtualDevice in use. Must deactivate first.")
            #expect(try await iam.call("DeactivateMFADevice", ["UserName": "ann", "SerialNumber": Self.serial]).code == "NoSuchEntity")
            #expect(try await iam.call("DeactivateMFADevice", ["UserName": "bob", "SerialNumber": Self.serial]).status == 200)
            #expect(try await iam.call("DeleteVirtualMFADevice", ["SerialNumber": Self.serial]).status == 200)
            #expect(
                try await iam.call("GetMFADevice", ["SerialNumber": Self.serial]).refusal
                    == "404 NoSuchEntity VirtualMFADevice with serial number \(Self.serial) doesn't exist.")
        }
    }

    @Test("with a wrong clock are accepted after a resync")
    func resync() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateVirtualMFADevice", ["VirtualMFADeviceName": "phone"])
            _ = try await enable(iam, "bob", try code(iam, -1), try code(iam, 0))
            let answer = try await iam.call(
                "ResyncMFADevice",
                [
                    "UserName": "bob", "SerialNumber": Self.serial, "AuthenticationCode1": try code(iam, 9),
                    "AuthenticationCode2": try code(iam, 10),
                ])
            #expect(answer.status == 200)
            let device = try #require(iam.cloud.directory.devices[Self.serial])
            #expect(try device.accepts(code: code(iam, 10), at: iam.cloud.clock.now))
            #expect(try !device.accepts(code: code(iam, 0), at: iam.cloud.clock.now))
        }
    }

    @Test("stay with a user who is renamed, and block the user's deletion")
    func users() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateUser", ["UserName": "c"])
            try await iam.call("CreateVirtualMFADevice", ["VirtualMFADeviceName": "phone"])
            _ = try await enable(iam, "c", try code(iam, -1), try code(iam, 0))
            try await iam.call("UpdateUser", ["UserName": "c", "NewUserName": "d"])
            #expect(try await iam.call("ListMFADevices", ["UserName": "d"]).members("MFADevices", "SerialNumber") == [Self.serial])
            #expect(
                try await iam.call("DeleteUser", ["UserName": "d"]).refusal
                    == "409 DeleteConflict Cannot delete entity, must remove tokens from principal first.")
        }
    }

    @Test("of the root user are counted in the account summary")
    func root() async throws {
        try await IAMSandbox.run { iam async throws in
            try await iam.call("CreateVirtualMFADevice", ["VirtualMFADeviceName": "phone"])
            let answer = try await iam.call(
                "EnableMFADevice",
                ["SerialNumber": Self.serial, "AuthenticationCode1": try code(iam, -1), "AuthenticationCode2": try code(iam, 0)])
            #expect(answer.status == 200)
            let summary = try await iam.call("GetAccountSummary")
            let entries = (summary.element("SummaryMap")?.children ?? []).map { ($0.child("key")?.text, $0.child("value")?.text) }
            #expect(entries.contains { $0 == ("AccountMFAEnabled", "1") })
            #expect(entries.contains { $0 == ("Users", "2") })
        }
    }
}
