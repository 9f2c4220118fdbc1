import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import WireFormats

/// A television that logs in at one of the three providers.
enum Television: String, CaseIterable, CustomTestStringConvertible {
    case facebook, amazon, google

    var testDescription: String { rawValue }

    struct Codes {
        var device: String
        var user: String
    }

    func begin(_ visitor: Visitor) async throws -> Codes {
        let answer: Answer
        switch self {
        case .facebook:
            answer = try await visitor.post("facebook/v2.6/device/login", ["access_token": FacebookTests.appToken, "scope": "email"])
            #expect(answer.json["interval"] == 5)
            #expect(answer.json["expires_in"] == 420)
        case .amazon:
            answer = try await visitor.post(
                "amazon/auth/O2/create/codepair",
                ["response_type": "device_code", "client_id": "amzn1.application-oa2-client.personalfiles", "scope": "profile"])
            #expect(answer.json["interval"] == 30)
            #expect(answer.json["expires_in"] == 600)
        case .google:
            answer = try await visitor.post("google/device/code", ["client_id": GoogleTests.clientID, "scope": "openid email"])
            #expect(answer.json["interval"] == 5)
            #expect(answer.json["expires_in"] == 1800)
        }
        let address = (answer.json["verification_uri"] ?? answer.json["verification_url"])?.stringValue
        #expect(address == "\(Visitor.origin)/idp/\(page)", "\(answer.body)")
        let device = (answer.json["device_code"] ?? answer.json["code"])?.stringValue
        return Codes(device: try #require(device), user: try #require(answer.json["user_code"]?.stringValue))
    }

    /// The path below `/idp/`.
    var page: String {
        switch self {
        case .facebook: "facebook/device"
        case .amazon: "amazon/us/code"
        case .google: "google/device"
        }
    }

    func poll(_ codes: Codes, _ visitor: Visitor) async throws -> Answer {
        switch self {
        case .facebook:
            try await visitor.post(
                "facebook/v2.6/device/login_status", ["access_token": FacebookTests.appToken, "code": codes.device])
        case .amazon:
            try await visitor.post(
                "amazon/auth/o2/token", ["grant_type": "device_code", "device_code": codes.device, "user_code": codes.user])
        case .google:
            try await visitor.post(
                "google/token",
                GoogleTests.client.with([
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": codes.device,
                ]))
        }
    }

    /// The result of a poll, as `code/subcode`, or the status with OAuth's error code.
    func verdict(_ answer: Answer) -> String {
        if answer.status == 200 { return "tokens" }
        guard self == .facebook else { return "\(answer.status) \(answer.json["error"]?.stringValue ?? "")" }
        let error = answer.json["error"]
        return "\(error?["code"]?.integerValue ?? 0)/\(error?["error_subcode"]?.integerValue ?? 0)"
    }

    enum Moment { case pending, early, denied, expired, used }

    func expected(_ moment: Moment) -> String {
        switch (self, moment) {
        case (.facebook, .pending): "31/1349174"
        case (.facebook, .early): "17/1349172"
        case (.facebook, .denied): "31/1349182"
        case (.facebook, .expired): "31/1349152"
        case (.facebook, .used): "100/0"
        case (.amazon, .pending): "400 authorization_pending"
        case (.amazon, .early): "400 slow_down"
        case (.amazon, .denied): "400 access_denied"
        case (.amazon, .expired): "400 expired_token"
        case (.amazon, .used): "400 invalid_code_pair"
        case (.google, .pending): "428 authorization_pending"
        case (.google, .early): "403 slow_down"
        case (.google, .denied): "403 access_denied"
        case (.google, .expired): "400 expired_token"
        case (.google, .used): "400 invalid_grant"
        }
    }
}

@Suite("Device logins at social providers (RFC 8628)")
struct SocialDeviceTests {
    @Test("a user authorizes the device, whose next poll gets the tokens once", arguments: Television.allCases)
    func approved(television: Television) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        // The clock is frozen, so that the duration of the test does not affect polls.
        try await visitor.cloud.change(clock: .freeze(at: nil))
        let codes = try await television.begin(visitor)
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.pending))
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.early))

        let typing = try await visitor.get(television.page)
        #expect(typing.body.contains("name=\"user_code\""))
        let login = try await visitor.get(television.page, ["user_code": " \(codes.user.lowercased())"])
        let consent = try await visitor.press("person", "alice", on: login)
        #expect(consent.isConsent)
        #expect(consent.body.contains("Personal Files"))
        let done = try await visitor.press("action", "allow", on: consent)
        #expect(done.location == "\(Visitor.origin)/idp/\(television.page)?result=approved")
        #expect(try await visitor.get(television.page, ["result": "approved"]).body.contains("connected"))

        let answer = try await television.poll(codes, visitor)
        #expect(television.verdict(answer) == "tokens", "\(answer.body)")
        let token = try #require(answer.json["access_token"]?.stringValue)
        switch television {
        case .facebook:
            #expect(answer.json["expires_in"] == 5_184_000)
            #expect(try await visitor.get("facebook/me", ["access_token": token, "fields": "email"]).json["email"] != nil)
        case .amazon:
            #expect(answer.json["refresh_token"]?.stringValue?.hasPrefix("Atzr|") == true)
            #expect(try await visitor.get("amazon/user/profile", ["access_token": token]).json["name"] == "Alice Archer")
        case .google:
            #expect(answer.json["refresh_token"] != nil)
            #expect(answer.json["id_token"] != nil)
            #expect(try await visitor.get("google/v1/userinfo", ["access_token": token]).json["email"] == "alice@example.com")
        }
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.used))
        #expect(try await visitor.get(television.page, ["user_code": codes.user]).status == 400, "the code was used")
    }

    @Test("a denial by the user is reported to the device", arguments: Television.allCases)
    func denied(television: Television) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let codes = try await television.begin(visitor)
        let login = try await visitor.get(television.page, ["user_code": codes.user])
        let done = try await visitor.press("action", "deny", on: login)
        #expect(done.location.hasSuffix("?result=denied"))
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.denied))
    }

    @Test("a user is asked for consent for each device", arguments: Television.allCases)
    func askedAgain(television: Television) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        for _ in 0..<2 {
            let codes = try await television.begin(visitor)
            var page = try await visitor.get(television.page, ["user_code": codes.user])
            if page.isLogin { page = try await visitor.press("person", "alice", on: page) }
            #expect(page.isConsent)
            _ = try await visitor.press("action", "allow", on: page)
            #expect(television.verdict(try await television.poll(codes, visitor)) == "tokens")
        }
    }

    @Test("codes expire", arguments: Television.allCases)
    func expired(television: Television) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let codes = try await television.begin(visitor)
        try await visitor.cloud.age(by: .seconds(1800))
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.expired))
        #expect(try await visitor.get(television.page, ["user_code": codes.user]).status == 400)
    }

    @Test("a poll after the interval is accepted; an early one extends the interval", arguments: [Television.google])
    func interval(television: Television) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        // The clock is frozen, so that the duration of the test does not affect polls.
        try await visitor.cloud.change(clock: .freeze(at: nil))
        let codes = try await television.begin(visitor)
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.pending))
        try await visitor.cloud.age(by: .seconds(5))
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.pending))
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.early))
        try await visitor.cloud.age(by: .seconds(5))
        #expect(television.verdict(try await television.poll(codes, visitor)) == television.expected(.early), "10 seconds by now")
    }

    @Test("an unknown code shows an alert, with the code escaped")
    func unknownCode() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get("google/device", ["user_code": "<b>"])
        #expect(page.status == 400)
        #expect(page.body.contains("role=\"alert\""))
        #expect(!page.body.contains("<b>"))
    }

    @Test("Facebook accepts a client token in place of the secret")
    func clientToken() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.changeApp { $0.clientToken = "client-token" }
        let answer = try await visitor.post("facebook/device/login", ["access_token": "\(FacebookTests.app)|client-token"])
        #expect(answer.json["user_code"] != nil)
        #expect(try await visitor.post("facebook/device/login", ["access_token": "\(FacebookTests.app)|other"]).status == 400)
        #expect(try await visitor.get("facebook/me", ["access_token": "\(FacebookTests.app)|client-token"]).json["error"]?["code"] == 190)
    }

    @Test("Google's older endpoint and grant type are supported")
    func oldGoogle() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let begun = try await visitor.post("google/o/oauth2/device/code", ["client_id": GoogleTests.clientID, "scope": "email"]).json
        let login = try await visitor.get("google/device", ["user_code": begun["user_code"]?.stringValue ?? ""])
        _ = try await visitor.press("action", "allow", on: try await visitor.press("person", "bob", on: login))
        let form = GoogleTests.client.with([
            "grant_type": "http://oauth.net/grant_type/device/1.0", "code": try #require(begun["device_code"]?.stringValue),
        ])
        #expect(try await visitor.post("google/o/oauth2/token", form).json["access_token"] != nil)
    }

    @Test(
        "invalid requests for a pair of codes",
        arguments: [
            (["response_type": "code"], "invalid_request"), (["scope": ""], "invalid_request"), (["scope": "all"], "invalid_scope"),
            (["client_id": ""], "invalid_request"), (["client_id": "nobody"], "invalid_client"),
        ] as [(FormFields, String)])
    func codePairFaults(fields: FormFields, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let form: FormFields = [
            "response_type": "device_code", "client_id": "amzn1.application-oa2-client.personalfiles", "scope": "profile",
        ]
        let answer = try await visitor.post("amazon/auth/o2/create/codepair", form.with(fields))
        #expect(answer.status == 400)
        #expect(answer.json["error"]?.stringValue == error)
    }

    @Test("both codes of a pair are required, and must match")
    func codePair() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let one = try await Television.amazon.begin(visitor)
        let other = try await Television.amazon.begin(visitor)
        let mixed = Television.Codes(device: one.device, user: other.user)
        #expect(Television.amazon.verdict(try await Television.amazon.poll(mixed, visitor)) == "400 invalid_code_pair")
        let missing = Television.Codes(device: one.device, user: "")
        #expect(Television.amazon.verdict(try await Television.amazon.poll(missing, visitor)) == "400 invalid_request")
    }
}
