import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Calls about identity providers")
struct ProviderCallTests {
    @Test("list providers without secrets")
    func list() async throws {
        try await ControlSandbox.run { control async throws in
            let providers = try await control.send(.get, "/providers").json["providers"]?.arrayValue ?? []
            #expect(providers.map { $0["name"] } == ["company", "facebook", "google"])
            #expect(providers.first?["issuer"] == "http://localhost:4566/idp/company")
            #expect(providers.first?["clients"] == 2)
            #expect(providers.map { $0["issuer"] }.dropFirst() == [.null, "https://accounts.google.com"])
        }
    }

    @Test("read, replace, create and remove people and clients")
    func parts() async throws {
        try await ControlSandbox.run { control async throws in
            let alice = try await control.send(.get, "/providers/company/people/alice").json
            #expect(alice == ["name": "alice", "subject": "1", "password": "p"])
            let changed = #"{"name":"alice","subject":"1","password":"q","claims":{"email":"a@example.com"}}"#
            #expect(try await control.send(.put, "/providers/company/people/alice", changed).status == 200)
            let bob = #"{"name":"bob smith","subject":"2","password":"p"}"#
            #expect(try await control.send(.put, "/providers/company/people/bob%20smith", bob).status == 201)
            #expect(try await control.send(.get, "/providers/company/people").json["people"]?.arrayValue?.count == 2)
            #expect(control.cloud.directory.providers["company"]?.person(named: "alice")?.password == "q")
            #expect(
                try await control.send(.put, "/providers/company/clients/app", #"{"id":"app","redirectURIs":["https://a.example/"]}"#)
                    .status == 201)
            #expect(try await control.send(.get, "/providers/company/clients").json["clients"]?.arrayValue?.count == 3)
            #expect(try await control.send(.delete, "/providers/company/clients/app").status == 200)
            #expect(try await control.send(.delete, "/providers/company/people/alice").status == 200)
            #expect(control.cloud.directory.providers["company"]?.people.map(\.name) == ["bob smith"])
        }
    }

    @Test("keep the mark of a client that registered itself openly, and remove it on request")
    func openRegistration() async throws {
        try await ControlSandbox.run { control async throws in
            let place = "/providers/company/clients/app"
            let marked = #"{"id":"app","grants":["urn:ietf:params:oauth:grant-type:token-exchange"],"openRegistration":true}"#
            #expect(try await control.send(.put, place, marked).status == 201)
            #expect(try await control.send(.get, place).json["openRegistration"] == true)
            let company = try await control.send(.get, "/providers/company")
            #expect(try await control.send(.put, "/providers/company", company.json.serialized()).status == 200)
            #expect(control.cloud.directory.providers["company"]?.client("app")?.isOpenlyRegistered == true)
            let asserting = #"{"id":"app","grants":["urn:ietf:params:oauth:grant-type:jwt-bearer"]"#
            #expect(try await control.send(.put, place, asserting + #","openRegistration":true}"#).status == 400)
            #expect(try await control.send(.put, place, asserting + "}").status == 200)
            #expect(control.cloud.directory.providers["company"]?.client("app")?.mayUse(.jwtBearer) == true)
        }
    }

    @Test("read, create and remove a provider")
    func provider() async throws {
        try await ControlSandbox.run { control async throws in
            let company = try await control.send(.get, "/providers/company").json
            #expect(company["issuer"] == "https://login.company.example")
            #expect(company["people"]?.arrayValue?.count == 1)
            #expect(try await control.send(.put, "/providers/company", company.serialized()).status == 200)
            let other = #"{"name":"other","issuer":"https://login.other.example","clients":[{"id":"web"}]}"#
            #expect(try await control.send(.put, "/providers/other", other).status == 201)
            #expect(try await control.send(.post, "/tokens", #"{"provider":"company","user":"alice"}"#).status == 200)
            #expect(try await control.send(.delete, "/providers/other").status == 200)
            #expect(try await control.send(.get, "/providers/other").error == "unknown_provider")
        }
    }

    @Test(
        "refuse what seeds refuse",
        arguments: [
            ("/providers/company/people/bob", #"{"name":"bob","subject":"1","password":"p"}"#, 409, "conflict"),
            ("/providers/company/people/bob", #"{"name":"eve","subject":"2","password":"p"}"#, 400, "malformed_person"),
            ("/providers/company/people/bob", #"{"name":"bob"}"#, 400, "malformed_person"),
            ("/providers/company/people/bob", "[]", 400, "malformed_person"),
            ("/providers/company/clients/app", #"{"id":"app","colour":"red"}"#, 400, "malformed_client"),
            ("/providers/company/clients/app", #"{"id":"app","claims":{"sub":"=x"}}"#, 400, "malformed_client"),
            ("/providers/facebook/clients/app", #"{"id":"app","claims":{"x":"=y"}}"#, 400, "malformed_client"),
            ("/providers/none/people/bob", #"{"name":"bob","subject":"2","password":"p"}"#, 404, "unknown_provider"),
            ("/providers/other", #"{"name":"other","issuer":"https://login.company.example"}"#, 409, "conflict"),
            ("/providers/other", #"{"name":"other"}"#, 400, "malformed_provider"),
            (
                "/providers/other",
                #"{"name":"other","issuer":"https://login.other.example","clients":[{"id":"a"},{"id":"a"}]}"#, 409, "conflict"
            ),
        ])
    func refusals(path: String, body: String, status: Int, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.put, path, body)
            #expect(answer.status == status, "\(answer.json)")
            #expect(answer.error == error, "\(answer.json)")
            #expect(control.cloud.directory.providers["company"]?.people.count == 1)
        }
    }

    @Test("list and end browser sessions")
    func sessions() async throws {
        try await ControlSandbox.run { control async throws in
            let now = control.cloud.clock.now
            for (id, person) in [("one", "alice"), ("two", "alice"), ("three", "")] {
                try await control.cloud.grantIssuer.keep(
                    Grant(
                        kind: .browserSession, provider: "company", client: "", person: person, issued: now, expires: now + .seconds(60),
                        details: ["sid": .string(id), "participants": [["client": "web"]]]), under: "cookie \(id)")
            }
            let listed = try await control.send(.get, "/providers/company/sessions").json["sessions"]?.arrayValue ?? []
            #expect(Set(listed.compactMap { $0["id"]?.stringValue }) == ["one", "two"])
            #expect(listed.allSatisfy { $0["person"] == "alice" && $0["clients"] == ["web"] })
            try await control.cloud.age(by: .seconds(30))
            let one = try await control.send(.get, "/providers/company/sessions/one").json
            #expect(one["id"] == "one")
            #expect(one["issued"]?.stringValue == (now - .seconds(30)).iso8601Milliseconds)
            #expect(one["expires"]?.stringValue == (now + .seconds(30)).iso8601Milliseconds)
            #expect(try await control.send(.delete, "/providers/company/sessions/one").json["ended"] == 1)
            #expect(try await control.send(.get, "/providers/company/sessions/one").error == "unknown_session")
            #expect(try await control.send(.delete, "/providers/company/sessions").json["ended"] == 1)
            #expect(try control.cloud.grants.find("cookie two", kind: .browserSession, at: "company") == nil)
        }
    }
}
