import Cloud
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Access to collections")
struct StorageAccessTests {
    /// Status codes of reads and writes. Each user has one role, which has the user's name.
    @Test(
        "depends on the permissions of the caller's roles (R1, R3)",
        arguments: [
            ("reader", 200, 403), ("writer", 200, 201), ("auditor", 200, 403), ("admin", 200, 201), ("guest", 403, 403),
            ("nobody", 401, 401),
        ])
    func shared(user: String, read: Int, write: Int) async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/pictures/objects/one", "x", as: "admin")
            #expect(try await storage.get("/pictures/objects/one", as: user).status == read)
            #expect(try await storage.get("/pictures/objects", as: user).status == read)
            #expect(try await storage.put("/pictures/objects/two", "x", as: user).status == write)
            #expect(try await storage.send(.post, "/pictures/objects", "x", as: user).status == write)
            #expect(try await storage.send(.delete, "/pictures/objects/one", as: user).status == (write == 201 ? 204 : write))
        }
    }

    @Test(
        "is limited to the caller's own objects in isolated collections, without the permissions for all",
        arguments: [
            ("reader", 404, 403, 403, 403), ("writer", 200, 201, 403, 403), ("auditor", 404, 403, 200, 403), ("admin", 404, 201, 200, 200),
            ("guest", 403, 403, 403, 403), ("nobody", 401, 401, 401, 401),
        ])
    func isolated(user: String, own: Int, writeOwn: Int, others: Int, writeOthers: Int) async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/notes/objects/one", "mine", as: "writer")
            #expect(try await storage.get("/notes/objects/one", as: user).status == own)
            #expect(try await storage.put("/notes/objects/two", "x", as: user).status == writeOwn)
            // The writer's own space, named by its id.
            let isOwner = user == "writer"
            let target = "/notes/objects/one?user=id-writer"
            #expect(try await storage.get(target, as: user).status == (isOwner ? 200 : others))
            #expect(try await storage.put(target, "y", as: user).status == (isOwner ? 200 : writeOthers))
        }
    }

    @Test("to lists of isolated collections needs a user, and permission for that user's objects")
    func lists() async throws {
        try await StorageSandbox.run { storage async throws in
            for user in ["writer", "admin"] { _ = try await storage.put("/notes/objects/of-\(user)", "x", as: user) }
            func ids(_ answer: MobileAnswer) -> [String]? { answer.json["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue } }
            let own = try await storage.get("/notes/objects", as: "writer")
            #expect(own.status == 200)
            #expect(ids(own) == ["of-writer"])
            let item = own.json["items"]?.arrayValue?.first
            #expect(item?["user"] == "id-writer")
            #expect(item?["links"]?.arrayValue?.map { $0["href"]?.stringValue?.contains("?user=id-writer") } == [true, false])
            #expect(try await storage.get("/notes/objects", as: "admin").status == 400)
            #expect(ids(try await storage.get("/notes/objects?user=id-admin", as: "admin")) == ["of-admin"])
            #expect(ids(try await storage.get("/notes/objects?user=id-writer", as: "auditor")) == ["of-writer"])
            let all = try await storage.get("/notes/objects?user=*", as: "auditor")
            #expect(ids(all) == ["of-admin", "of-writer"])
            #expect(all.json["items"]?.arrayValue?.map { $0["user"] } == ["id-admin", "id-writer"])
            #expect(try await storage.get("/notes/objects?user=*", as: "writer").status == 403)
            #expect(try await storage.get("/notes/objects?user=id-nobody", as: "auditor").status == 400)
            #expect(try await storage.get("/notes/objects/of-writer?user=*", as: "admin").status == 400)
            #expect(try await storage.get("/pictures/objects?user=id-writer", as: "admin").status == 400)
            #expect(try await storage.get("/notes?user=id-writer", as: "admin").status == 400)
        }
    }

    @Test("is open to all callers for shared collections that a policy names (R126)")
    func open() async throws {
        try await StorageSandbox.run { storage async throws in
            try await storage.mobile.setPolicy("Security_CollectionsAnonymousAccess", "others, pictures(1.0), notes")
            let made = try await storage.put("/pictures/objects/one", "x", as: "nobody")
            #expect(made.status == 201)
            #expect(made["createdBy"]?.hasSuffix("_MOBILE_ANONYMOUS_APPID") == true)
            #expect(try await storage.get("/pictures/objects", as: "guest").status == 200)
            #expect(try await storage.get("/notes/objects/one", as: "nobody").status == 401)
        }
    }

    @Test("depends on roles for virtual users too, who have their own objects (R11)")
    func virtual() async throws {
        try await StorageSandbox.run { storage async throws in
            func fields(_ name: String, _ issuer: String, _ roles: [String]) async throws -> HTTPFields {
                let virtual = MobileTokens.Virtual(issuer: issuer, roles: roles)
                var fields = HTTPFields.bearer(try await storage.mobile.token(name, method: .exchange, virtual: virtual))
                fields[.contentLength] = "1"
                return fields
            }
            let path = StorageSandbox.path + "/notes/objects/one"
            let vera = try await fields("vera", "https://a.example", ["writer"])
            let made = try await storage.mobile.send(.put, path, "x", fields: vera)
            #expect(made.status == 201)
            #expect(made["createdBy"] == "vera")
            #expect(made["user"]?.count == 36)
            let namesake = try await fields("vera", "https://b.example", ["reader"])
            #expect(try await storage.mobile.get(path, namesake).status == 404)
            let impostor = try await fields("id-writer", "https://a.example", ["reader"])
            _ = try await storage.put("/notes/objects/mine", "x", as: "writer")
            #expect(try await storage.mobile.get(StorageSandbox.path + "/notes/objects/mine", impostor).status == 404)
            #expect(try await storage.get("/notes/objects/one?user=\(made["user"] ?? "")", as: "auditor").status == 200)
            #expect(try await storage.mobile.get(path, try await fields("vera", "https://a.example", [])).status == 403)
        }
    }

    @Test("that is refused reports the permission, the roles that have it and the caller's, as does the journal (R1, R3)")
    func statements() async throws {
        try await StorageSandbox.run { storage async throws in
            let refused = try await storage.put("/pictures/objects/one", "x", as: "reader")
            let detail = try #require(refused["detail"])
            #expect(refused.status == 403)
            #expect(refused.errorCode == MobileErrorKind.roleRequired.code)
            #expect(detail.contains("reader asks for mobile:WriteObjects on collections/pictures"))
            #expect(detail.contains("statement \"READWRITE\" (Allow): does not apply"))
            #expect(detail.contains("policy has [\"writer\"], request has \"reader\""))
            let decision = try #require(refused.entry.decisions.first)
            #expect(refused.entry.decisions.count == 1)
            #expect(!decision.allowed)
            #expect(decision.action == "mobile:WriteObjects")
            #expect(decision.evidence.trace.entries.map(\.sid) == ["READ", "READWRITE", "READALL", "READWRITEALL"])
            #expect(decision.evidence.trace.request.principal == "reader")
            let others = try await storage.get("/notes/objects/one?user=id-writer", as: "reader")
            #expect(others.entry.decisions.map(\.action) == ["mobile:ReadObjectsOfAll"])
            let allowed = try await storage.put("/pictures/objects/one", "x", as: "writer")
            #expect(allowed.status == 201)
            #expect(allowed.entry.decisions.map(\.allowed) == [true])
        }
    }

    @Test("to the collections themselves is for every user, but not for the anonymous key (R147)")
    func collections() async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/pictures/objects/one", "hello", as: "writer")
            let list = try await storage.get("?totalResults=true", as: "guest")
            #expect(list.status == 200)
            #expect(list.json["totalResults"] == 3)
            #expect(list.json["count"] == 3)
            #expect(list.json["hasMore"] == false)
            let pictures = list.json["items"]?.arrayValue?.first
            #expect(pictures?["id"] == "pictures")
            #expect(pictures?["description"] == "Shared")
            #expect(pictures?["contentLength"] == 5)
            #expect(pictures?["eTag"] == "\"1.0\"")
            #expect(pictures?["userIsolated"] == false)
            let one = try await storage.get("/notes", as: "guest")
            #expect(one.status == 200)
            #expect(one.json["userIsolated"] == true)
            #expect(one.fields[.eTag] == "\"1.0\"")
            #expect(one.json["links"]?.arrayValue?.first?["href"] == "/mobile/platform/storage/collections/notes")
            #expect(try await storage.get("/notes", as: "guest", [.ifNoneMatch: "\"1.0\""]).status == 304)
            #expect(try await storage.get("/notes", as: "guest", [.ifMatch: "\"2.0\""]).status == 412)
            #expect(try await storage.get("/notes", as: "guest", [.accept: "text/html"]).status == 406)
            #expect(try await storage.get("/none", as: "guest").status == 404)
            #expect(try await storage.mobile.get(StorageSandbox.path).status == 401)
            for target in ["", "/notes", "/none"] {
                let refused = try await storage.get(target, as: "nobody")
                #expect(refused.status == 401)
                #expect(refused.errorCode == MobileErrorKind.notAuthenticated.code)
            }
        }
    }
}
