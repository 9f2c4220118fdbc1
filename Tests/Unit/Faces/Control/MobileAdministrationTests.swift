import Cloud
import Directory
import HTTPTypes
import ObjectStore
import Seeds
import Testing
import WireFormats

@Suite("Administration of the mobile cloud")
struct MobileAdministrationTests {
    private static let mobile = """
        roles: ["Technician", "Manager"], realms: [{name: "Default", properties: ["office"], users: [
            {username: "joe", password: "p", roles: ["Technician"]}]}],
        backends: [{name: "app"}], customAPIs: [{name: "incidents", roles: ["Manager"], endpoints: [{path: "/", body: {a: 1}}]}],
        collections: [{id: "pictures", bucket: "box", permissions: {READ: ["Technician"]}}]
        """

    private func run(_ test: (ControlSandbox) async throws -> Void) async throws { try await ControlSandbox.run(mobile: Self.mobile, test) }

    @Test("creates backends with keys of their own, OAuth and Basic on (R4, R6)")
    func newBackend() async throws {
        try await run { control async throws in
            let made = try await control.send(.put, "/mobile/backends/shop(1.0)", "{name: 'shop'}")
            #expect(made.status == 201)
            #expect(made.json["oauth"] == true)
            #expect(made.json["basic"] == true)
            #expect(made.json["sso"] == false)
            #expect(made.json["id"]?.stringValue?.count == 36)
            #expect(made.json["clientSecret"]?.stringValue?.count == 36)
            #expect(made.json["anonymousUser"]?.stringValue?.hasSuffix("_MOBILE_ANONYMOUS_APPID") == true)
            let key = try #require(made.json["anonymousKey"]?.stringValue)
            let backend = try #require(control.cloud.directory.mobile.backends["shop(1.0)"])
            var json = try #require(made.json.objectValue)
            json["environmentURLs"] = nil
            #expect(backend.anonymousKey == key)
            #expect(try MobileBackend.record.json(of: backend) == json)
            #expect(json["apis"] == [])
            // The keys cannot be guessed: they differ from those that a seed derives from the name.
            let second = try await ControlSandbox.keys(mobile: Self.mobile, path: "/mobile/backends/shop(1.0)", body: "{name: 'shop'}")
            #expect(Set([backend.id, backend.clientID, backend.clientSecret, backend.anonymousPassword]).isDisjoint(with: second))
        }
    }

    @Test("switches a backend's methods of authentication and keeps its keys (R5, R7)")
    func switches() async throws {
        try await run { control async throws in
            let before = try await control.send(.get, "/mobile/backends/app(1.0)")
            let off = try await control.send(.put, "/mobile/backends/app(1.0)", "{name: 'app', oauth: false, basic: false}")
            #expect(off.status == 200)
            #expect(off.json["oauth"] == false)
            #expect(off.json["basic"] == false)
            for member in ["id", "clientID", "clientSecret", "anonymousKey"] { #expect(off.json[member] == before.json[member]) }
            // A response can be sent back as a request.
            let again = try await control.send(.put, "/mobile/backends/app(1.0)", off.json.serialized())
            #expect(again.status == 200)
            #expect(again.json == off.json)
            let listed = try await control.send(.get, "/mobile/backends").json["backends"]
            #expect(listed == .array([off.json]))
            #expect(try await control.send(.delete, "/mobile/backends/app(1.0)").status == 200)
            let gone = try await control.send(.get, "/mobile/backends/app(1.0)")
            #expect(gone.status == 404)
            #expect(gone.error == "unknown_backend")
        }
    }

    @Test("regenerates secrets, all or some (R5, R7)")
    func regeneration() async throws {
        try await run { control async throws in
            let path = "/mobile/backends/app(1.0)/regenerate"
            let before = try await control.send(.get, "/mobile/backends/app(1.0)").json
            let secret = try await control.send(.post, path, "{\"keys\": [\"clientSecret\"]}").json
            #expect(secret["clientSecret"] != before["clientSecret"])
            #expect(secret["anonymousKey"] == before["anonymousKey"])
            let all = try await control.send(.post, path).json
            #expect(all["clientSecret"] != secret["clientSecret"])
            #expect(all["anonymousKey"] != secret["anonymousKey"])
            #expect(all["id"] == before["id"])
            #expect(all["clientID"] == before["clientID"])
            #expect(try await control.send(.post, path, "{\"keys\": [\"id\"]}").error == "malformed_member")
            #expect(try await control.send(.get, path).status == 405)
            #expect(try await control.send(.post, "/mobile/backends/none(1.0)/regenerate").error == "unknown_backend")
        }
    }

    @Test("gives a user who is created again a new identifier, and keeps the others (R138)")
    func identifiers() async throws {
        try await run { control async throws in
            let path = "/mobile/realms/Default(1.0)"
            func id(_ name: String) -> String? { control.cloud.directory.mobile.realms["Default(1.0)"]?.user(named: name)?.id }
            _ = try await control.send(.put, path + "/users/ann", "{username: 'ann'}")
            let (ann, joe) = (id("ann"), id("joe"))
            #expect(
                try await control.send(.put, path, "{name: 'Default', users: [{username: 'ann'}, {username: 'joe'}, {username: 'new'}]}")
                    .status == 200)
            #expect(id("ann") == ann)
            #expect(id("joe") == joe)
            #expect(ann != nil)
            #expect(try await control.send(.delete, path + "/users/ann").status == 200)
            #expect(try await control.send(.put, path + "/users/ann", "{username: 'ann'}").status == 201)
            #expect(id("ann") != nil)
            #expect(id("ann") != ann)
        }
    }

