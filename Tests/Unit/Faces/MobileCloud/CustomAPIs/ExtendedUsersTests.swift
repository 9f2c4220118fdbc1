import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Extended users (R121)")
struct ExtendedUsersTests {
    private static let seed = """
        roles: ["Technician"], backends: [{name: "app"}],
        realms: [{name: "Default", properties: ["region"], users: [{username: "erika", id: "1-2", email: "erika@example.com",
            firstName: "Erika", lastName: "Mann", properties: {region: "north"}, roles: ["Technician"]}, {username: "max"}]}]
        """
    private static let path = "/mobile/platform/extended/users"

    @Test("return the caller, with roles")
    func profile() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let erika = try mobile.customCode(user: "erika")
            let own = try await mobile.get("\(Self.path)/~", erika)
            #expect(own.status == 200)
            #expect(own["id"] == "1-2")
            #expect(own["email"] == "erika@example.com")
            #expect(own["firstName"] == "Erika")
            #expect(own["lastName"] == "Mann")
            #expect(own["region"] == "north")
            #expect(own.json["roles"] == ["Technician"])
            #expect(own.json["links"]?.arrayValue?.count == 2)
            #expect(try await mobile.get("\(Self.path)/erika", erika).json == own.json)
            let part = try await mobile.get("\(Self.path)/~?fields=firstName,roles", erika)
            #expect(part.json == ["firstName": "Erika", "roles": ["Technician"]])
        }
    }

    @Test("of an issuer or a social provider have the values of the issuer or provider")
    func others() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let vera = try mobile.customCode(.virtual(name: "vera", issuer: "i"), roles: ["B", "A"])
            #expect(try await mobile.get("\(Self.path)/~?fields=roles", vera).json == ["username": "vera", "roles": ["A", "B"]])
            let social = MobileCaller.SocialUser(provider: "facebook", id: "12", name: "Sol", accessToken: "token")
            let sol = try await mobile.get("\(Self.path)/~", try mobile.customCode(.social(social)))
            #expect(sol.json == ["id": "12", "identityProvider": "facebook", "accessToken": "token"])
        }
    }

    @Test("are returned only to custom code, and only its caller")
    func refusals() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            #expect(try await mobile.get("\(Self.path)/~").status == 401)
            let erika = try mobile.customCode(user: "erika")
            #expect(try await mobile.get("\(Self.path)/max", erika).errorCode == MobileErrorKind.anotherUser.code)
            #expect(try await mobile.get("\(Self.path)/none", erika).errorCode == MobileErrorKind.unknownResource.code)
            #expect(try await mobile.get("\(Self.path)/~", try mobile.customCode()).status == 401)
            #expect(try await mobile.send(.put, "\(Self.path)/~", fields: erika).status == 405)
            #expect(try await mobile.get("/mobile/platform/extended/other", erika).status == 404)
        }
    }
}
