import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Lists of objects")
struct StorageListTests {
    private func withObjects(_ test: (StorageSandbox) async throws -> Void) async throws {
        try await StorageSandbox.run { storage async throws in
            for (id, user, size) in [("alpha", "writer", 3), ("beta", "admin", 1), ("gamma", "writer", 2)] {
                let body = String(repeating: "x", count: size)
                _ = try await storage.put("/pictures/objects/\(id)", body, as: user, [.displayName: "Name-\(id)"])
            }
            try await test(storage)
        }
    }

    private func ids(_ answer: MobileAnswer) -> [String] { answer.json["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? [] }

    @Test(
        "are limited, filtered and sorted by the query",
        arguments: [
            ("", ["alpha", "beta", "gamma"]), ("?limit=2", ["alpha", "beta"]), ("?offset=1", ["beta", "gamma"]), ("?offset=5", []),
            ("?q=ADM", ["beta"]), ("?q=et%25", ["beta"]), ("?q=et%", ["beta"]), ("?q=n%25e-b", ["beta"]), ("?q=zz", []),
            ("?q=writer", ["alpha", "gamma"]), ("?orderBy=contentLength", ["beta", "gamma", "alpha"]),
            ("?orderBy=contentLength:desc", ["alpha", "gamma", "beta"]), ("?orderBy=name:desc&limit=1&offset=1", ["beta"]),
            ("?orderBy=createdBy:asc&q=ga", ["gamma"]), ("?_=1234567890&limit=1000", ["alpha", "beta", "gamma"]),
        ])
    func queries(query: String, found: [String]) async throws {
        try await withObjects { storage async throws in
            let answer = try await storage.get("/pictures/objects\(query)", as: "reader")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(ids(answer) == found, "\(answer.text)")
        }
    }

    @Test(
        "refuse numbers out of range",
        arguments: ["offset=9223372036854775807", "offset=-1", "limit=0", "limit=9223372036854775808"])
    func numbers(query: String) async throws {
        try await withObjects { storage async throws in
            #expect(try await storage.get("/pictures/objects?\(query)", as: "reader").status == 400)
        }
    }

    @Test("have links to further pages, and the total on request")
    func pages() async throws {
        try await withObjects { storage async throws in
            let page = try await storage.get("/pictures/objects?limit=1&offset=1&orderBy=name:asc&totalResults=true", as: "reader").json
            #expect(page["hasMore"] == true)
            #expect(page["limit"] == 1)
            #expect(page["offset"] == 1)
            #expect(page["count"] == 1)
            #expect(page["totalResults"] == 3)
            var links: [String: String] = [:]
            for link in page["links"]?.arrayValue ?? [] { links[link["rel"]?.stringValue ?? ""] = link["href"]?.stringValue }
            #expect(Set(links.keys) == ["canonical", "self", "prev", "next"])
            #expect(links["prev"]?.contains("offset=0") == true)
            let next = try #require(links["next"]).dropFirst(StorageSandbox.path.count)
            let last = try await storage.get(String(next), as: "reader")
            #expect(ids(last) == ["gamma"])
            #expect(last.json["hasMore"] == false)
            #expect(last.json["totalResults"] == 3)
            let plain = try await storage.get("/pictures/objects", as: "reader").json
            #expect(plain["totalResults"] == nil)
            #expect(plain["limit"] == 100)
            let counted = try await storage.get("/pictures/objects?limit=1&totalResults=true", as: "reader").json
            #expect(counted["totalResults"] == 3)
            #expect(counted["hasMore"] == true)
        }
    }

    @Test(
        "refuse invalid values of parameters",
        arguments: ["limit=0", "limit=x", "limit=", "offset=-1", "totalResults=yes", "orderBy=size", "orderBy=name:up", "user="])
    func refusals(query: String) async throws {
        try await withObjects { storage async throws in
            let answer = try await storage.get("/pictures/objects?\(query)", as: "reader")
            #expect(answer.status == 400)
            #expect(answer.errorCode == MobileErrorKind.malformedRequest.code)
        }
    }

    @Test("have the same values as the response for each object")
    func item() async throws {
        try await withObjects { storage async throws in
            let item = try await storage.get("/pictures/objects?limit=1", as: "reader").json["items"]?.arrayValue?.first?.objectValue
            #expect(
                item?.names == [
                    "id", "name", "contentLength", "contentType", "eTag", "createdBy", "createdOn", "modifiedBy", "modifiedOn", "links",
                ])
            let got = try await storage.get("/pictures/objects/alpha", as: "reader")
            #expect(item?["eTag"]?.stringValue == got.fields[.eTag])
            #expect(item?["modifiedOn"]?.stringValue == got.fields[.modifiedOn])
        }
    }
}
