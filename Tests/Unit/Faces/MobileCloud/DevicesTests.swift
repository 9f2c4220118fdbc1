import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

/// Requirements R121 and R127.
@Suite("Devices of the mobile cloud")
struct DevicesTests {
    private static let path = "/mobile/platform/devices"
    private static let phone = """
        {"notificationToken": "t1", "mobileClient": {"id": "com.example.app", "version": "1.0", "platform": "IOS"}}
        """

    private func post(_ mobile: MobileSandbox, _ operation: String, _ body: String, _ fields: HTTPFields) async throws -> MobileAnswer {
        var fields = fields
        fields[.contentType] = "application/json"
        return try await mobile.send(.post, "\(Self.path)/\(operation)", body, fields: fields)
    }

    @Test("are registered for users, updated by a second registration, and deregistered")
    func users() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let joe = HTTPFields.basic("joe:pass:word", try mobile.backend())
            let answer = try await post(mobile, "register", Self.phone, joe)
            #expect(answer.status == 201)
            #expect(answer["notificationToken"] == "t1")
            #expect(answer["user"] == "joe")
            #expect(answer.json["mobileClient"] == ["id": "com.example.app", "version": "1.0", "platform": "IOS"])
            #expect(answer["id"]?.count == 36)
            #expect(answer["modifiedOn"]?.hasSuffix("Z") == true)
            #expect(answer.json["notificationProvider"] == nil)
            let again = try await post(mobile, "register", Self.phone.replacing("1.0", with: "2.0"), joe)
            #expect(again.status == 200)
            #expect(again["id"] == answer["id"])
            #expect(again.json["mobileClient"]?["version"] == "2.0")
            let backend = try mobile.backend()
            #expect(try mobile.cloud.mobileDevices.all(of: backend.id).map(\.provider) == [.apple])
            let gone = try await post(mobile, "deregister", Self.phone, joe)
            #expect(gone.status == 200)
            #expect(gone.bytes.isEmpty)
            #expect(try mobile.cloud.mobileDevices.all(of: backend.id).isEmpty)
        }
    }

    @Test("are registered without a user by the anonymous key, each at its own backend")
    func anonymous() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let (app, other) = (try mobile.backend(), try mobile.backend("other"))
            let body = Self.phone.replacing("\"mobileClient\"", with: "\"notificationProvider\": \"FCM\", \"mobileClient\"")
            let answer = try await post(mobile, "register", body, .anonymous(app))
            #expect(answer.status == 201)
            #expect(answer.json["user"] == nil)
            #expect(answer["notificationProvider"] == "FCM")
            #expect(answer.entry.operation == "registerDevice")
            #expect(answer.entry.caller == nil)
            #expect(try mobile.cloud.mobileDevices.all(of: other.id).isEmpty)
            // The other backend does not have this client.
            #expect(try await post(mobile, "deregister", Self.phone, .anonymous(other)).status == 400)
            let unknown = try await post(mobile, "deregister", Self.phone.replacing("t1", with: "t2"), .anonymous(app))
            #expect(unknown.status == 404)
            #expect(unknown.errorCode == MobileErrorKind.unknownResource.code)
        }
    }

    @Test(
        "are refused with a reason",
        arguments: [
            ("register", "", 400), ("register", "[]", 400), ("register", "{", 400), ("register", phone.replacing("t1", with: ""), 400),
            ("register", phone.replacing("IOS", with: "ios"), 400), ("register", phone.replacing("\"id\"", with: "\"name\""), 400),
            ("register", phone.replacing("\"1.0\"", with: "1"), 400), ("register", phone.replacing("mobileClient", with: "client"), 400),
            ("register", phone.replacing("\"mobileClient\"", with: "\"notificationProvider\": \"X\", \"mobileClient\""), 400),
            ("register", phone.replacing("\"mobileClient\"", with: "\"user\": \"jörg\", \"mobileClient\""), 403),
            ("deregister", phone, 400), ("deregister", "{}", 400), ("list", phone, 404),
        ] as [(String, String, Int)])
    func refusals(operation: String, body: String, status: Int) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            #expect(try await post(mobile, operation, body, .anonymous(try mobile.backend())).status == status)
        }
    }

    @Test("require a method, a media type and an authenticated caller")
    func surroundings() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let fields = HTTPFields.anonymous(try mobile.backend())
            let got = try await mobile.get("\(Self.path)/register", fields)
            #expect(got.status == 405)
            #expect(got.fields[.allow]?.contains("POST") == true)
            #expect(try await mobile.post("\(Self.path)/register", ["a": "b"], fields).status == 415)
            #expect(try await post(mobile, "register", Self.phone, [:]).status == 401)
        }
    }
}
