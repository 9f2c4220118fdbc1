import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Cross-site requests")
struct CrossSiteTests {
    private static let origin = "https://app.example.com"

    private static func question(_ origin: String, headers: String? = nil) -> HTTPFields {
        var fields: HTTPFields = [.origin: origin, .accessControlRequestMethod: "PATCH"]
        fields[.accessControlRequestHeaders] = headers
        return fields
    }

    @Test("are refused by default (R149, R155)")
    func disallowed() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let preflight = try await mobile.send(.options, "/mobile/platform/users/~", fields: Self.question(Self.origin))
            #expect(preflight.status == 401)
            #expect(preflight.errorCode == MobileErrorKind.originNotAllowed.code)
            #expect(preflight.fields[.accessControlAllowOrigin] == nil)
            var fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            fields[.origin] = Self.origin
            let answer = try await mobile.get("/mobile/platform/users/~", fields)
            #expect(answer.status == 200)
            #expect(answer.fields[.accessControlAllowOrigin] == nil)
            #expect(answer.fields[.accessControlAllowCredentials] == nil)
            #expect(answer.fields[.vary] == "Origin")
        }
    }

    @Test("are allowed from origins that match a pattern, with cookies (R149, R150)")
    func allowed() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            try await mobile.setPolicy("Security_AllowOrigin", "https://other.example, https://*.example.com")
            try await mobile.setPolicy("Security_ExposeHeaders", "ETag,Oracle-Mobile-Name")
            let wanted = "authorization,oracle-mobile-backend-id,x-own"
            let preflight = try await mobile.send(
                .options, "/mobile/platform/users/~", fields: Self.question(Self.origin, headers: wanted))
            #expect(preflight.status == 200)
            #expect(preflight.bytes.isEmpty)
            #expect(preflight.fields[.accessControlAllowOrigin] == Self.origin)
            #expect(preflight.fields[.accessControlAllowCredentials] == "true")
            #expect(preflight.fields[.accessControlAllowHeaders] == wanted)
            #expect(preflight.fields[.accessControlAllowMethods]?.contains("PATCH") == true)
            #expect(preflight.entry.operation == "Preflight")
            var fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            fields[.origin] = Self.origin
            let answer = try await mobile.get("/mobile/platform/users/~", fields)
            #expect(answer.status == 200)
            #expect(answer.fields[.accessControlAllowOrigin] == Self.origin)
            #expect(answer.fields[.accessControlAllowCredentials] == "true")
            #expect(answer.fields[.accessControlExposeHeaders] == "ETag, Oracle-Mobile-Name")
            #expect(answer.fields[.vary] == "Origin")
            fields[.origin] = "https://app.example.org"
            #expect(try await mobile.get("/mobile/platform/users/~", fields).fields[.accessControlAllowOrigin] == nil)
            #expect(
                try await mobile.send(.options, "/token", fields: Self.question("https://app.example.org")).status == 401)
        }
    }

    @Test("can read error responses, and those of the token endpoint (R150)")
    func refusals() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            try await mobile.setPolicy("Security_AllowOrigin", Self.origin)
            for (path, status) in [("/mobile/platform/users/~", 401), ("/mobile/platform/nothing", 404), ("/token", 405)] {
                let answer = try await mobile.get(path, [.origin: Self.origin])
                #expect(answer.status == status)
                #expect(answer.fields[.accessControlAllowOrigin] == Self.origin)
            }
            let preflight = try await mobile.send(.options, "/oam/oauth2/tokens", fields: Self.question(Self.origin))
            #expect(preflight.status == 200)
            #expect(preflight.fields[.accessControlAllowOrigin] == Self.origin)
            // Without Access-Control-Request-Method it asks for the methods of the resource.
            let options = try await mobile.send(.options, "/token", fields: [.origin: Self.origin])
            #expect(options.fields[.allow] == "POST, OPTIONS")
            #expect(options.fields[.accessControlAllowMethods] == nil)
        }
    }

    @Test("may have all headers that the SDKs send (A4.1)")
    func headersOfClients() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            try await mobile.setPolicy("Security_AllowOrigin", Self.origin)
            let preflight = try await mobile.send(.options, "/mobile/platform/users/~", fields: Self.question(Self.origin))
            let allowed = preflight.fields[.accessControlAllowHeaders] ?? ""
            let names = Set(allowed.lowercased().split(separator: ",").map { $0.filter { $0 != " " } })
            for name in [
                "authorization", "content-type", "oracle-mobile-backend-id", "oracle-mobile-application-key",
                "oracle-mobile-diagnostic-session-id", "oracle-mobile-device-id", "oracle-mobile-client-request-time",
                "oracle-mobile-analytics-session-id", "oracle-mobile-analytics-application-id", "oracle-mobile-social-identity-provider",
                "oracle-mobile-social-access-token", "x-user-identity-domain-name", "x-resource-identity-domain-name",
                "oracle-mobile-name", "oracle-mobile-sync-agent", "oracle-mobile-sync-resource-type", "oracle-mobile-api-version",
                "oracle-mobile-client-sdk-info",
            ] {
                #expect(names.contains(name))
            }
        }
    }

    @Test("are not assumed for requests of the same site")
    func sameSite() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let answer = try await mobile.get("/mobile/platform/users/~", .basic("joe:pass:word", try mobile.backend()))
            #expect(answer.fields[.vary] == nil)
            #expect(answer.fields[.accessControlAllowOrigin] == nil)
        }
    }
}
