import Cloud
import Fixtures
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

/// S3 API Reference, PutBucketVersioning, GetObject, DeleteObject; S3 User Guide, "Using versioning in S3 buckets" and
/// "Working with delete markers".
@Suite("Versions of objects")
struct VersioningTests {
    @Test("a bucket is unversioned at first; versioning can be suspended, but not disabled")
    func states() async throws {
        try await S3Sandbox.run { s3 async throws in
            let never = try await s3.send(.get, "/files?versioning")
            #expect(never.status == 200)
            #expect(try never.xml.name == "VersioningConfiguration")
            #expect(try never.xml.children.isEmpty)
            for status in ["Enabled", "Suspended"] {
                #expect(try await s3.setVersioning(status).status == 200)
                #expect(try await s3.send(.get, "/files?versioning").xml.child("Status")?.text == status)
            }
        }
    }

    /// (OpenStack Swift's tests against S3, "test_get_versioned_object_invalid_params"; brekkylab/backlot, measured 2026-09-29.)
    @Test("a listing takes an empty key marker for a key marker")
    func emptyKeyMarker() async throws {
        try await S3Sandbox.run { s3 async throws in
            let invalid = try await s3.send(.get, "/files?versions&key-marker=&version-id-marker=bogus")
            #expect(invalid.status == 400)
            #expect(invalid.detail("Message") == "Invalid version id specified")
            let none = try await s3.send(.get, "/files?versions&key-marker=&version-id-marker=null")
            #expect(none.status == 200)
            #expect(try none.xml.children(named: "Version").isEmpty)
            #expect(try await s3.send(.get, "/files?versions&key-marker=").xml.children(named: "Version").count == 1)
        }
    }

