import Calls
import Cloud
import Directory
import HTTPTypes
import NIOCore
import ObjectStore
import Testing
import WireFormats

@testable import MobileCloudFace

/// A mobile cloud with a shared and an isolated collection, and users with each permission.
struct StorageSandbox {
    let mobile: MobileSandbox
    static let path = "/mobile/platform/storage/collections"

    static func run(_ test: (StorageSandbox) async throws -> Void) async throws {
        let users = ["reader", "writer", "auditor", "admin", "guest"].map { name in
            "{username: '\(name)', password: 'p', id: 'id-\(name)', roles: ['\(name)']}"
        }
        let permissions = "{READ: ['reader'], READ_WRITE: ['writer'], READ_ALL: ['auditor'], READ_WRITE_ALL: ['admin']}"
        try await MobileSandbox.run(
            """
            roles: ['reader', 'writer', 'auditor', 'admin', 'guest'], realms: [{name: "Default", users: [\(users.joined(separator: ", "))]}],
            backends: [{name: "app"}], collections: [
                {id: "pictures", description: "Shared", bucket: "pictures", permissions: \(permissions)},
                {id: "notes", userIsolated: true, bucket: "notes", permissions: \(permissions)},
                {id: "harbour", bucket: "harbour", permissions: \(permissions)}]
            """,
            others: """
                accounts: [{id: '000000000000', buckets: [{name: 'pictures'}, {name: 'notes'}]}],
                alibaba: {accounts: [{id: '1987654321098765', buckets: [{name: 'harbour', storageClass: 'IA'}]}]}
                """
        ) { mobile async throws in
            try await test(StorageSandbox(mobile: mobile))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, _ body: String? = nil, as user: String, _ fields: HTTPFields = [:]
    ) async throws -> MobileAnswer {
        let backend = try mobile.backend()
        var all = user == "nobody" ? HTTPFields.anonymous(backend) : .basic("\(user):p", backend)
        if let body { all[.contentLength] = String(body.utf8.count) }
        all.append(contentsOf: fields)
        return try await mobile.send(method, Self.path + target, body ?? "", fields: all)
    }

    func put(_ target: String, _ body: String, as user: String, _ fields: HTTPFields = [:]) async throws -> MobileAnswer {
        try await send(.put, target, body, as: user, fields)
    }

    func get(_ target: String, as user: String, _ fields: HTTPFields = [:]) async throws -> MobileAnswer {
        try await send(.get, target, as: user, fields)
    }
}

@Suite("Objects of collections")
struct StorageObjectTests {
    @Test("are stored under an id of the server or the client, read, replaced and removed")
    func life() async throws {
        try await StorageSandbox.run { storage async throws in
            let fields: HTTPFields = [.contentType: "text/plain", .displayName: "my%20file.txt"]
            let posted = try await storage.send(.post, "/pictures/objects", "hello", as: "writer", fields)
            let id = try #require(posted["id"])
            #expect(posted.status == 201)
            #expect(id.count == 36)
            #expect(posted["name"] == "my file.txt")
            #expect(posted["contentType"] == "text/plain")
            #expect(posted.json["contentLength"] == 5)
            #expect(posted["createdBy"] == "writer")
            #expect(posted["modifiedBy"] == "writer")
            #expect(posted["eTag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
            #expect(posted.fields[.eTag] == posted["eTag"])
            let path = "\(StorageSandbox.path)/pictures/objects/\(id)"
            #expect(posted.fields[.location] == MobileSandbox.origin + path)
            #expect(posted.json["links"] == [["rel": "canonical", "href": .string(path)], ["rel": "self", "href": .string(path)]])
            #expect(posted.json["user"] == nil)

            let got = try await storage.get("/pictures/objects/\(id)", as: "reader")
            #expect(got.status == 200)
            #expect(got.text == "hello")
            #expect(got.fields[.contentType] == "text/plain")
            #expect(got.fields[.displayName] == "my%20file.txt")
            #expect(got.fields[.createdBy] == "writer")
            #expect(got.fields[.createdOn] == posted["createdOn"])
            #expect(got.fields[.canonicalLink] == path)
            let head = try await storage.send(.head, "/pictures/objects/\(id)", as: "reader")
            #expect(head.status == 200)
            #expect(head.fields[.contentLength] == "5")

            let replaced = try await storage.put("/pictures/objects/\(id)", "other", as: "admin", [.contentType: "text/html"])
            #expect(replaced.status == 200)
            #expect(replaced["createdBy"] == "writer")
            #expect(replaced["modifiedBy"] == "admin")
            #expect(replaced["name"] == "my file.txt")
            #expect(replaced["contentType"] == "text/html")
            #expect(replaced.fields[.location] == nil)

            let removed = try await storage.send(.delete, "/pictures/objects/\(id)", as: "writer", [.ifMatch: "*"])
            #expect(removed.status == 204)
            #expect(removed.bytes.isEmpty)
            #expect(try await storage.get("/pictures/objects/\(id)", as: "reader").status == 404)
            #expect(try await storage.send(.delete, "/pictures/objects/\(id)", as: "writer").status == 404)
        }
    }

