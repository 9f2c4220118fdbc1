import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Notifications (R121, R128)")
struct NotificationsTests {
    private static let path = "/mobile/system/notifications/notifications"
    private static let seed = """
        backends: [{name: "app"}, {name: "other"}], realms: [{name: "Default", users: [{username: "erika"}]}]
        """

    private static func register(
        _ token: String, _ platform: MobileDevice.Platform, user: String?, at mobile: MobileSandbox, backend: String = "app"
    ) async throws {
        _ = try await mobile.cloud.mobileDevices.register(
            MobileDevice(
                id: token, backend: try mobile.backend(backend).id, client: .init(id: "com.example.app", version: "1", platform: platform),
                notificationToken: token, notificationProvider: nil, user: user, modified: mobile.cloud.clock.now))
    }

    private static func sandbox(_ test: (MobileSandbox, HTTPFields) async throws -> Void) async throws {
        try await MobileSandbox.run(seed) { mobile async throws in
            try await register("t1", .iOS, user: "erika", at: mobile)
            try await register("t2", .android, user: "erika", at: mobile)
            try await register("t3", .android, user: nil, at: mobile)
            try await register("t4", .iOS, user: "erika", at: mobile, backend: "other")
            try await test(mobile, try mobile.customCode())
        }
    }

    @Test("are sent to the registered devices that they select")
    func recipients() async throws {
        try await Self.sandbox { mobile, code async throws in
            func count(_ more: String) async throws -> JSONValue? {
                let answer = try await mobile.send(.post, Self.path, "{\"message\": \"hello\"\(more)}", fields: code)
                #expect(answer.status == 201)
                return answer.json["deviceCount"]
            }
            #expect(try await count("") == 3)
            #expect(try await count(", \"users\": [\"erika\"]") == 2)
            #expect(try await count(", \"notificationTokens\": [\"t3\", \"t4\"]") == 1)
            #expect(try await count(", \"platform\": \"ANDROID\"") == 2)
            #expect(try await count(", \"provider\": \"APNS\", \"users\": [\"erika\"]") == 1)
        }
    }

    @Test("are stored, returned and deleted")
    func kept() async throws {
        try await Self.sandbox { mobile, code async throws in
            let made = try await mobile.send(.post, Self.path + "/", #"{"message": "hello", "tag": "Marketing"}"#, fields: code)
            let id = try #require(made.json["id"]?.integerValue)
            #expect(made["status"] == "Sent")
            #expect(made["message"] == "hello")
            #expect(made.fields[.location] == "\(Self.path)/\(id)")
            #expect(
                made.json["platformCounts"] == [["platform": "ANDROID", "deviceCount": 2], ["platform": "IOS", "deviceCount": 1]])
            #expect(try await mobile.get("\(Self.path)/\(id)", code).json == made.json)
            #expect(try await mobile.send(.delete, "\(Self.path)/\(id)", fields: code).status == 204)
            #expect(try await mobile.get("\(Self.path)/\(id)", code).status == 404)
            #expect(try await mobile.send(.delete, "\(Self.path)/\(id)", fields: code).status == 404)
        }
    }