    @Test("stores users of realms, each under the name in the path (R97, R101)")
    func users() async throws {
        try await run { control async throws in
            let path = "/mobile/realms/Default(1.0)/users"
            let made = try await control.send(
                .put, path + "/jos%C3%A9", "{username: 'josé', roles: ['Manager'], properties: {office: '1'}}")
            #expect(made.status == 201)
            #expect(made.json["username"] == "josé")
            #expect(made.json["id"]?.stringValue?.count == 36)
            let changed = try await control.send(.put, path + "/jos%C3%A9", "{username: 'josé', email: 'j@example.com'}")
            #expect(changed.status == 200)
            #expect(changed.json["id"] == made.json["id"])
            #expect(changed.json["roles"] == [])
            #expect(control.cloud.directory.mobile.realms["Default(1.0)"]?.user(mail: "J@example.com")?.username == "josé")
            #expect(try await control.send(.get, path).json["users"]?.arrayValue?.map { $0["username"] } == ["joe", "josé"])
            #expect(try await control.send(.get, path + "/joe").json["password"] == "p")
            #expect(try await control.send(.delete, path + "/joe").status == 200)
            let gone = try await control.send(.get, path + "/joe")
            #expect(gone.status == 404)
            #expect(gone.error == "unknown_user")
            #expect(try await control.send(.put, path + "/a", "{username: 'b'}").error == "malformed_user")
            #expect(try await control.send(.put, path + "/a", "{username: 'a', properties: {x: 1}}").error == "malformed_user")
            #expect(
                try await control.send(.put, path + "/a", "{username: 'a', id: '\(made.json["id"]?.stringValue ?? "")'}").error
                    == "inconsistent")
            #expect(try await control.send(.put, "/mobile/realms/None(1.0)/users/a", "{username: 'a'}").error == "unknown_realm")
        }
    }

    @Test(
        "stores parts by name, returns them unchanged, and removes them",
        arguments: [
            (
                "/mobile/realms/Partners(2.0)",
                """
                {name: 'Partners', version: '2.0', properties: ['a'], users: [{username: 'u', email: 'e', properties: {a: 1}}],
                 signOn: {openIDConnect: {issuer: 'https://i.example', clientID: 'c'}}}
                """
            ),
            ("/mobile/realms/Saml(1.0)", "{name: 'Saml', signOn: {saml: {identityProvider: 'company', userMappingAttribute: 'mail'}}}"),
            (
                "/mobile/apis/lifts(1.0)",
                """
                {name: 'lifts', access: 'social', endpoints: [
                    {path: '/{id}', template: '{{path.id}}', headers: {a: 'b'}, status: 201},
                    {method: '*', path: '/x', forward: 'http://localhost:1/'}]}
                """
            ),
            ("/mobile/certificates/idp", "{alias: 'idp', identityProvider: 'company'}"),
            (
                "/mobile/saml-issuers/https%3A%2F%2Fidp.example%2Fsaml",
                """
                {name: 'https://idp.example/saml', certificateSubjectNames: ['CN=x'], virtualUserEnabled: true, userAttribute: 'mail',
                 roleAttributes: ['r'], roleMappings: [{tokenRole: 'a', mappedRoles: ['Manager']}], defaultRoles: ['Technician']}
                """
            ),
            ("/mobile/collections/notes", "{id: 'notes', userIsolated: true, bucket: 'box', permissions: {READ_ALL: ['Manager']}}"),
            ("/mobile/team-members/sven", "{name: 'sven', password: 's', roles: ['Mobile_DbMgmt']}"),
        ] as [(String, String)])
    func parts(path: String, body: String) async throws {
        try await run { control async throws in
            let made = try await control.send(.put, path, body)
            #expect(made.status == 201, "\(made.json)")
            #expect(try await control.send(.get, path).json == made.json)
            let again = try await control.send(.put, path, made.json.serialized())
            #expect(again.status == 200, "\(again.json)")
            #expect(again.json == made.json, "\(again.json)")
            #expect(try await control.send(.post, path, body).status == 405)
            #expect(try await control.send(.delete, path).status == 200)
            #expect(try await control.send(.get, path).status == 404)
            #expect(try await control.send(.delete, path).status == 404)
        }
    }

    @Test(
        "refuses missing names, and the removal of parts that others refer to",
        arguments: [
            ("PUT", "/mobile/backends/b(1.0)", "{name: 'b', realm: 'None(1.0)'}", "backends/b(1.0).realm"),
            ("PUT", "/mobile/backends/app(2.0)", "{name: 'app', version: '2.0', clientID: 'taken'}", "clientID"),
            ("PUT", "/mobile/realms/Default(1.0)/users/x", "{username: 'x', roles: ['None']}", "realms/Default(1.0).users[1].roles[0]"),
            ("PUT", "/mobile/realms/R(1.0)", "{name: 'R', signOn: {saml: {identityProvider: 'google'}}}", "signOn.saml.identityProvider"),
            ("PUT", "/mobile/apis/a(1.0)", "{name: 'a', endpoints: [{path: '/', roles: ['None']}]}", "endpoints[0].roles[0]"),
            ("PUT", "/mobile/collections/c", "{id: 'c', bucket: 'none'}", "collections[1].bucket"),
            ("PUT", "/mobile/certificates/c", "{alias: 'c', identityProvider: 'none'}", "certificates[0].identityProvider"),
            ("PUT", "/mobile/roles", #"{"roles": ["Manager"]}"#, "permissions.READ[0]"),
            ("DELETE", "/mobile/realms/Default(1.0)", "", "backends/app(1.0).realm"),
        ])
    func references(method: String, path: String, body: String, place: String) async throws {
        try await run { control async throws in
            _ = try await control.send(.put, "/mobile/backends/app(1.0)", "{name: 'app', clientID: 'taken'}")
            let before = control.cloud.directory.mobile
            let answer = try await control.send(try #require(HTTPRequest.Method(method)), path, body)
            #expect(answer.status == 409, "\(answer.json)")
            #expect(answer.error == "inconsistent", "\(answer.json)")
            #expect(answer.json["message"]?.stringValue?.contains(place) == true, "\(answer.json)")
            #expect(control.cloud.directory.mobile.realms == before.realms)
            #expect(control.cloud.directory.mobile.backends == before.backends)
        }
    }

    @Test("works although a bucket was deleted meanwhile")
    func deletedBucket() async throws {
        try await run { control async throws in
            let bucket = try #require(control.cloud.objects.bucket(named: "box"))
            try await control.cloud.objects.deleteBucket(bucket.id)
            #expect(try await control.send(.put, "/mobile/roles", #"{"roles": ["Technician", "Manager", "New"]}"#).status == 200)
            #expect(try await control.send(.put, "/mobile/collections/c", "{id: 'c', bucket: 'box'}").error == "inconsistent")
        }
    }

    @Test(
        "refuses invalid documents with a reason",
        arguments: [
            ("/mobile/backends/b(1.0)", "", "malformed_backend"), ("/mobile/backends/b(1.0)", "{name: 'c'}", "malformed_backend"),
            ("/mobile/backends/b(1.0)", "{name: 'b', colour: 1}", "malformed_backend"),
            ("/mobile/backends/b(1.0)", "{name: 'b', sso: true, oauth: false}", "malformed_backend"),
            ("/mobile/backends/b(1.0)", "{name: 'b', anonymousKey: 'x'}", "malformed_backend"),
            ("/mobile/backends/b(1.0)", "{name: 'b', anonymousKey: 'dTpw', anonymousUser: 'v'}", "malformed_backend"),
            ("/mobile/realms/b(1.0)", "{name: 'b', users: [{}]}", "malformed_realm"),
            ("/mobile/apis/b(1.0)", "{name: 'b', access: 'x'}", "malformed_api"),
            ("/mobile/certificates/b", "{alias: 'b', pem: 'x'}", "malformed_certificate"),
            ("/mobile/saml-issuers/b", "{name: 'b'}", "malformed_saml_issuer"),
            ("/mobile/collections/b", "{id: 'b'}", "malformed_collection"),
            ("/mobile/team-members/b", "{name: 'b'}", "malformed_team_member"),
            ("/mobile/locations", "{rooms: []}", "malformed_locations"), ("/mobile/roles", "{\"roles\": [1]}", "malformed_member"),
            ("/mobile/roles", "{\"roles\": [\"a\", \"a\"]}", "malformed_member"), ("/mobile/roles", "[]", "malformed_body"),
            ("/mobile/things", "{}", "unknown_path"), ("/mobile", "{}", "unknown_path"), ("/mobile/backends/a/b", "{}", "unknown_path"),
            ("/mobile/roles/x", "{}", "unknown_path"), ("/mobile/backends", "{}", "method_not_allowed"),
            ("/mobile/devices", "{}", "method_not_allowed"), ("/mobile/events", "{}", "method_not_allowed"),
        ])
    func refusals(path: String, body: String, error: String) async throws {
        try await run { control async throws in
            #expect(try await control.send(.put, path, body).error == error)
        }
    }

    @Test("reads and writes roles and locations as a whole")
    func wholes() async throws {
        try await run { control async throws in
            #expect(try await control.send(.get, "/mobile/roles").json["roles"] == ["Technician", "Manager"])
            let roles = try await control.send(.put, "/mobile/roles", #"{"roles": ["Manager", "Technician", "Guest"]}"#)
            #expect(roles.json["roles"] == ["Manager", "Technician", "Guest"])
            let locations = try await control.send(.put, "/mobile/locations", "{places: [{id: 1, name: 'a'}]}")
            #expect(locations.json["places"] == [["id": 1, "name": "a"]])
            #expect(locations.json["devices"] == [])
            #expect(try await control.send(.put, "/mobile/locations", "{places: [{id: 1}, {id: 1}]}").error == "inconsistent")
        }
    }

    @Test("lists devices, events and notifications, of all backends or of one")
    func contents() async throws {
        try await run { control async throws in
            let backend = try #require(control.cloud.directory.mobile.backends["app(1.0)"])
            let now = control.cloud.clock.now
            let device = MobileDevice(
                id: "d", backend: backend.id, client: .init(id: "c", version: nil, platform: .web), notificationToken: "t",
                notificationProvider: nil, user: "joe", modified: now)
            _ = try await control.cloud.mobileDevices.register(device)
            try await control.cloud.mobileEvents.append(
                ["a", "b"].map { name in
                    MobileEvent(backend: backend.id, received: now, content: ["name": .string(name)])
                })
            let devices = try await control.send(.get, "/mobile/devices").json["devices"]?.arrayValue
            #expect(devices?.map { $0["user"] } == ["joe"])
            #expect(devices?.first?["backend"] == "app(1.0)")
            let events = try await control.send(.get, "/mobile/events?limit=1&backend=app(1.0)").json["events"]?.arrayValue
            #expect(events?.map { $0["event"] } == [["name": "b"]])
            #expect(events?.first?["backend"] == "app(1.0)")
            _ = try await control.cloud.mobileNotifications.add(
                ["message": "hi"], for: backend.id, sendOn: nil, recipients: ["WEB": 1], at: now)
            let notifications = try await control.send(.get, "/mobile/notifications").json["notifications"]?.arrayValue
            #expect(notifications?.map { $0["order"] } == [["message": "hi"]])
            #expect(notifications?.first?["recipients"] == ["WEB": 1])
            #expect(try await control.send(.get, "/mobile/events?backend=none").error == "unknown_backend")
            #expect(try await control.send(.get, "/mobile/events?limit=0").error == "malformed_member")
        }
    }
}
