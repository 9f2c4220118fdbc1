import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@Suite("Facebook apps in the control API")
struct FacebookAppCallTests {
    private static let path = "/providers/facebook/apps"

    @Test("are registered, listed, replaced and removed (R123)")
    func life() async throws {
        try await ControlSandbox.run { control async throws in
            #expect(try await control.send(.get, Self.path).json["apps"]?.arrayValue?.map { $0["id"] } == ["1234"])
            let text = """
                {id: '4711', secret: 's', name: 'Skiers', redirectURIs: ['fb4711://authorize'], facebook: {requireAppSecret: true},
                 tokenParameter: 'token'}
                """
            let made = try await control.send(.put, Self.path + "/4711", text)
            #expect(made.status == 201)
            #expect(made.json["facebook"]?["requireAppSecret"] == true)
            let app = try #require(control.cloud.directory.providers["facebook"]?.client("4711"))
            #expect(app.secret == "s")
            #expect(app.redirectURIs == ["fb4711://authorize"])
            #expect(made.json["tokenParameter"] == "token")
            // A response can be sent back as a request.
            let again = try await control.send(.put, Self.path + "/4711", made.json.serialized())
            #expect(again.status == 200)
            #expect(again.json == made.json)
            #expect(try await control.send(.get, Self.path + "/4711").json == made.json)
            #expect(try await control.send(.delete, Self.path + "/4711").status == 200)
            #expect(try await control.send(.get, Self.path + "/4711").error == "unknown_app")
            #expect(try await control.send(.delete, Self.path + "/4711").error == "unknown_app")
        }
    }

    @Test("are refused if the document or the path is invalid")
    func faults() async throws {
        try await ControlSandbox.run { control async throws in
            #expect(try await control.send(.put, Self.path + "/1", "{id: '2'}").error == "malformed_app")
            #expect(try await control.send(.put, Self.path + "/1", "{id: '1', colour: 'red'}").error == "malformed_app")
            #expect(try await control.send(.put, "/providers/google/apps/1", "{id: '1'}").error == "unknown_provider")
            #expect(try await control.send(.get, "/providers/none/apps").error == "unknown_provider")
            #expect(try await control.send(.put, Self.path, "{id: '1'}").status == 405)
            #expect(try await control.send(.post, Self.path + "/1").status == 405)
            #expect(try await control.send(.get, "/providers/apps").error == "unknown_provider")
            #expect(try await control.send(.get, Self.path + "/1/2").error == "unknown_path")
        }
    }
}