    @Test("that are scheduled wait, by the sandbox's clock")
    func scheduled() async throws {
        try await Self.sandbox { mobile, code async throws in
            let made = try await mobile.send(
                .post, Self.path, ##"{"template": {"name": "#default"}, "sendOn": "2099-01-01T00:00Z"}"##, fields: code)
            #expect(made["status"] == "Scheduled")
            #expect(made.json["deviceCount"] == nil)
            try await mobile.cloud.change(clock: .set(try #require(Timestamp(iso8601: "2099-01-01T00:00:01Z"))))
            let id = try #require(made.json["id"]?.integerValue)
            let later = try await mobile.get("\(Self.path)/\(id)", try mobile.customCode())
            #expect(later["status"] == "Sent")
            #expect(later["processedOn"] == "2099-01-01T00:00:00.000Z")
            #expect(later.json["deviceCount"] == 3)
        }
    }

    @Test("are listed by filters")
    func listing() async throws {
        try await Self.sandbox { mobile, code async throws in
            for (tag, token) in [("Marketing", "t1"), ("markets", "none"), ("News", "t2")] {
                let body: JSONValue = ["message": "m", "tag": .string(tag), "notificationTokens": [.string(token)]]
                _ = try await mobile.send(.post, Self.path, body.serialized(), fields: code)
            }
            func tags(_ query: String) async throws -> [String?] {
                try await mobile.get("\(Self.path)?\(query)", code).json["items"]?.arrayValue?.map { $0["tag"]?.stringValue } ?? []
            }
            #expect(try await tags("") == ["Marketing", "markets", "News"])
            #expect(try await tags("q=market") == ["Marketing", "markets"])
            #expect(try await tags("tag=News") == ["News"])
            #expect(try await tags("status=Error") == ["markets"])
            #expect(try await tags("orderBy=id:desc&limit=2") == ["News", "markets"])
            #expect(try await tags("orderBy=status,tag:desc") == ["markets", "News", "Marketing"])
            #expect(try await tags("createdOnOrAfter=2099-01-01T00:00:00.000Z") == [])
            let page = try await mobile.get("\(Self.path)?offset=1&limit=1", code)
            #expect(page.json["hasMore"] == true)
            #expect(page.json["totalResults"] == 3)
            #expect(page.json["count"] == 1)
            for query in ["limit=x", "orderBy=nothing", "orderBy=:", "orderBy=id::desc", "sendOnOrAfter=today"] {
                #expect(try await mobile.get("\(Self.path)?\(query)", code).status == 400, "\(query)")
            }
        }
    }

    @Test(
        "that are invalid are refused",
        arguments: [
            "", "[]", "{}", #"{"message": ""}"#, #"{"message": "m", "users": []}"#, #"{"message": "m", "users": ["a", "a"]}"#,
            #"{"message": "m", "platform": "ios"}"#, #"{"message": "m", "sendOn": "soon"}"#, #"{"message": "m", "sound": 1}"#,
            #"{"payload": "text"}"#,
        ])
    func malformed(_ body: String) async throws {
        try await Self.sandbox { mobile, code async throws in
            #expect(try await mobile.send(.post, Self.path, body, fields: code).errorCode == MobileErrorKind.malformedRequest.code)
        }
    }

    @Test("of another backend are selected by its identifier, or by a token for it")
    func otherBackend() async throws {
        try await Self.sandbox { mobile, code async throws in
            var fields = code
            fields[.backendID] = try mobile.backend("other").id
            #expect(try await mobile.send(.post, Self.path, #"{"message": "m"}"#, fields: fields).json["deviceCount"] == 1)
            #expect(try await mobile.get(Self.path, code).json["count"] == 0)

            let body = #"{"name": "other", "version": "1.0"}"#
            let token = try await mobile.send(.post, "/mobile/platform/ums/tokens/", body, fields: code)
            #expect(token.status == 201)
            #expect(token.text.hasPrefix("Bearer "))
            #expect(try await mobile.get(Self.path, [.authorization: token.text]).json["count"] == 1)
            // The token has no user.
            #expect(try await mobile.get("/mobile/platform/extended/users/~", [.authorization: token.text]).status == 401)
            let unknown = #"{"name": "none", "version": "1.0"}"#
            #expect(
                try await mobile.send(.post, "/mobile/platform/ums/tokens", unknown, fields: code).errorCode
                    == MobileErrorKind.unknownBackend.code)
        }
    }

    @Test("can be called only by custom code")
    func refusals() async throws {
        try await Self.sandbox { mobile, code async throws in
            #expect(try await mobile.send(.post, Self.path, #"{"message": "m"}"#).status == 401)
            #expect(try await mobile.send(.put, Self.path, fields: code).status == 405)
            #expect(try await mobile.get("\(Self.path)/x", code).status == 404)
            #expect(try await mobile.get("/mobile/system/notifications/other", code).status == 404)
        }
    }
}