    @Test("a bucket returns MfaDelete after it was set once")
    func mfaDelete() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            #expect(try await s3.send(.get, "/files?versioning").xml.child("MfaDelete") == nil)
            let document = "<VersioningConfiguration><MfaDelete>Disabled</MfaDelete><Status>Suspended</Status></VersioningConfiguration>"
            #expect(try await s3.send(.put, "/files?versioning", body: Array(document.utf8)).status == 200)
            #expect(try await s3.send(.get, "/files?versioning").xml.children.map(\.text) == ["Suspended", "Disabled"])
            try await s3.setVersioning("Enabled")
            #expect(try await s3.send(.get, "/files?versioning").xml.children.map(\.text) == ["Enabled", "Disabled"])
        }
    }

    @Test(
        "an invalid configuration is refused with S3's errors",
        arguments: [
            ("<VersioningConfiguration/>", 400, "IllegalVersioningConfigurationException"),
            ("<VersioningConfiguration><Status>enabled</Status></VersioningConfiguration>", 400, "MalformedXML"),
            ("<VersioningConfiguration><Status>Disabled</Status></VersioningConfiguration>", 400, "MalformedXML"),
            ("<VersioningConfiguration><State>Enabled</State></VersioningConfiguration>", 400, "MalformedXML"),
            (
                "<VersioningConfiguration><Status>Enabled</Status><MfaDelete>Enabled</MfaDelete></VersioningConfiguration>", 403,
                "AccessDenied"
            ),
        ])
    func refusals(_ document: String, _ status: Int, _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files?versioning", body: Array(document.utf8))
            #expect(answer.status == status)
            #expect(answer.code == code)
        }
    }

    @Test("each write in a versioned bucket creates a version with its own ID, by which it can be read")
    func versions() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.put("k", "none")["x-amz-version-id"] == nil)
            #expect(try await s3.send(.get, "/files/k")["x-amz-version-id"] == nil)
            try await s3.setVersioning("Enabled")
            let first = try #require(try await s3.put("k", "one")["x-amz-version-id"])
            let second = try #require(try await s3.put("k", "two")["x-amz-version-id"])
            #expect(first != second)
            #expect(first.utf8.count == 32)
            for (id, text) in [(first, "one"), (second, "two"), ("null", "none")] {
                let answer = try await s3.send(.get, "/files/k?versionId=\(id)")
                #expect(answer.text == text)
                #expect(answer["x-amz-version-id"] == id)
            }
            let current = try await s3.send(.head, "/files/k")
            #expect(current["x-amz-version-id"] == second)
        }
    }

    @Test("a suspended bucket writes the null version and returns its ID only on reads")
    func suspended() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            let kept = try #require(try await s3.put("k", "kept")["x-amz-version-id"])
            try await s3.setVersioning("Suspended")
            #expect(try await s3.put("k", "null")["x-amz-version-id"] == nil)
            #expect(try await s3.send(.get, "/files/k")["x-amz-version-id"] == "null")
            let deleted = try await s3.send(.delete, "/files/k")
            #expect(deleted["x-amz-version-id"] == "null")
            #expect(deleted["x-amz-delete-marker"] == "true")
            #expect(try await s3.send(.get, "/files/k?versionId=\(kept)").text == "kept")
            #expect(try await s3.send(.get, "/files/k?versionId=null").status == 405)
        }
    }

    @Test("a delete marker hides the object, differs from a missing one, and can be deleted")
    func markers() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            try await s3.put("k", "one")
            let deleted = try await s3.send(.delete, "/files/k")
            let marker = try #require(deleted["x-amz-version-id"])
            #expect(deleted.status == 204)
            #expect(deleted["x-amz-delete-marker"] == "true")

            let hidden = try await s3.send(.get, "/files/k")
            #expect(hidden.status == 404)
            #expect(hidden.code == "NoSuchKey")
            #expect(hidden["x-amz-delete-marker"] == "true")
            #expect(hidden["x-amz-version-id"] == marker)
            let named = try await s3.send(.get, "/files/k?versionId=\(marker)")
            #expect(named.status == 405)
            #expect(named.code == "MethodNotAllowed")
            #expect(named["Allow"] == "DELETE")
            #expect(named.detail("ResourceType") == "DeleteMarker")
            #expect(named.detail("Method") == "GET")
            #expect(named["x-amz-delete-marker"] == "true")
            #expect(named["Last-Modified"] != nil)
            for target in ["/files/k?tagging", "/files/k?tagging&versionId=\(marker)"] {
                #expect(try await s3.send(.get, target).status == 405)
            }

            let taken = try await s3.send(.delete, "/files/k?versionId=\(marker)")
            #expect(taken["x-amz-delete-marker"] == "true")
            #expect(taken["x-amz-version-id"] == marker)
            #expect(try await s3.send(.get, "/files/k").text == "one")
        }
    }

    @Test("a version is deleted permanently, and the next one becomes current")
    func deletion() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            try await s3.put("k", "one")
            let second = try #require(try await s3.put("k", "two")["x-amz-version-id"])
            let deleted = try await s3.send(.delete, "/files/k?versionId=\(second)")
            #expect(deleted.status == 204)
            #expect(deleted["x-amz-version-id"] == second)
            #expect(deleted["x-amz-delete-marker"] == nil)
            #expect(try await s3.send(.get, "/files/k").text == "one")
            let gone = try await s3.send(.get, "/files/k?versionId=\(second)")
            #expect(gone.status == 404)
            #expect(gone.code == "NoSuchVersion")
            #expect(gone.detail("Key") == "k")
            #expect(gone.detail("VersionId") == second)
            #expect(try await s3.send(.delete, "/files/k?versionId=\(second)").status == 204)
        }
    }

    @Test("an invalid version ID and a version of another key have different errors")
    func foreignIDs() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            let id = try #require(try await s3.put("k", "one")["x-amz-version-id"])
            #expect(try await s3.send(.get, "/files/public/hello.txt?versionId=\(id)").code == "NoSuchVersion")
            for text in [String(id.dropLast(4)) + "ABCD", "x", "null%20"] {
                for method in [HTTPRequest.Method.get, .delete] {
                    let answer = try await s3.send(method, "/files/k?versionId=\(text)")
                    #expect(answer.status == 400)
                    #expect(answer.code == "InvalidArgument")
                    #expect(answer.detail("Message") == "Invalid version id specified")
                }
            }
            let empty = try await s3.send(.get, "/files/k?versionId=")
            #expect(empty.detail("Message") == "Version id cannot be the empty string")
        }
    }

    @Test("a listing has versions and markers in order, in pages")
    func listing() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            for text in ["one", "two"] { try await s3.put("a/k", text) }
            _ = try await s3.send(.delete, "/files/a/k")
            try await s3.put("b", "b")
            var seen: [String] = []
            var target = "/files?versions&max-keys=2"
            while true {
                let page = try await s3.send(.get, target).xml
                #expect(page.name == "ListVersionsResult")
                for entry in page.children where ["Version", "DeleteMarker"].contains(entry.name) {
                    seen.append("\(entry.name) \(entry.child("Key")?.text ?? "") \(entry.child("IsLatest")?.text ?? "")")
                }
                guard let key = page.child("NextKeyMarker")?.text else { break }
                let id = try #require(page.child("NextVersionIdMarker")?.text)
                target = "/files?versions&max-keys=2&key-marker=\(percentEncoded(key))&version-id-marker=\(id)"
            }
            #expect(
                seen == [
                    "DeleteMarker a/k true", "Version a/k false", "Version a/k false", "Version b true",
                    "Version public/hello.txt true",
                ])
            let rolled = try await s3.send(.get, "/files?versions&delimiter=/").xml
            #expect(rolled.children(named: "CommonPrefixes").map { $0.child("Prefix")?.text } == ["a/", "public/"])
        }
    }

    @Test("a version marker requires a key marker and must be valid")
    func markersOfListings() async throws {
        try await S3Sandbox.run { s3 async throws in
            let alone = try await s3.send(.get, "/files?versions&version-id-marker=null")
            #expect(alone.code == "InvalidArgument")
            #expect(alone.detail("Message") == "A version-id marker cannot be specified without a key marker.")
            let odd = try await s3.send(.get, "/files?versions&key-marker=k&version-id-marker=odd")
            #expect(odd.detail("Message") == "Invalid version id specified")
        }
    }

    @Test("several versions are deleted at once, and the response has all created and deleted ones")
    func deleteObjects() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            let id = try #require(try await s3.put("k", "one")["x-amz-version-id"])
            let answer = try await s3.send(
                .post, "/files?delete",
                document: """
                    <Delete><Object><Key>k</Key></Object><Object><Key>k</Key><VersionId>\(id)</VersionId></Object>\
                    <Object><Key>k</Key><VersionId>odd</VersionId></Object></Delete>
                    """
            ).xml
            let deleted = answer.children(named: "Deleted")
            #expect(deleted.count == 2)
            #expect(deleted.first?.child("DeleteMarker")?.text == "true")
            let marker = try #require(deleted.first?.child("DeleteMarkerVersionId")?.text)
            #expect(deleted.last?.child("VersionId")?.text == id)
            #expect(deleted.last?.child("DeleteMarker") == nil)
            #expect(answer.child("Error")?.child("Code")?.text == "NoSuchVersion")
            let taken = try await s3.send(
                .post, "/files?delete",
                document: "<Delete><Object><Key>k</Key><VersionId>\(marker)</VersionId></Object></Delete>"
            ).xml.child("Deleted")
            #expect(taken?.child("DeleteMarker")?.text == "true")
            #expect(taken?.child("DeleteMarkerVersionId")?.text == marker)
        }
    }

    @Test("a copy reads the named version, and returns its ID")
    func copies() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            let first = try #require(try await s3.put("k", "one")["x-amz-version-id"])
            try await s3.put("k", "two")
            let source = "/files/k?versionId=\(first)"
            let restored = try await s3.send(.put, "/files/k", ["x-amz-copy-source": source])
            #expect(restored["x-amz-copy-source-version-id"] == first)
            #expect(restored["x-amz-version-id"] != nil)
            #expect(try await s3.send(.get, "/files/k").text == "one")

            let marker = try #require(try await s3.send(.delete, "/files/k")["x-amz-version-id"])
            let hidden = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "/files/k"])
            #expect(hidden.status == 404)
            #expect(hidden.code == "NoSuchKey")
            let named = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "/files/k?versionId=\(marker)"])
            #expect(named.status == 400)
            #expect(named.code == "InvalidRequest")
            let missing = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "/files/k?versionId=odd"])
            #expect(missing.detail("Message") == "Invalid version id specified")
        }
    }

    @Test("a version requires its own permission")
    func permission() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .reader).status == 200)
            let version = try await s3.send(.get, "/files/public/hello.txt?versionId=null", as: .reader)
            #expect(version.status == 403)
            #expect(version.detail("Message")?.contains("s3:GetObjectVersion") == true)
        }
    }
}