    @Test("are created by a PUT with any id that a path can express")
    func identifiers() async throws {
        try await StorageSandbox.run { storage async throws in
            for (target, id) in [("a%2Fb", "a/b"), ("%C3%BC%20x", "ü x"), ("1", "1")] {
                let made = try await storage.put("/pictures/objects/\(target)", "x", as: "writer")
                #expect(made.status == 201)
                #expect(made["id"] == id)
                #expect(made["name"] == id)
                #expect(made["contentType"] == "application/octet-stream")
                #expect(made.fields[.location]?.hasSuffix("/objects/\(target)") == true)
                #expect(try await storage.get("/pictures/objects/\(target)", as: "reader").text == "x")
            }
            let long = String(repeating: "x", count: 1025)
            #expect(try await storage.put("/pictures/objects/\(long)", "x", as: "writer").status == 400)
            #expect(try await storage.put("/nothing/objects/1", "x", as: "writer").status == 404)
        }
    }

    @Test("are in the collection's bucket, with their creator as metadata; other objects of the bucket are in the collection")
    func bucket() async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/pictures/objects/one", "x", as: "writer", [.displayName: "%C3%BC"])
            _ = try await storage.put("/notes/objects/one", "x", as: "writer")
            let objects = storage.mobile.cloud.objects
            let pictures = try #require(objects.bucket(named: "pictures"))
            let record = try #require(try objects.head("one", in: pictures.id).object)
            let metadata = record.attributes.metadata.map { "\($0.name)=\($0.value)" }
            #expect(metadata.contains("oracle-mobile-name=%C3%BC"))
            #expect(metadata.contains("oracle-mobile-created-by=writer"))
            let notes = try #require(objects.bucket(named: "notes"))
            #expect(try objects.head("id-writer/one", in: notes.id).object != nil)

