import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// Paths, statuses and texts are Keycloak's (Admin REST API).
@Suite("Clients, roles, groups and realms in Keycloak's Admin API")
struct AdminRealmTests {
    @Test("a client is created, gets tokens, roles and mappers, and is deleted")
    func clients() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let id = try await admin.create(
            "/works/clients", ["clientId": "courier", "serviceAccountsEnabled": true, "redirectUris": ["http://localhost:9/cb"]])
        let client = try await admin.get("/works/clients/\(id)")
        #expect(client["clientId"] == "courier")
        #expect(client["serviceAccountsEnabled"] == true)
        let secret = try #require(try await admin.get("/works/clients/\(id)/client-secret")["value"]?.stringValue)
        #expect(client["secret"]?.stringValue == secret)
        let user = try await admin.get("/works/clients/\(id)/service-account-user")
        #expect(user["username"] == "service-account-courier")

        let role = try await admin.create("/works/clients/\(id)/roles", ["name": "deliver"])
        #expect(role == "deliver")
        let userID = try #require(user["id"]?.stringValue)
        let roles: JSONValue = [try await admin.get("/works/clients/\(id)/roles/deliver")]
        try await admin.change(.post, "/works/users/\(userID)/role-mappings/clients/\(id)", roles)
        _ = try await admin.create(
            "/works/clients/\(id)/protocol-mappers/models",
            [
                "name": "audience", "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper",
                "config": ["included.custom.audience": "post-office", "access.token.claim": "true"],
            ])
        let answer = try await Visitor(admin.cloud, base: "/realms/").post(
            "works/protocol/openid-connect/token",
            ["client_id": "courier", "client_secret": secret, "grant_type": "client_credentials"])
        let claims = try JSONWebToken(parsing: try #require(answer.json["access_token"]?.stringValue)).claims
        #expect(claims["sub"]?.stringValue == userID)
        #expect(claims["resource_access"]?["courier"]?["roles"] == ["deliver"])
        #expect(claims["aud"]?.arrayValue?.first == "post-office")

        try await admin.change(.put, "/works/clients/\(id)", ["name": "The courier"])
        #expect(try await admin.get("/works/clients/\(id)")["name"] == "The courier")
        #expect(try await admin.get("/works/clients/\(id)/client-secret")["value"]?.stringValue == secret)
        #expect(try await admin.send(.post, "/works/clients", ["clientId": "courier"]).status == 409)
        let refused = try await admin.send(.post, "/works/clients", ["clientId": "x", "fullScopeAllowed": false])
        #expect(refused.status == 501)
        #expect(refused.json["error"]?.stringValue?.contains("fullScopeAllowed") == true)
        try await admin.change(.delete, "/works/clients/\(id)")
        #expect(try await admin.send(.get, "/works/clients/\(id)").status == 404)
        #expect(try await admin.get("/works/clients?clientId=courier") == [])
    }

    @Test("the mappers of a realm file add claims to tokens")
    func mappers() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let answer = try await admin.tokens(of: "dora", password: "dora-password", scope: "openid sites")
        for name in ["access_token", "id_token"] {
            let claims = try JSONWebToken(parsing: try #require(answer.json[name]?.stringValue)).claims
            #expect(claims["groups"] == ["/floor/leads"])
            #expect(claims["roles"]?.arrayValue?.contains("foreman") == true)
            #expect(claims["org"]?["tenant"] == 7)
            #expect(claims["department"] == "steel")
            // An attribute of the group above hers.
            #expect(claims["site"] == "north")
            if name == "access_token" { #expect(claims["aud"]?.arrayValue?.contains("orders-api") == true) }
        }
    }

    @Test("roles are created with composites, renamed where they are assigned, and deleted")
    func roles() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        #expect(try await admin.create("/works/roles", ["name": "chief", "description": "Leads all"]) == "chief")
        try await admin.change(.post, "/works/roles/chief/composites", [try await admin.get("/works/roles/foreman")])
        #expect(try await admin.get("/works/roles/chief")["composite"] == true)
        #expect(try await admin.get("/works/roles/chief/composites").arrayValue?.first?["name"] == "foreman")
        let dora = "c0ffee00-0000-4000-8000-000000000004"
        try await admin.change(.post, "/works/users/\(dora)/role-mappings/realm", [try await admin.get("/works/roles/chief")])
        try await admin.change(.put, "/works/roles/chief", ["name": "boss"])
        #expect(try await admin.get("/works/roles/boss/users").arrayValue?.first?["username"] == "dora")
        #expect(try await admin.send(.post, "/works/roles", ["name": "boss"]).status == 409)
        try await admin.change(.delete, "/works/roles/boss")
        let missing = try await admin.send(.get, "/works/roles/boss")
        #expect(missing.status == 404)
        #expect(missing.json["error"] == "Could not find role")
        #expect(try await admin.send(.delete, "/works/roles/offline_access").status == 501)
    }

