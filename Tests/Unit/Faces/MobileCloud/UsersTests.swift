import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("The API of mobile users, and app policies")
struct UsersTests {
    private static let path = "/mobile/platform/users/"

    @Test("returns a user's own values in the realm, by ~ and by name (R148)", arguments: ["~", "joe"])
    func own(_ name: String) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let answer = try await mobile.get(Self.path + name, .basic("joe:pass:word", try mobile.backend()))
            let user = try #require(mobile.cloud.directory.mobile.realms["Default(1.0)"]?.user(named: "joe"))
            #expect(answer.status == 200)
            #expect(
                answer.json
                    == [
                        "id": .string(user.id), "username": "joe", "email": "joe@example.com", "firstName": "Joe", "lastName": "Doe",
                        "office": "4.12",
                        "links": [
                            ["rel": "canonical", "href": "/mobile/platform/users/joe"],
                            ["rel": "self", "href": "/mobile/platform/users/joe"],
                        ],
                    ])
            #expect(answer.entry.operation == "GetUser")
        }
    }

    @Test("accepts a login with any valid credentials, including the anonymous key (X15)")
    func login() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let backend = try mobile.backend()
            let user = try await mobile.get(Self.path + "login?_=1", .basic("joe:pass:word", backend))
            #expect(user.status == 200)
            #expect(user["username"] == "joe")
            #expect(user.entry.operation == "Login")
            #expect(try await mobile.get(Self.path + "login", .anonymous(backend)).status == 200)
            #expect(try await mobile.get(Self.path + "login", .bearer(try await mobile.token(nil))).status == 200)
            #expect(try await mobile.get(Self.path + "login", .basic("joe:wrong", backend)).status == 401)
        }
    }

    @Test("refuses to return a user to the anonymous caller (X15)", arguments: ["~", "me", "joe"])
    func nobody(_ name: String) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            for fields in [HTTPFields.anonymous(try mobile.backend()), .bearer(try await mobile.token(nil))] {
                let answer = try await mobile.get(Self.path + name, fields)
                #expect(answer.status == 401)
                #expect(answer.errorCode == MobileErrorKind.notAuthenticated.code)
            }
        }
    }

    @Test("does not return other users (A4.4)")
    func others() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            let other = try await mobile.get(Self.path + "remote", fields)
            #expect(other.status == 401)
            #expect(other.errorCode == MobileErrorKind.anotherUser.code)
            let unknown = try await mobile.get(Self.path + "nobody", fields)
            #expect(unknown.status == 404)
            #expect(unknown.errorCode == MobileErrorKind.unknownResource.code)
            let virtual = try await mobile.token("eva", method: .exchange, virtual: .init(issuer: "i", roles: []))
            for name in ["joe", "nobody"] {
                #expect(try await mobile.get(Self.path + name, .bearer(virtual)).errorCode == MobileErrorKind.anotherUser.code)
            }
            #expect(try await mobile.get(Self.path + "eva", .bearer(virtual)).status == 200)
        }
    }

    @Test("returns the requested fields, for users of the realm (A4.4)")
    func fields() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            let answer = try await mobile.get(Self.path + "~?fields=firstName,%20office,nothing", fields)
            #expect(answer.json == ["firstName": "Joe", "office": "4.12"])
            let virtual = try await mobile.token("eva", method: .exchange, virtual: .init(issuer: "i", roles: ["Technician"]))
            #expect(try await mobile.get(Self.path + "~?fields=firstName", .bearer(virtual)).json == ["username": "eva"])
        }
    }

    @Test("returns the roles at me")
    func profile() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let user = try await mobile.get(Self.path + "me", .basic("joe:pass:word", try mobile.backend()))
            #expect(user["username"] == "joe")
            #expect(user.json["roles"] == ["Technician"])
            let virtual = try await mobile.token("eva", method: .exchange, virtual: .init(issuer: "i", roles: ["B", "A"]))
            #expect(try await mobile.get(Self.path + "me", .bearer(virtual)).json == ["username": "eva", "roles": ["A", "B"]])
        }
    }

    @Test("changes only the properties of the realm", arguments: [HTTPRequest.Method.put, .patch])
    func update(_ method: HTTPRequest.Method) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            fields[.contentType] = "application/json; charset=utf-8"
            let body = #"{"username":"joe","badge":17,"office":null}"#
            let answer = try await mobile.send(method, Self.path + "~", body, fields: fields)
            #expect(answer.status == 200)
            #expect(answer.json["badge"] == 17)
            #expect(answer["office"] == nil)
            #expect(answer["firstName"] == "Joe")
            let after = try await mobile.get(Self.path + "joe", fields)
            #expect(after.json == answer.json)
        }
    }

    struct Refusal: Sendable {
        var body: String
        var type = "application/json"
        var status = 400
    }

    @Test(
        "refuses invalid changes",
        arguments: [
            Refusal(body: #"{"firstName":"Jo"}"#), Refusal(body: #"{"username":"jo"}"#), Refusal(body: #"{"shoeSize":44}"#),
            Refusal(body: #"{"badge":[1]}"#), Refusal(body: "[]"), Refusal(body: "{"), Refusal(body: ""),
            Refusal(body: #"{"badge":1}"#, type: "text/plain", status: 415),
            Refusal(body: #"{"badge":""# + String(repeating: "1", count: 1 << 16) + #""}"#, status: 413),
        ])
    func refusals(_ refusal: Refusal) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            fields[.contentType] = refusal.type
            let before = mobile.cloud.directory.mobile.realms
            let answer = try await mobile.send(.patch, Self.path + "joe", refusal.body, fields: fields)
            #expect(answer.status == refusal.status)
            #expect(mobile.cloud.directory.mobile.realms == before)
        }
    }

    @Test("reports each of several causes of an error")
    func causes() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            fields[.contentType] = "application/json"
            let answer = try await mobile.send(.patch, Self.path + "~", #"{"a":1,"lastName":"D"}"#, fields: fields)
            #expect(answer.status == 400)
            #expect(answer.json["o:errorDetails"]?.arrayValue?.count == 2)
        }
    }

    @Test("allows users of the realm to change only themselves, and other callers nothing")
    func strangers() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            func update(_ name: String, _ fields: HTTPFields) async throws -> Int {
                var fields = fields
                fields[.contentType] = "application/json"
                return try await mobile.send(.patch, Self.path + name, #"{"badge":1}"#, fields: fields).status
            }
            #expect(try await update("remote", .basic("joe:pass:word", try mobile.backend())) == 401)
            #expect(try await update("~", .anonymous(try mobile.backend())) == 401)
            let virtual = try await mobile.token("eva", method: .exchange, virtual: .init(issuer: "i", roles: []))
            #expect(try await update("~", .bearer(virtual)) == 403)
        }
    }

    @Test("names the methods that its resources support")
    func methods() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let delete = try await mobile.send(.delete, Self.path + "~")
            #expect(delete.status == 405)
            #expect(delete.fields[.allow] == "GET, PUT, PATCH, HEAD, OPTIONS")
            #expect(delete.errorCode == MobileErrorKind.methodNotAllowed.code)
            #expect(try await mobile.send(.post, Self.path + "login").fields[.allow] == "GET, HEAD, OPTIONS")
            let options = try await mobile.send(.options, Self.path + "~")
            #expect(options.status == 200)
            #expect(options.fields[.allow] == "GET, PUT, PATCH, HEAD, OPTIONS")
            #expect(try await mobile.send(.head, Self.path + "~", fields: .basic("joe:pass:word", mobile.backend())).status == 200)
            #expect(try await mobile.get(Self.path + "joe/more", .basic("joe:pass:word", mobile.backend())).status == 404)
        }
    }

    @Test("returns app policies as a flat object, also to the anonymous caller (R127)")
    func appPolicies() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            for fields in [HTTPFields.anonymous(try mobile.backend()), .bearer(try await mobile.token("joe"))] {
                let answer = try await mobile.get("/mobile/platform/appconfig/client", fields)
                #expect(answer.status == 200)
                #expect(answer.json == ["welcome": "Hello", "timeout": 100000])
            }
            let other = try await mobile.get("/mobile/platform/appconfig/client", .anonymous(try mobile.backend("other")))
            #expect(other.json == [:])
            #expect(try await mobile.get("/mobile/platform/appconfig/client").status == 401)
            #expect(try await mobile.post("/mobile/platform/appconfig/client", [:]).status == 405)
            #expect(try await mobile.get("/mobile/platform/appconfig/other").status == 404)
        }
    }
}
