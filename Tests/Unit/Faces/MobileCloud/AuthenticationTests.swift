import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Authentication of calls")
struct AuthenticationTests {
    @Test("accepts a user of the realm by HTTP Basic (R1, R6, R146)")
    func user() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let backend = try mobile.backend()
            #expect(backend.allowsBasic)
            #expect(backend.allowsOAuth)
            let caller = try await mobile.caller(.basic("joe:pass:word", backend))
            #expect(caller.name == "joe")
            #expect(caller.method == .basic)
            #expect(caller.roles == ["Technician"])
            #expect(caller.backend == backend)
            let answer = try await mobile.get("/mobile/platform/users/~", .basic("joe:pass:word", backend))
            #expect(answer.status == 200)
            #expect(answer.entry.caller == "joe")
        }
    }

    @Test("distinguishes the anonymous key from a user by its name (R125, R147, A4.10)")
    func anonymous() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let (backend, other) = (try mobile.backend(), try mobile.backend("other"))
            let caller = try await mobile.caller(.anonymous(backend))
            #expect(caller.isAnonymous)
            #expect(caller.method == .basic)
            #expect(caller.roles.isEmpty)
            #expect(caller.name == nil)
            for fields in [
                HTTPFields.basic("\(backend.anonymousUser):wrong", backend), .basic(backend.anonymousUser, backend),
                [.authorization: "Basic \(backend.anonymousKey)", .backendID: other.id],
            ] {
                let answer = try await mobile.get("/mobile/platform/users/login", fields)
                #expect(answer.status == 401)
                #expect(answer.errorCode == MobileErrorKind.invalidCredentials.code)
            }
        }
    }

    @Test("accepts header names and the scheme in any case (R30, R131, R146)", arguments: ["basic", "BASIC", "Basic  "])
    func spellings(_ scheme: String) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let backend = try mobile.backend()
            let name = try #require(HTTPField.Name("ORACLE-mobile-backend-Id"))
            let pair = Array("joe:pass:word".utf8).base64
            #expect(try await mobile.caller([.authorization: "\(scheme) \(pair)", name: backend.id.uppercased()]).name == "joe")
        }
    }

    @Test("reads names and passwords as UTF-8, and as the Latin-1 that the JavaScript SDK sends (R146)")
    func characters() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let backend = try mobile.backend()
            #expect(try await mobile.caller(.basic("jörg:straße", backend)).name == "jörg")
            let latin: [UInt8] = [0x6A, 0xF6, 0x72, 0x67, 0x3A, 0x73, 0x74, 0x72, 0x61, 0xDF, 0x65]
            #expect(try await mobile.caller([.authorization: "Basic \(latin.base64)", .backendID: backend.id]).name == "jörg")
        }
    }

    struct Refusal: Sendable {
        var authorization: String?
        var kind: MobileErrorKind
        var challenge: String
    }

    private static let basicChallenge = "Basic realm=\"mobile cloud\", charset=\"UTF-8\""

    @Test(
        "refuses invalid credentials, each with its challenge (R1, R148)",
        arguments: [
            Refusal(authorization: nil, kind: .notAuthenticated, challenge: basicChallenge),
            Refusal(authorization: "Basic am9lOndyb25n", kind: .invalidCredentials, challenge: basicChallenge),
            Refusal(authorization: "Basic bm9ib2R5OnBhc3M6d29yZA==", kind: .invalidCredentials, challenge: basicChallenge),
            // A user without a password, who logs in at the identity provider.
            Refusal(authorization: "Basic cmVtb3RlOg==", kind: .invalidCredentials, challenge: basicChallenge),
            // Without base64, without a colon, and empty.
            Refusal(authorization: "Basic joe:pass:word", kind: .invalidCredentials, challenge: basicChallenge),
            Refusal(authorization: "Basic am9l", kind: .invalidCredentials, challenge: basicChallenge),
            Refusal(authorization: "Basic", kind: .invalidCredentials, challenge: basicChallenge),
            Refusal(authorization: "Bearer", kind: .invalidToken, challenge: "Bearer realm=\"mobile cloud\", error=\"invalid_token\""),
            Refusal(authorization: "Digest username=\"joe\"", kind: .notAuthenticated, challenge: "Bearer realm=\"mobile cloud\""),
        ])
    func refusals(_ refusal: Refusal) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields: HTTPFields = [.backendID: try mobile.backend().id]
            fields[.authorization] = refusal.authorization
            let answer = try await mobile.get("/mobile/platform/users/~", fields)
            #expect(answer.status == 401)
            #expect(answer.errorCode == refusal.kind.code)
            #expect(answer.fields[.wwwAuthenticate] == refusal.challenge)
            #expect(answer.entry.errorCode == refusal.kind.code)
            #expect(answer["detail"]?.isEmpty == false)
            #expect(answer.entry.operation == "GetUser")
            #expect(answer.entry.caller == nil)
        }
    }

    @Test("challenges requests without credentials so that browsers do not ask for a password")
    func browsers() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let answer = try await mobile.get("/mobile/platform/users/~")
            #expect(answer.status == 401)
            #expect(answer.fields[.wwwAuthenticate] == "Bearer realm=\"mobile cloud\"")
        }
    }

    @Test("requires a known backend with HTTP Basic (R30, R131, R146)")
    func backends() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let authorization = "Basic \(Array("joe:pass:word".utf8).base64)"
            let missing = try await mobile.get("/mobile/platform/users/~", [.authorization: authorization])
            #expect(missing.status == 400)
            #expect(missing.errorCode == MobileErrorKind.missingBackendID.code)
            let unknown = try await mobile.get("/mobile/platform/users/~", [.authorization: authorization, .backendID: "4711"])
            #expect(unknown.status == 404)
            #expect(unknown.errorCode == "MOBILE-58026")
            #expect(unknown["title"] == "Mobile Backend not found")
            #expect(
                unknown["detail"]
                    == "We cannot find the active mobile backend for the given clientId 4711 and BASIC schema. Specify a valid clientId and try again."
            )
        }
    }

    @Test("refuses HTTP Basic if the backend has it off (R2, R7)")
    func basicOff() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            try await mobile.change { $0.allowsBasic = false }
            let backend = try mobile.backend()
            for fields in [HTTPFields.basic("joe:pass:word", backend), .anonymous(backend)] {
                let answer = try await mobile.get("/mobile/platform/users/login", fields)
                #expect(answer.status == 401)
                #expect(answer.errorCode == MobileErrorKind.authenticationMethodOff.code)
            }
            // The other methods still work.
            #expect(try await mobile.get("/mobile/platform/users/~", .bearer(try await mobile.token("joe"))).status == 200)
        }
    }

    @Test("ignores the application key, such as the one that SDKs send without a value", arguments: ["undefined", "null", "4711"])
    func applicationKey(_ key: String) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            fields[try #require(HTTPField.Name("Oracle-Mobile-Application-Key"))] = key
            #expect(try await mobile.get("/mobile/platform/users/~", fields).status == 200)
        }
    }

    @Test("accepts one credential in a request")
    func several() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var twice = HTTPFields.basic("joe:pass:word", try mobile.backend())
            twice.append(HTTPField(name: .authorization, value: "Bearer \(try await mobile.token("joe"))"))
            let answer = try await mobile.get("/mobile/platform/users/~", twice)
            #expect(answer.status == 400)
            #expect(answer.errorCode == MobileErrorKind.malformedRequest.code)
            var social = HTTPFields.facebook("EAAB", try mobile.backend())
            social[.authorization] = "Bearer \(try await mobile.token("joe"))"
            #expect(try await mobile.get("/mobile/platform/users/~", social).status == 400)
        }
    }
}