            let body = objects.stage()
            try await body.append(ByteBuffer(string: "by S3"))
            let new = NewObject(
                key: "two", md5: [UInt8](repeating: 7, count: 16), owner: "000000000000", modified: storage.mobile.cloud.clock.now)
            try await objects.put(new, in: pictures.id, body: body)
            let got = try await storage.get("/pictures/objects/two", as: "reader")
            #expect(got.text == "by S3")
            #expect(got.fields[.displayName] == "two")
            #expect(got.fields[.createdBy] == "000000000000")
            try await objects.update("two", in: pictures.id) { $0.properties.encryption = ObjectEncryption(scheme: .customer) }
            #expect(try await storage.get("/pictures/objects/two", as: "reader").status == 403)
        }
    }

    @Test(
        "are read under conditions",
        arguments: [
            ([.ifNoneMatch: "\"5d41402abc4b2a76b9719d911017c592\""], 304), ([.ifNoneMatch: "*"], 304), ([.ifNoneMatch: "\"x\""], 200),
            ([.ifMatch: "\"5d41402abc4b2a76b9719d911017c592\""], 200), ([.ifMatch: "\"x\""], 412), ([.ifMatch: "\"x\", *"], 200),
            ([.ifModifiedSince: "Sat, 01 Jan 2000 00:00:00 GMT"], 200), ([.ifUnmodifiedSince: "Sat, 01 Jan 2000 00:00:00 GMT"], 412),
            ([.accept: "application/json"], 406), ([.accept: "text/*;q=0.5, application/json"], 200),
            ([.accept: "*/*, text/plain;q=0"], 406),
            ([.accept: "*/*"], 200), ([.range: "bytes=1-2"], 206), ([.range: "bytes=9-"], 416), ([.range: "lines=1"], 200),
            ([.range: "bytes=1-2", .ifRange: "\"x\""], 200),
        ] as [(HTTPFields, Int)])
    func readConditions(fields: HTTPFields, status: Int) async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/pictures/objects/one", "hello", as: "writer", [.contentType: "text/plain; charset=utf-8"])
            let answer = try await storage.get("/pictures/objects/one", as: "reader", fields)
            #expect(answer.status == status, "\(answer.text)")
            switch status {
            case 206:
                #expect(answer.text == "el")
                #expect(answer.fields[.contentRange] == "bytes 1-2/5")
            case 304:
                #expect(answer.bytes.isEmpty)
                #expect(answer.fields[.eTag] == "\"5d41402abc4b2a76b9719d911017c592\"")
            case 416:
                #expect(answer.fields[.contentRange] == "bytes */5")
                #expect(answer.errorCode == MobileErrorKind.rangeNotSatisfiable.code)
            default: break
            }
        }
    }

    @Test("are not returned again if they have not changed since")
    func notModified() async throws {
        try await StorageSandbox.run { storage async throws in
            let made = try await storage.put("/pictures/objects/one", "x", as: "writer")
            let got = try await storage.get("/pictures/objects/one", as: "reader")
            let modified = try #require(got.fields[.lastModified])
            #expect(try await storage.get("/pictures/objects/one", as: "reader", [.ifModifiedSince: modified]).status == 304)
            #expect(made.status == 201)
        }
    }

    @Test("are written under conditions")
    func writeConditions() async throws {
        try await StorageSandbox.run { storage async throws in
            let target = "/pictures/objects/one"
            #expect(try await storage.put(target, "a", as: "writer", [.ifMatch: "*"]).status == 412)
            #expect(try await storage.put(target, "a", as: "writer", [.ifNoneMatch: "*"]).status == 201)
            #expect(try await storage.put(target, "b", as: "writer", [.ifNoneMatch: "*"]).status == 412)
            let tag = try #require(try await storage.get(target, as: "reader").fields[.eTag])
            #expect(try await storage.put(target, "b", as: "writer", [.ifMatch: tag]).status == 200)
            #expect(try await storage.put(target, "c", as: "writer", [.ifMatch: tag]).status == 412)
            #expect(try await storage.send(.delete, target, as: "writer", [.ifMatch: tag]).status == 412)
            let past: HTTPFields = [.ifUnmodifiedSince: "Sat, 01 Jan 2000 00:00:00 GMT"]
            #expect(try await storage.send(.delete, target, as: "writer", past).status == 412)
            #expect(try await storage.get(target, as: "reader").text == "b")
        }
    }

    @Test("must have a length that matches the content")
    func length() async throws {
        try await StorageSandbox.run { storage async throws in
            let target = "/pictures/objects/one"
            let without = try await storage.send(.put, target, as: "writer")
            #expect(without.status == 411)
            #expect(without.errorCode == MobileErrorKind.lengthRequired.code)
            #expect(try await storage.send(.put, target, as: "writer", [.transferEncoding: "chunked"]).status == 201)
            #expect(try await storage.send(.put, target, as: "writer", [.contentLength: "2147483648"]).status == 413)
            #expect(try await storage.send(.put, target, as: "writer", [.contentLength: "3"]).status == 400)
            #expect(try await storage.put(target, "x", as: "writer", [.displayName: "%"]).status == 400)
        }
    }

    @Test("support certain methods")
    func methods() async throws {
        try await StorageSandbox.run { storage async throws in
            let answer = try await storage.send(.post, "/pictures/objects/one", "x", as: "writer")
            #expect(answer.status == 405)
            #expect(answer.fields[.allow]?.contains("PUT") == true)
            #expect(try await storage.send(.delete, "/pictures/objects", as: "writer").status == 405)
            #expect(try await storage.send(.put, "/pictures", "x", as: "writer").status == 405)
            #expect(try await storage.get("/pictures/things", as: "writer").status == 404)
        }
    }

    @Test("return their resource type to synchronizing clients")
    func synchronization() async throws {
        try await StorageSandbox.run { storage async throws in
            _ = try await storage.put("/pictures/objects/one", "x", as: "writer")
            let agent: HTTPFields = [.syncAgent: "true"]
            #expect(try await storage.get("/pictures/objects/one", as: "reader", agent).fields[.syncResourceType] == "file")
            #expect(try await storage.get("/pictures/objects", as: "reader", agent).fields[.syncResourceType] == "collection")
            #expect(try await storage.get("/pictures/objects", as: "reader").fields[.syncResourceType] == nil)
        }
    }
}