    @Test("groups have children, and keep their members when they are renamed")
    func groups() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let top = try await admin.create("/works/groups", ["name": "office"])
        let child = try await admin.create("/works/groups/\(top)/children", ["name": "accounts"])
        #expect(try await admin.get("/works/groups/\(child)")["path"] == "/office/accounts")
        #expect(try await admin.get("/works/groups/\(top)")["subGroupCount"] == 1)
        #expect(try await admin.get("/works/groups/\(top)/children").arrayValue?.count == 1)
        let dora = "c0ffee00-0000-4000-8000-000000000004"
        try await admin.change(.put, "/works/users/\(dora)/groups/\(child)")
        try await admin.change(.put, "/works/groups/\(top)", ["name": "bureau"])
        let paths = try await admin.get("/works/users/\(dora)/groups").arrayValue?.compactMap { $0["path"]?.stringValue }
        #expect(paths?.contains("/bureau/accounts") == true)
        let found = try await admin.get("/works/groups?search=acc")
        #expect(found.arrayValue?.first?["subGroups"]?.arrayValue?.first?["name"] == "accounts")
        let twice = try await admin.send(.post, "/works/groups", ["name": "bureau"])
        #expect(twice.json == ["errorMessage": "Top level group named 'bureau' already exists."])
        try await admin.change(.delete, "/works/groups/\(top)")
        #expect(try await admin.get("/works/groups/count") == ["count": 2])
        #expect(try await admin.get("/works/users/\(dora)/groups").arrayValue?.count == 1)
    }

    @Test("realms are listed, created and deleted")
    func realms() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        #expect(try await admin.create("", ["realm": "yard", "enabled": true, "users": [["username": "zoe"]]]) == "yard")
        #expect(try await admin.get("").arrayValue?.compactMap { $0["realm"]?.stringValue } == ["master", "works", "yard"])
        #expect(try await admin.get("/yard")["realm"] == "yard")
        #expect(try await admin.get("/yard/users").arrayValue?.first?["username"] == "zoe")
        #expect(try await admin.send(.post, "", ["realm": "yard"]).status == 409)
        try await admin.change(.delete, "/yard")
        let missing = try await admin.send(.get, "/yard")
        #expect(missing.status == 404)
        #expect(missing.json["error"] == "Realm not found.")
    }

    @Test("settings of a realm are changed by what clients read before")
    func settings() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        var settings = try #require(try await admin.get("/works").objectValue)
        #expect(settings["registrationAllowed"] == false)
        settings["accessTokenLifespan"] = 120
        settings["registrationAllowed"] = true
        settings["revokeRefreshToken"] = true
        settings["defaultSignatureAlgorithm"] = "ES256"
        try await admin.change(.put, "/works", .object(settings))
        let changed = try await admin.get("/works")
        #expect(changed["accessTokenLifespan"] == 120)
        #expect(changed["registrationAllowed"] == true)
        #expect(changed["revokeRefreshToken"] == true)
        #expect(changed["defaultSignatureAlgorithm"] == "ES256")
        // Clients and users are no settings.
        try await admin.change(.put, "/works", ["sslRequired": "none", "users": [], "clients": [], "registrationAllowed": false])
        #expect(try await admin.get("/works")["registrationAllowed"] == false)
        #expect(try await admin.get("/works")["accessTokenLifespan"] == 120)
        #expect(try await admin.get("/works/users/count") != 0)
        let answer = try await admin.tokens(of: "dora", password: "dora-password")
        #expect(answer.json["expires_in"] == 120)
        let others: [(String, JSONValue)] = [
            ("bruteForceProtected", true), ("ssoSessionIdleTimeout", 5), ("realm", "other"), ("loginWithEmailAllowed", false),
        ]
        for (setting, value) in others {
            let refused = try await admin.send(.put, "/works", [setting: value])
            #expect(refused.status == 501, "\(setting)")
            let words = setting == "realm" ? "another name" : setting
            #expect(refused.json["error"]?.stringValue?.contains(words) == true, "\(refused.body)")
        }
    }

    @Test("the roles of a client that a role includes are listed")
    func composites() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let client = try await admin.create("/works/clients", ["clientId": "courier"])
        _ = try await admin.create("/works/clients/\(client)/roles", ["name": "deliver"])
        _ = try await admin.create("/works/clients/\(client)/roles", ["name": "carry"])
        let deliver = try await admin.get("/works/clients/\(client)/roles/deliver")
        _ = try await admin.create("/works/roles", ["name": "chief"])
        let chief = try await admin.get("/works/roles/chief")
        let id = try #require(chief["id"]?.stringValue)
        try await admin.change(.post, "/works/roles/chief/composites", [deliver, try await admin.get("/works/roles/foreman")])
        try await admin.change(.post, "/works/clients/\(client)/roles/carry/composites", [deliver])
        for path in ["roles/chief", "roles-by-id/\(id)", "clients/\(client)/roles/carry"] {
            let found = try await admin.get("/works/\(path)/composites/clients/\(client)").arrayValue
            #expect(found?.compactMap { $0["name"]?.stringValue } == ["deliver"], "\(path)")
        }
        #expect(try await admin.get("/works/roles-by-id/\(id)/composites/realm").arrayValue?.count == 1)
        #expect(try await admin.send(.get, "/works/roles/chief/composites/clients/none").status == 404)
    }

    @Test("every user is logged out, and nothing is cached")
    func realmCalls() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let tokens = try await admin.tokens(of: "dora", password: "dora-password")
        let refresh = try #require(tokens.json["refresh_token"]?.stringValue)
        let ended = try await admin.send(.post, "/works/logout-all")
        #expect(ended.status == 200)
        #expect(ended.json == [:])
        let answer = try await Visitor(admin.cloud, base: "/realms/").post(
            "works/protocol/openid-connect/token",
            ["client_id": "portal", "client_secret": "portal-secret", "grant_type": "refresh_token", "refresh_token": refresh])
        #expect(answer.status == 400)
        for cache in ["realm", "user", "keys", "crl"] { try await admin.change(.post, "/works/clear-\(cache)-cache") }
    }

    @Test("the profile of users allows every attribute, and no other is accepted")
    func userProfile() async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let profile = try await admin.get("/works/users/profile")
        #expect(profile["unmanagedAttributePolicy"] == "ENABLED")
        let names = profile["attributes"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == ["username", "email", "firstName", "lastName"])
        #expect(try await admin.send(.put, "/works/users/profile", profile).json == profile)
        let others: [(JSONValue, String)] = [
            (["attributes": []], "unmanagedAttributePolicy DISABLED"),
            (["unmanagedAttributePolicy": "ENABLED", "attributes": [["name": "site"]]], "site"),
            (
                ["unmanagedAttributePolicy": "ENABLED", "attributes": [["name": "email", "required": ["roles": ["user"]]]]],
                "required of the attribute email"
            ),
        ]
        for (other, words) in others {
            let refused = try await admin.send(.put, "/works/users/profile", other)
            #expect(refused.status == 501)
            #expect(refused.json["error"]?.stringValue?.contains(words) == true, "\(refused.body)")
        }
    }

    @Test(
        "calls that are missing name themselves",
        arguments: [
            ("/works/events", "events"), ("/works/components", "components"), ("/works/authentication/flows", "flows"),
            ("/works/client-scopes", "client scopes"), ("/works/nothing", "/works/nothing"),
        ])
    func absent(path: String, name: String) async throws {
        let admin = try await Administrator(try await Administrator.sandbox())
        let answer = try await admin.send(.get, path)
        #expect(answer.status == 501)
        #expect(answer.json["error"]?.stringValue?.contains(name) == true)
    }

    @Test("callers need a token and a role, and the API needs to be open")
    func access() async throws {
        let cloud = try await Administrator.sandbox()
        var admin = try await Administrator(cloud)
        let token = admin.token
        admin.token = nil
        #expect(try await admin.send(.get, "/works/users").status == 401)
        admin.token = "x"
        #expect(try await admin.send(.get, "/works/users").status == 401)
        admin.token = token
        admin.isOpen = false
        #expect(try await admin.send(.get, "/works/users").status == 403)

        // A service account with roles of its own realm.
        let robot = try await Administrator(
            cloud, realm: "works", ["client_id": "robot", "client_secret": "robot", "grant_type": "client_credentials"])
        #expect(try await robot.send(.get, "/works/users").status == 200)
        #expect(try await robot.send(.get, "/works/clients").status == 403)
        #expect(try await robot.send(.get, "").status == 403)
        #expect(try await robot.send(.get, "/master/users").status == 403)

        // A person without roles.
        let dora = try await Administrator(
            cloud, realm: "works",
            [
                "client_id": "portal", "client_secret": "portal-secret", "grant_type": "password", "username": "dora",
                "password": "dora-password",
            ])
        #expect(try await dora.send(.get, "/works/users").status == 403)
    }
}
