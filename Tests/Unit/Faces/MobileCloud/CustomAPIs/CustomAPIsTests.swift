import Calls
import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Custom APIs (R126, R140)")
struct CustomAPIsTests {
    static let seed = """
        roles: ["Technician", "Manager"], backends: [{name: "app", apis: "all"}, {name: "part", apis: ["versions(1.9)", "work"]}, {name: "bare"}],
        realms: [{name: "Default", users: [
            {username: "erika", password: "secret", email: "erika@example.com", firstName: "Erika", roles: ["Technician"]},
        ]}],
        customAPIs: [
            {name: "orders", access: "open", endpoints: [
                {path: "/", body: {items: []}, headers: {"X-Part": "1", "Cache-Control": "no-store"}},
                {path: "/{id}", template: {id: "{{path.id}}", by: "{{user.username}}", size: "{{query.size}}"}},
                {path: "/special", body: "special"}, {method: "POST", path: "/", status: 201, template: "{\\"n\\": {{body.lines.count}}}"},
                {method: "DELETE", path: "/{id}", status: 204}, {method: "*", path: "/any/*", template: "{{method}} {{header.X-One}}"},
                {path: "/me", caller: true}, {path: "/teapot", status: 418, headers: {"Content-Type": "text/tea"}, body: "short"},
            ]},
            {name: "versions", access: "open", version: "1.9", endpoints: [{path: "/", body: "old"}]},
            {name: "versions", access: "open", version: "1.10", endpoints: [{path: "/", body: "new"}]},
            {name: "work", endpoints: [{path: "/", body: "work"}, {path: "/plan", roles: ["Manager"], body: "plan"}]},
        ]
        """

