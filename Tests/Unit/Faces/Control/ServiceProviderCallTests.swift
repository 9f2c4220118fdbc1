import Cloud
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Service providers and assertions in the control API")
struct ServiceProviderCallTests {
    private static let path = "/providers/company/service-providers"
    private static let app = "{entityID: 'urn:app', assertionConsumerServices: ['http://localhost/acs'], nameIDFormats: ['emailAddress']}"

    @Test("are registered, replaced, listed and removed")
    func registration() async throws {
        try await ControlSandbox.run { control async throws in
            #expect(try await control.send(.put, Self.path, Self.app).status == 201)
            let again = try await control.send(.put, Self.path, Self.app.replacing("localhost", with: "other"))
            #expect(again.status == 200)
            #expect(again.json["entityID"] == "urn:app")
            let listed = try await control.send(.get, Self.path).json["serviceProviders"]?.arrayValue
            #expect(listed?.count == 1)
            #expect(listed?.first?["assertionConsumerServices"]?.arrayValue?.first?["location"] == "http://other/acs")
            #expect(try await control.send(.delete, Self.path + "?entityID=urn%3Aapp").status == 200)
            let gone = try await control.send(.delete, Self.path + "?entityID=urn%3Aapp")
            #expect(gone.status == 404)
            #expect(gone.error == "unknown_service_provider")
            #expect(try await control.send(.get, Self.path).json["serviceProviders"] == .array([]))
        }
    }

    @Test("are listed with all members, so that a changed document can be sent back")
    func roundTrip() async throws {
        try await ControlSandbox.run { control async throws in
            let key = try SigningKey.generate(created: Timestamp(seconds: 0))
            let certificate = try #require(try key.selfSignedCertificate(named: "app")).base64
            let members = """
                ], signingCertificates: ['\(certificate)'], encryption: {certificate: '\(certificate)'}, nameIDClaim: 'email',
                 attributes: [{name: 'mail', claim: 'email'}], requiresSignedRequests: true}
                """
            let made = try await control.send(.put, Self.path, Self.app.replacing("]}", with: members))
            #expect(made.status == 201, "\(made.json)")
            let listed = try #require(try await control.send(.get, Self.path).json["serviceProviders"]?.arrayValue?.first?.objectValue)
            #expect(JSONValue.object(listed) == made.json)
            #expect(listed["encrypts"] == true)
            #expect(listed["signingCertificates"] == [.string(certificate)])
            #expect(listed["nameIDClaim"] == "email")
            var changed = listed
            changed["name"] = "Changed"
            let again = try await control.send(.put, Self.path, JSONValue.object(changed).serialized())
            #expect(again.status == 200)
            #expect(again.json == .object(changed))
            #expect(try await control.send(.get, Self.path).json["serviceProviders"] == [.object(changed)])
        }
    }

    @Test(
        "are refused with a reason",
        arguments: [
            ("/providers/nobody/service-providers", app, 404, "unknown_provider"),
            ("/providers/facebook/service-providers", app, 404, "unknown_provider"),
            ("/providers", app, 405, "method_not_allowed"), ("/providers/company", app, 400, "malformed_provider"),
            (path, "", 400, "malformed_service_provider"), (path, "<x/>", 400, "malformed_service_provider"),
            (path, "{entityID: 'x'}", 400, "malformed_service_provider"),
            // A sequence in base64 that is not a certificate.
            (path, app.replacing("]}", with: "], signingCertificates: ['MAA=']}"), 400, "malformed_service_provider"),
            (path, app.replacing("]}", with: "], encryption: {certificate: 'MAA='}}"), 400, "malformed_service_provider"),
            (path, app.replacing("]}", with: "], encrypts: true}"), 400, "malformed_service_provider"),
            (path, app.replacing("]}", with: "], requiresSignedRequests: true}"), 400, "malformed_service_provider"),
        ])
    func refusals(path: String, body: String, status: Int, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.put, path, body)
            #expect(answer.status == status)
            #expect(answer.error == error)
        }
    }

    @Test("assertions are issued for users with the requested NameID, and otherwise refused with a reason")
    func assertions() async throws {
        try await ControlSandbox.run { control async throws in
            _ = try await control.send(.put, Self.path, Self.app)
            func order(_ further: String) async throws -> ControlAnswer {
                try await control.send(
                    .post, "/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"serviceProvider\":\"urn:app\"\(further)}")
            }
            #expect(try await order("").error == "name_not_possible")
            let answer = try await order(",\"claims\":{\"email\":\"a@b.example\"}")
            #expect(answer.status == 200)
            #expect(answer.json["subject"] == "a@b.example")
            #expect(answer.json["expires_in"] == 300)
            #expect(answer.json["assertionConsumerService"] == "http://localhost/acs")
            #expect(try await order(",\"fault\":\"late\"").error == "malformed_member")
            #expect(try await order(",\"lifetime\":0").error == "malformed_member")
            #expect(try await order(",\"attributes\":{\"a\":1}").error == "malformed_member")
            let unsayable = try await order(",\"claims\":{\"email\":\"a@b.example\"},\"attributes\":{\"a\":\"\\u0001\"}")
            #expect(unsayable.status == 400)
            #expect(unsayable.error == "malformed_member")
            #expect(try await order(",\"client\":\"web\"").error == "unknown_member")
            let nobody = "{\"provider\":\"company\",\"user\":\"alice\",\"serviceProvider\":\"urn:other\"}"
            #expect(try await control.send(.post, "/tokens", nobody).error == "unknown_service_provider")
        }
    }
}
