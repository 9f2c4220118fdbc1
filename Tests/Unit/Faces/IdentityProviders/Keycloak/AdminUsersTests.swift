import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// Paths, statuses and texts are Keycloak's (Admin REST API).
@Suite("Users in Keycloak's Admin API")
struct AdminUsersTests {
    private let carol: JSONValue = [
        "username": "Carol", "enabled": true, "email": "carol@works.example", "emailVerified": true, "firstName": "Carol",
        "attributes": ["department": ["glass"]], "groups": ["/floor"],
        "credentials": [["type": "password", "value": "carol-password", "temporary": false]],
    ]

    @Test("are created, found, changed and deleted")
    func lifecycle() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let id = try await admin.create("/works/users", carol)
        let user = try await admin.get("/works/users/\(id)")
        #expect(user["username"] == "carol")
        #expect(user["firstName"] == "Carol")
        #expect(user["attributes"] == ["department": ["glass"]])
        #expect(user["createdTimestamp"]?.integerValue != nil)
        #expect(try await admin.tokens(of: "carol", password: "carol-password").status == 200)

        #expect(try await admin.get("/works/users/count") == 4)
        for query in ["username=carol&exact=true", "search=car", "search=*rol", "email=CAROL", "q=department:glass", "firstName=aro"] {
            let found = try await admin.get("/works/users?\(query)")
            #expect(found.arrayValue?.compactMap { $0["username"]?.stringValue } == ["carol"], "\(query)")
        }
        #expect(try await admin.get("/works/users?username=caro&exact=true") == [])
        #expect(
            try await admin.get("/works/users?first=1&max=2").arrayValue?.compactMap { $0["username"]?.stringValue } == ["dora", "emil"])
        #expect(try await admin.get("/works/users?first=4&max=100") == [])

        try await admin.change(.put, "/works/users/\(id)", ["lastName": "Jones", "attributes": ["site": ["south"]]])
        let changed = try await admin.get("/works/users/\(id)")
        #expect(changed["firstName"] == "Carol")
        #expect(changed["lastName"] == "Jones")
        #expect(changed["attributes"] == ["site": ["south"]])
        #expect(try await admin.get("/works/users/\(id)/groups").arrayValue?.compactMap { $0["path"]?.stringValue } == ["/floor"])

        try await admin.change(.put, "/works/users/\(id)", ["enabled": false])
        let refused = try await admin.tokens(of: "carol", password: "carol-password")
        #expect(refused.json["error_description"] == "Account disabled")

        try await admin.change(.delete, "/works/users/\(id)")
        let missing = try await admin.send(.get, "/works/users/\(id)")
        #expect(missing.status == 404)
        #expect(missing.json["error"] == "User not found")
    }

    @Test("keep their names and mail addresses for themselves")
    func conflicts() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let name = try await admin.send(.post, "/works/users", ["username": "dora"])
        #expect(name.status == 409)
        #expect(name.json == ["errorMessage": "User exists with same username"])
        let mail = try await admin.send(.post, "/works/users", ["username": "d", "email": "DORA@works.example"])
        #expect(mail.status == 409)
        #expect(mail.json == ["errorMessage": "User exists with same email"])
        #expect(try await admin.send(.post, "/works/users", ["enabled": true]).status == 400)
    }

    @Test("get new passwords, and must change temporary ones")
    func passwords() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let id = try await admin.create("/works/users", carol)
        try await admin.change(
            .put, "/works/users/\(id)/reset-password", ["type": "password", "value": "temporary", "temporary": true])
        let refused = try await admin.tokens(of: "carol", password: "temporary")
        #expect(refused.status == 400)
        #expect(refused.json["error_description"] == "Account is not fully set up")
        try await admin.change(.put, "/works/users/\(id)/reset-password", ["type": "password", "value": "final", "temporary": false])
        #expect(try await admin.tokens(of: "carol", password: "final").status == 200)
        #expect(try await admin.tokens(of: "carol", password: "temporary").status == 401)
        #expect(try await admin.get("/works/users/\(id)/credentials").arrayValue?.first?["type"] == "password")
    }

    @Test("log in with the hashed passwords of a realm file, and log out by an administrator")
    func logout() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let tokens = try await admin.tokens(of: "dora", password: "dora-password")
        #expect(tokens.status == 200)
        #expect(try await admin.tokens(of: "dora", password: "wrong").status == 401)
        try await admin.change(.post, "/works/users/c0ffee00-0000-4000-8000-000000000004/logout")
        let refresh = try await Visitor(admin.cloud, base: "/realms/").post(
            "works/protocol/openid-connect/token",
            [
                "client_id": "portal", "client_secret": "portal-secret", "grant_type": "refresh_token",
                "refresh_token": try #require(tokens.json["refresh_token"]?.stringValue),
            ])
        #expect(refresh.json["error"] == "invalid_grant")
    }

    @Test("have roles and groups, which their tokens contain")
    func roles() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let id = try await admin.create("/works/users", carol)
        let foreman = try await admin.get("/works/roles/foreman")
        let path = "/works/users/\(id)/role-mappings"
        try await admin.change(.post, "\(path)/realm", [foreman])
        #expect(
            try await admin.get("\(path)/realm").arrayValue?.compactMap { $0["name"]?.stringValue } == ["default-roles-works", "foreman"])
        let available = try await admin.get("\(path)/realm/available").arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        #expect(available.contains("welder"))
        #expect(!available.contains("foreman"))
        let effective = try await admin.get("\(path)/realm/composite").arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        #expect(effective.contains("employee"))

        let api = try #require(try await admin.get("/works/clients?clientId=orders-api").arrayValue?.first?["id"]?.stringValue)
        let read = try await admin.get("/works/clients/\(api)/roles/read")
        try await admin.change(.post, "\(path)/clients/\(api)", [read])
        #expect(try await admin.get(path)["clientMappings"]?["orders-api"]?["mappings"]?.arrayValue?.count == 1)

        let leads = try await admin.get("/works/group-by-path/floor/leads")["id"]?.stringValue ?? ""
        try await admin.change(.put, "/works/users/\(id)/groups/\(leads)")
        #expect(try await admin.get("/works/groups/\(leads)/members").arrayValue?.count == 2)

        let token = try await admin.tokens(of: "carol", password: "carol-password").json["access_token"]?.stringValue ?? ""
        let claims = try JSONWebToken(parsing: token).claims
        let realmRoles = claims["realm_access"]?["roles"]?.arrayValue ?? []
        #expect(realmRoles.contains("foreman"))
        #expect(realmRoles.contains("welder"))
        #expect(claims["resource_access"]?["orders-api"]?["roles"]?.arrayValue?.contains("write") == true)

        try await admin.change(.delete, "\(path)/realm", [foreman])
        try await admin.change(.delete, "/works/users/\(id)/groups/\(leads)")
        #expect(try await admin.get("\(path)/realm").arrayValue?.count == 1)
        let unknown = try await admin.send(.post, "\(path)/realm", [["name": "nobody"]])
        #expect(unknown.status == 404)
    }
}