    @Test("return the response that the endpoint defines")
    func fixed() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let caller = try mobile.customCode()
            let list = try await mobile.get("/mobile/custom/orders", caller)
            #expect(list.status == 200)
            #expect(list.text == #"{"items":[]}"#)
            #expect(list.fields[.contentType] == "application/json")
            #expect(list.fields[.cacheControl] == "no-store")
            // The SDK strips a trailing slash; other clients do not.
            #expect(try await mobile.get("/mobile/custom/orders/", caller).text == list.text)
            let special = try await mobile.get("/mobile/custom/orders/special", caller)
            #expect(special.text == "special")
            #expect(special.fields[.contentType] == "text/plain; charset=utf-8")
            let teapot = try await mobile.get("/mobile/custom/orders/teapot", caller)
            #expect(teapot.status == 418)
            #expect(teapot.fields[.contentType] == "text/tea")
            let gone = try await mobile.send(.delete, "/mobile/custom/orders/7", fields: caller)
            #expect(gone.status == 204)
            #expect(gone.bytes.isEmpty)
            #expect(gone.fields[.contentType] == nil)
            #expect(list.entry.operation == "CallCustomAPI")
            #expect(list.entry.decisions.first?.allowed == true)
        }
    }

    @Test("fill in templates")
    func templates() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let erika = try mobile.customCode(user: "erika")
            let order = try await mobile.get("/mobile/custom/orders/a%22b?size=x%20l", erika)
            #expect(order.json == ["id": "a\"b", "by": "erika", "size": "x l"])
            let made = try await mobile.send(.post, "/mobile/custom/orders", #"{"lines": {"count": 3}}"#, fields: erika)
            #expect(made.status == 201)
            #expect(made.json == ["n": 3])
            #expect(try await mobile.send(.post, "/mobile/custom/orders", "no JSON", fields: erika).json == ["n": nil])
            var fields = erika
            fields[HTTPField.Name(literal: "X-One")] = "1"
            #expect(try await mobile.send(.patch, "/mobile/custom/orders/any/thing/else", fields: fields).text == "PATCH 1")
        }
    }

    @Test("return the caller")
    func caller() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let backend = try mobile.backend()
            let erika = try await mobile.get("/mobile/custom/orders/me", try mobile.customCode(user: "erika"))
            #expect(erika["kind"] == "user")
            #expect(erika["username"] == "erika")
            #expect(erika.json["roles"] == ["Technician"])
            #expect(erika.json["backend"]?["id"]?.stringValue == backend.id)
            #expect(erika.entry.caller == "erika")
            let nobody = try await mobile.get("/mobile/custom/orders/me", try mobile.customCode())
            #expect(nobody["kind"] == "anonymous")
            #expect(nobody.json["roles"] == [])
            #expect(nobody.entry.caller == nil)
            let virtual = try await mobile.get(
                "/mobile/custom/orders/me", try mobile.customCode(.virtual(name: "vera", issuer: "i"), roles: ["B", "A"]))
            #expect(virtual["issuer"] == "i")
            #expect(virtual.json["roles"] == ["A", "B"])
            let social = MobileCaller.SocialUser(provider: "facebook", id: "12", name: "Sol", accessToken: "secret")
            let facebook = try await mobile.get("/mobile/custom/orders/me", try mobile.customCode(.social(social)))
            #expect(facebook["identityProvider"] == "facebook")
            #expect(facebook["id"] == "12")
            #expect(!facebook.text.contains("secret"))
        }
    }

    @Test("are answered in the requested version, or else in the newest")
    func versions() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            var fields = try mobile.customCode()
            #expect(try await mobile.get("/mobile/custom/versions", fields).text == "new")
            fields[.apiVersion] = "1.9"
            #expect(try await mobile.get("/mobile/custom/versions", fields).text == "old")
            fields[.apiVersion] = "2.0"
            let missing = try await mobile.get("/mobile/custom/versions", fields)
            #expect(missing.status == 404)
            #expect(missing.errorCode == MobileErrorKind.unknownPath.code)
        }
    }

    @Test("are those that the backend offers, in the newest version that it offers (R139)")
    func offered() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let part = try HTTPFields.anonymous(mobile.backend("part"))
            #expect(try await mobile.get("/mobile/custom/versions", part).text == "old")
            let missing = try await mobile.get("/mobile/custom/orders", part)
            #expect(missing.status == 404)
            #expect(missing.errorCode == MobileErrorKind.unknownPath.code)
            #expect(missing["detail"] == "The mobile backend part(1.0) does not have the custom API orders(1.0) among its APIs.")
            var newer = part
            newer[.apiVersion] = "1.10"
            #expect(try await mobile.get("/mobile/custom/versions", newer).status == 404)
            // A name without a version offers every version.
            #expect(try await mobile.get("/mobile/custom/work", part).status == 401)
            #expect(try await mobile.get("/mobile/custom/work", .basic("erika:secret", mobile.backend("part"))).text == "work")
            let bare = try HTTPFields.anonymous(mobile.backend("bare"))
            for api in ["orders", "versions", "work"] {
                #expect(try await mobile.get("/mobile/custom/\(api)", bare).status == 404)
            }
        }
    }

    @Test("are not found if API, path or method does not exist")
    func unknown() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let caller = try mobile.customCode()
            let api = try await mobile.get("/mobile/custom/nothing/at/all", caller)
            #expect(api.status == 404)
            #expect(api.errorCode == MobileErrorKind.unknownPath.code)
            let path = try await mobile.get("/mobile/custom/orders/7/lines", caller)
            #expect(path.status == 404)
            #expect(path.errorCode == MobileErrorKind.unknownResource.code)
            let method = try await mobile.send(.put, "/mobile/custom/orders/7", fields: caller)
            #expect(method.status == 405)
            #expect(method.errorCode == MobileErrorKind.methodNotAllowed.code)
            #expect(method.fields[.allow] == "DELETE, GET, HEAD, OPTIONS")
            #expect(try await mobile.send(.head, "/mobile/custom/orders/special", fields: caller).status == 200)
            #expect(try await mobile.get("/mobile/custom", caller).status == 404)
        }
    }

    @Test("require a caller, and refuse one without permission")
    func access() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            #expect(try await mobile.get("/mobile/custom/orders").status == 401)
            let nobody = try await mobile.get("/mobile/custom/work", try mobile.customCode())
            #expect(nobody.status == 401)
            #expect(nobody.errorCode == MobileErrorKind.notAuthenticated.code)
            let erika = try mobile.customCode(user: "erika")
            #expect(try await mobile.get("/mobile/custom/work", erika).text == "work")
            let plan = try await mobile.get("/mobile/custom/work/plan", erika)
            #expect(plan.status == 403)
            #expect(plan.errorCode == MobileErrorKind.roleRequired.code)
            #expect(plan.entry.decisions.map(\.allowed) == [false])
            #expect(plan["detail"]?.contains("erika asks for mobile:CallCustomAPI on work(1.0) GET /plan") == true)
            #expect(plan["detail"]?.contains("policy has [\"Manager\"], request has \"Technician\"") == true)
            let manager = try mobile.customCode(.virtual(name: "vera", issuer: "i"), roles: ["Manager"])
            #expect(try await mobile.get("/mobile/custom/work/plan", manager).text == "plan")
        }
    }

    @Test("have no endpoint for the methods of connections", arguments: [HTTPRequest.Method.connect, .trace])
    func connection(method: HTTPRequest.Method) {
        let endpoint = CustomAPI.Endpoint(method: "*", path: "/*", roles: [], answer: .caller)
        let api = CustomAPI(name: "any", version: "1.0", access: .open, endpoints: [endpoint])
        let error = #expect(throws: MobileError.self) { try CustomAPIs.endpoint(of: api, method: method, path: ["x"]) }
        #expect(error?.kind == .methodNotAllowed)
    }
}