/// The identifiers of versions in requests and responses.
@Suite("Version IDs")
struct VersionIDTests {
    @Test(
        "are 32 characters that identify a version of their key only", arguments: [1, 255, 1_795_302_838_128_000, .max] as [Int64])
    func lead(_ sequence: Int64) throws {
        let id = VersionID.text(ObjectVersion(sequence: sequence, isNull: false), of: "a key")
        #expect(id.utf8.count == 32)
        #expect(!id.contains("-"))
        #expect(VersionID.selector(id, of: "a key") == .sequence(sequence))
        #expect(VersionID.selector(id, of: "another") == .sequence(-1))
    }

    @Test("differ between keys, and are unknown if altered")
    func differ() throws {
        let version = ObjectVersion(sequence: 7, isNull: false)
        let id = VersionID.text(version, of: "a")
        #expect(id != VersionID.text(version, of: "b"))
        for index in id.indices {
            var changed = id
            changed.replaceSubrange(index...index, with: id[index] == "A" ? "B" : "A")
            #expect(VersionID.selector(changed, of: "a") == nil)
        }
    }

    @Test("of versions that later writes replace are null")
    func null() {
        #expect(VersionID.text(ObjectVersion(sequence: 7, isNull: true), of: "a") == "null")
        #expect(VersionID.selector("null", of: "a") == .null)
    }
}

extension S3Sandbox {
    @discardableResult
    func setVersioning(_ status: String) async throws -> FaceAnswer {
        try await send(
            .put, "/files?versioning",
            body: Array("<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>".utf8))
    }
}
