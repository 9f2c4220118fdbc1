import Cloud
import Directory
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("People whom user pools pretend")
struct PretendedUserTests {
    private static func parameters(_ sandbox: UserPoolSandbox, _ name: String) async throws -> JSONValue {
        let answer = try await sandbox.call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_SRP_AUTH", "ClientId": "usual", "AuthParameters": ["USERNAME": .string(name), "SRP_A": "4"],
            ])
        return try #require(answer["ChallengeParameters"])
    }

    private static func delivery(_ sandbox: UserPoolSandbox, _ name: String) async throws -> JSONValue? {
        try await sandbox.call("ForgotPassword", ["ClientId": "usual", "Username": .string(name)])["CodeDeliveryDetails"]
    }

    private static let addresses = UserPoolSandbox.seed(pool: #"usernameAttributes: ["email"], caseSensitive: false"#)
        .replacing(#"username: "alice""#, with: #"username: "alice@company.example""#)
        .replacing(#"{username: "new", password: "Temp0rary!", status: "FORCE_CHANGE_PASSWORD"},"#, with: "")
        .replacing(#"{username: "off", password: "\#(UserPoolSandbox.password)", enabled: false},"#, with: "")

    @Test("C35: where people sign in with an address, an unknown one has the answers of a known one")
    func looksLikeOthers() async throws {
        try await UserPoolSandbox.run(Self.addresses) { sandbox async throws in
            for name in ["alice@company.example", "ghost@company.example"] {
                let parameters = try await Self.parameters(sandbox, name)
                #expect(parameters["USER_ID_FOR_SRP"]?.stringValue?.utf8.count == 36)
                #expect(parameters["SALT"]?.stringValue?.utf8.count == 32)
                let other = try await Self.parameters(sandbox, name.uppercased())
                #expect(other["USER_ID_FOR_SRP"] == parameters["USER_ID_FOR_SRP"])
                #expect(other["SALT"] == parameters["SALT"])
            }
            #expect(try await Self.delivery(sandbox, "alice@company.example")?["Destination"] == "a***@c***")
            #expect(try await Self.delivery(sandbox, "ghost@company.example")?["Destination"] == "g***@c***")
        }
    }

    @Test("C35: who cannot get a code for another password is hidden as well")
    func hidesPeopleWithoutCodes() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(
                try await sandbox.call("ForgotPassword", ["ClientId": "app", "Username": "off"]), "NotAuthorizedException",
                "User is disabled.")
            let delivery = try #require(try await Self.delivery(sandbox, "off"))
            #expect(delivery["DeliveryMedium"] == "EMAIL")
            #expect(try await Self.delivery(sandbox, "off") == delivery)
            expect(
                try await sandbox.call(
                    "ConfirmForgotPassword",
                    ["ClientId": "usual", "Username": "off", "ConfirmationCode": "123456", "Password": "An0ther-One"]),
                "CodeMismatchException")
        }
    }

    @Test("C35: after a delivery, a wrong code has one error for people who exist, who do not, and who cannot get a code")
    func hidesPeopleAtTheEnd() async throws {
        let seed = UserPoolSandbox.seed().replacing(
            #"{username: "off","#, with: #"{username: "mute", password: "\#(UserPoolSandbox.password)"}, {username: "off","#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            for name in ["alice", "ghost", "off", "mute"] {
                let delivery = try await Self.delivery(sandbox, name)
                #expect(delivery?["DeliveryMedium"] == "EMAIL")
                expect(
                    try await sandbox.call(
                        "ConfirmForgotPassword",
                        ["ClientId": "usual", "Username": .string(name), "ConfirmationCode": "nothing", "Password": "An0ther-One"]),
                    "CodeMismatchException", "Invalid verification code provided, please try again.")
            }
        }
    }

    @Test("C35: where codes go to phones, a pretended one does as well")
    func pretendsPhones() async throws {
        let seed = UserPoolSandbox.seed().replacing(
            #"autoVerifiedAttributes: ["email"]"#, with: #"autoVerifiedAttributes: ["phone_number"]"#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            let delivery = try #require(try await Self.delivery(sandbox, "ghost"))
            #expect(delivery["DeliveryMedium"] == "SMS")
            #expect(delivery["Destination"]?.stringValue?.utf8.count == 12)
        }
    }
}
