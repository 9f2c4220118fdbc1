import Cloud
import Cryptography
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, PutObject, GetObject, HeadObject, GetObjectMeta.
@Suite("Objects of OSS")
struct OSSObjectTests {
    @Test("are returned as they were put, with the service's digests")
    func roundTrip() async throws {
        try await OSSSandbox.run { oss async throws in
            let put = try await oss.put(
                "dir/hello world.txt", "hello world",
                [
                    "Content-Type": "text/plain", "Content-MD5": "XrY7u+Ae7tCTyyK7j1rNww==", "x-oss-meta-Author": "alice",
                    "Expires": "2022-10-12T00:00:00.000Z", "Cache-Control": "no-cache", "x-oss-auth": "ignored",
                    "x-oss-tagging": "TagB=B&TagA=A%20A", "Content-Language": "en",
                ])
            #expect(put.status == 200)
            #expect(put.body.isEmpty)
            #expect(put["ETag"] == "\"5EB63BBBE01EEED093CB22BB8F5ACDC3\"")
            #expect(put["x-oss-hash-crc64ecma"] == "5981764153023615706")
            #expect(put["Content-MD5"] == "XrY7u+Ae7tCTyyK7j1rNww==")
            #expect(put["x-oss-version-id"] == nil)
            #expect(put["x-oss-request-id"]?.count == 24)
            for method in [HTTPRequest.Method.get, .head] {
                let got = try await oss.send(method, "/files/dir%2Fhello%20world.txt")
                #expect(got.status == 200)
                if method == .get { #expect(got.text == "hello world") }
                #expect(got["Content-Length"] == "11")
                #expect(got["ETag"] == "\"5EB63BBBE01EEED093CB22BB8F5ACDC3\"")
                #expect(got["x-oss-hash-crc64ecma"] == "5981764153023615706")
                #expect(got["Content-MD5"] == "XrY7u+Ae7tCTyyK7j1rNww==")
                #expect(got["Content-Type"] == "text/plain")
                #expect(got["x-oss-meta-author"] == "alice")
                #expect(got["Expires"] == "2022-10-12T00:00:00.000Z")
                #expect(got["Content-Language"] == "en")
                #expect(got["x-oss-object-type"] == "Normal")
                #expect(got["x-oss-storage-class"] == "Standard")
                #expect(got["x-oss-tagging-count"] == "2")
                #expect(got["x-oss-auth"] == nil)
                #expect(got["Accept-Ranges"] == "bytes")
            }
            let meta = try await oss.send(.head, "/files/dir/hello%20world.txt?objectMeta")
            #expect(meta.status == 200)
            #expect(meta["Content-Length"] == "11")
            #expect(meta["Content-Type"] == nil)
            #expect(meta["x-oss-hash-crc64ecma"] == "5981764153023615706")
            #expect(meta["x-oss-meta-author"] == nil)
            let tags = try await oss.send(.get, "/files/dir/hello%20world.txt?tagging")
            let keys = try #require(try tags.xml.child("TagSet")).children.compactMap { $0.child("Key")?.text }
            #expect(keys == ["TagB", "TagA"], "the order stays")
        }
    }

    @Test("have by default the type application/octet-stream and no tags")
    func defaults() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("plain.jpg", "")
            let head = try await oss.send(.head, "/files/plain.jpg")
            #expect(head["Content-Type"] == "application/octet-stream")
            #expect(head["Content-Length"] == "0")
            #expect(head["x-oss-hash-crc64ecma"] == "0")
            #expect(head["x-oss-tagging-count"] == nil)
        }
    }

    @Test(
        "are refused if a header of the write is invalid",
        arguments: [
            ("Content-MD5", "bm90IGEgZGlnZXN0", 400, "InvalidDigest"), ("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==", 400, "InvalidDigest"),
            ("x-oss-storage-class", "STANDARD", 400, "InvalidArgument"), ("x-oss-object-acl", "open", 400, "InvalidArgument"),
            ("x-oss-server-side-encryption", "unknown", 400, "InvalidEncryptionAlgorithmError"),
            ("x-oss-server-side-encryption-key-id", "k", 400, "InvalidArgument"), ("x-oss-tagging", "a=1&a=2", 400, "InvalidTag"),
            ("x-oss-tagging", "a=%21", 400, "InvalidTag"), ("x-oss-traffic-limit", "819199", 400, "InvalidArgument"),
            ("x-oss-traffic-limit", "838860801", 400, "InvalidArgument"), ("Content-Encoding", "aws-chunked", 400, "InvalidArgument"),
            ("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", 400, "InvalidArgument"),
        ])
    func refusals(_ name: String, _ value: String, _ status: Int, _ code: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.put, "/files/refused", [name: value], body: Array("body".utf8))
            #expect(answer.status == status)
            #expect(answer.code == code)
            #expect(try await oss.send(.get, "/files/refused").code == "NoSuchKey")
        }
    }

    @Test("have tags in any script, and a default key with a name")
    func tagsAndKeys() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("tagged", "x", ["x-oss-tagging": "%E4%B8%AD%E6%96%87+%2B%2F=\u{E9}"])
            let tag = try #require(try await oss.send(.get, "/files/tagged?tagging").xml.child("TagSet")?.child("Tag"))
            #expect(tag.child("Key")?.text == "\u{4E2D}\u{6587} +/")
            #expect(tag.child("Value")?.text == "\u{E9}")
            let encrypted = try await oss.put("a", "x", ["x-oss-server-side-encryption": "KMS"])
            let key = try #require(encrypted["x-oss-server-side-encryption-key-id"])
            #expect(key.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            #expect(try await oss.put("b", "x", ["x-oss-server-side-encryption": "KMS"])["x-oss-server-side-encryption-key-id"] == key)
            let plain = try await oss.put(
                "c", "x", ["x-oss-server-side-encryption": "AES256", "x-oss-server-side-data-encryption": "SM4"])
            #expect(plain["x-oss-server-side-encryption"] == "AES256")
            #expect(plain["x-oss-server-side-data-encryption"] == nil)
            #expect(plain["x-oss-server-side-encryption-key-id"] == nil)
        }
    }

    @Test("require a length or chunks")
    func length() async throws {
        try await OSSSandbox.run { oss async throws in
            let missing = try await oss.send(.put, "/files/a")
            #expect(missing.status == 411)
            #expect(missing.code == "MissingContentLength")
            let chunked = try await oss.send(.put, "/files/a", ["Transfer-Encoding": "chunked"], body: [1, 2, 3])
            #expect(chunked.status == 200)
            #expect(try await oss.send(.put, "/files/a", ["Content-Length": "9"], body: [1, 2, 3]).code == "IncompleteBody")
            #expect(try await oss.send(.get, "/files/a").body == [1, 2, 3])
        }
    }

    @Test(
        "have keys of 1 to 1,023 bytes that do not begin with a slash",
        arguments: [
            ("%2Fa", false), ("%5Ca", false), (String(repeating: "k", count: 1024), false), (String(repeating: "k", count: 1023), true),
            ("a%3Fb%01%0A%E4%B8%AD/%2F", true),
        ])
    func keys(_ key: String, _ isGood: Bool) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.put, "/files/\(key)", body: [1])
            #expect(isGood ? answer.status == 200 : answer.code == "InvalidObjectName")
            if isGood { #expect(try await oss.send(.get, "/files/\(key)").body == [1]) }
        }
    }

    @Test("are not overwritten if the writer forbids it")
    func forbidOverwrite() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("once", "1", ["x-oss-forbid-overwrite": "true"])
            let second = try await oss.put("once", "2", ["x-oss-forbid-overwrite": "true"])
            #expect(second.status == 409)
            #expect(second.code == "FileAlreadyExists")
            #expect(try await oss.send(.get, "/files/once").text == "1")
            #expect(try await oss.put("once", "3").status == 200)
        }
    }

    @Test(
        "return their encryption",
        arguments: [
            (["x-oss-server-side-encryption": "AES256"], ["x-oss-server-side-encryption": "AES256"]),
            (["x-oss-server-side-encryption": "SM4"], ["x-oss-server-side-encryption": "SM4"]),
            (
                [
                    "x-oss-server-side-encryption": "KMS", "x-oss-server-side-encryption-key-id": "9468da86",
                    "x-oss-server-side-data-encryption": "SM4",
                ],
                [
                    "x-oss-server-side-encryption": "KMS", "x-oss-server-side-encryption-key-id": "9468da86",
                    "x-oss-server-side-data-encryption": "SM4",
                ]
            ),
        ] as [(KeyValuePairs<String, String>, KeyValuePairs<String, String>)])
    func encryption(_ sent: KeyValuePairs<String, String>, _ shown: KeyValuePairs<String, String>) async throws {
        try await OSSSandbox.run { oss async throws in
            let put = try await oss.put("secret", "x", sent)
            let head = try await oss.send(.head, "/files/secret")
            for (name, value) in shown {
                #expect(put[name] == value)
                #expect(head[name] == value)
            }
        }
    }

    @Test("are encrypted by KMS with the account's default key")
    func standardKey() async throws {
        try await OSSSandbox.run { oss async throws in
            let first = try await oss.put("a", "x", ["x-oss-server-side-encryption": "KMS"])
            let key = try #require(first["x-oss-server-side-encryption-key-id"])
            #expect(key.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            let appended = try await oss.send(
                .post, "/files/log?append&position=0", ["x-oss-server-side-encryption": "KMS"], body: [1])
            #expect(appended["x-oss-server-side-encryption-key-id"] == key)
            // Later appends do not change it, and data encryption applies only to KMS.
            let more = try await oss.send(
                .post, "/files/log?append&position=1", ["x-oss-server-side-encryption": "AES256"], body: [2])
            #expect(more["x-oss-server-side-encryption"] == "KMS")
            #expect(more["x-oss-server-side-encryption-key-id"] == key)
            for method in ["AES256", "SM4"] {
                let other = try await oss.put(
                    "b", "x", ["x-oss-server-side-encryption": method, "x-oss-server-side-data-encryption": "SM4"])
                #expect(other.status == 200)
                #expect(other["x-oss-server-side-encryption"] == method)
                #expect(other["x-oss-server-side-data-encryption"] == nil)
                #expect(other["x-oss-server-side-encryption-key-id"] == nil)
            }
        }
    }

    @Test("have the version null if versioning is suspended")
    func nullVersion() async throws {
        try await OSSSandbox.run { oss async throws in
            for status in ["Enabled", "Suspended"] {
                let document = "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
                #expect(try await oss.send(.put, "/files?versioning", document: document).status == 200)
            }
            #expect(try await oss.put("a", "x")["x-oss-version-id"] == "null")
            let copied = try await oss.send(.put, "/files/b", ["x-oss-copy-source": "/files/a"])
            #expect(copied["x-oss-version-id"] == "null")
        }
    }

    @Test(
        "return a valid range, and the whole object for an invalid one unless the standard behavior is requested",
        arguments: [
            ("bytes=0-4", nil, 206, "01234", "bytes 0-4/10"), ("bytes=8-", nil, 206, "89", "bytes 8-9/10"),
            ("bytes=-3", nil, 206, "789", "bytes 7-9/10"), ("bytes=5-20", nil, 200, "0123456789", nil),
            ("bytes=10-20", nil, 200, "0123456789", nil), ("bytes=4-2", nil, 200, "0123456789", nil),
            ("bytes=5-20", "standard", 206, "56789", "bytes 5-9/10"), ("bytes=10-20", "standard", 416, nil, "bytes */10"),
        ] as [(String, String?, Int, String?, String?)])
    func ranges(_ range: String, _ behaviour: String?, _ status: Int, _ text: String?, _ contentRange: String?) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer =
                if let behaviour {
                    try await oss.send(.get, "/files/public/hello.txt", ["Range": range, "x-oss-range-behavior": behaviour])
                } else {
                    try await oss.send(.get, "/files/public/hello.txt", ["Range": range])
                }
            #expect(answer.status == status)
            #expect(answer["Content-Range"] == contentRange)
            if let text { #expect(answer.text == text) } else { #expect(answer.code == "InvalidRange") }
        }
    }

    @Test("are returned under conditions; entity tags ignore case")
    func conditions() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("a", "hello world")
            let tag = "\"5EB63BBBE01EEED093CB22BB8F5ACDC3\""
            for value in [tag, tag.lowercased(), "5EB63BBBE01EEED093CB22BB8F5ACDC3"] {
                let notModified = try await oss.send(.get, "/files/a", ["If-None-Match": value])
                #expect(notModified.status == 304)
                #expect(notModified.body.isEmpty)
                #expect(notModified["ETag"] == tag)
                #expect(try await oss.send(.get, "/files/a", ["If-Match": value]).status == 200)
            }
            let failed = try await oss.send(.get, "/files/a", ["If-Match": "\"00000000000000000000000000000000\""])
            #expect(failed.status == 412)
            #expect(failed.code == "PreconditionFailed")
            #expect(try await oss.send(.head, "/files/a", ["If-Unmodified-Since": "Fri, 13 Nov 2015 14:47:53 GMT"]).status == 412)
            #expect(try await oss.send(.get, "/files/a", ["If-Modified-Since": "Fri, 13 Nov 2015 14:47:53 GMT"]).status == 200)
            // No object is newer than a future time.
            let future = (oss.cloud.clock.now + .seconds(3600)).httpDate
            for method in [HTTPRequest.Method.get, .head] {
                #expect(try await oss.send(method, "/files/a", ["If-Modified-Since": future]).status == 304)
            }
        }
    }

    @Test("are returned with overridden headers to callers who sign")
    func overrides() async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(
                .get, "/files/public/hello.txt?response-content-type=image%2Fjpeg&response-content-disposition=attachment")
            #expect(answer["Content-Type"] == "image/jpeg")
            #expect(answer["Content-Disposition"] == "attachment")
            _ = try await oss.send(.put, "/files/public/hello.txt?acl", ["x-oss-object-acl": "public-read"])
            let anonymous = try await oss.send(.get, "/files/public/hello.txt?response-content-type=image%2Fjpeg", as: .nobody)
            #expect(anonymous.status == 400)
            #expect(anonymous.code == "InvalidRequest")
            #expect(try await oss.send(.get, "/files/public/hello.txt", as: .nobody).text == "0123456789")
        }
    }

    @Test("are compressed if the type is text and the client accepts it")
    func compression() async throws {
        try await OSSSandbox.run { oss async throws in
            let text = String(repeating: "a line of text\n", count: 100)
            try await oss.put("long.txt", text, ["Content-Type": "text/plain"])
            let answer = try await oss.send(.get, "/files/long.txt", ["Accept-Encoding": "deflate, gzip;q=0.5"])
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer["Content-Length"] == nil)
            #expect(answer["ETag"] == nil)
            #expect(answer.body.gunzipped(upTo: 1 << 20) == Array(text.utf8))
            for (fields, type) in [
                (["Accept-Encoding": "gzip;q=0"], "text/plain"), (["Accept-Encoding": "gzip; q=0.000"], "text/plain"),
                (["Accept-Encoding": "gzip", "Range": "bytes=0-1023"], "text/plain"),
                (["Accept-Encoding": "gzip"], "image/png"), ([:], "text/plain"),
            ] as [(KeyValuePairs<String, String>, String)] {
                try await oss.put("long", text, ["Content-Type": type])
                let plain = try await oss.send(.get, "/files/long", fields)
                #expect(plain["Content-Encoding"] == nil)
                #expect(plain["Content-Length"] == String(plain.body.count))
            }
            try await oss.put("short", "short", ["Content-Type": "text/plain"])
            #expect(try await oss.send(.get, "/files/short", ["Accept-Encoding": "gzip"]).text == "short")
            let head = try await oss.send(.head, "/files/long.txt", ["Accept-Encoding": "gzip"])
            #expect(head["Content-Length"] == String(text.utf8.count))
        }
    }

    @Test("that are missing have an error, which HEAD returns in base64")
    func missing() async throws {
        try await OSSSandbox.run { oss async throws in
            let get = try await oss.send(.get, "/files/none")
            #expect(get.status == 404)
            #expect(get.code == "NoSuchKey")
            #expect(get["x-oss-ec"] == "0026-00000001")
            let head = try await oss.send(.head, "/files/none?objectMeta")
            let document = try #require(head["x-oss-err"].flatMap { [UInt8](base64: $0) })
            let code = try XMLElement(parsing: document).child("Code")?.text
            #expect(head.status == 404)
            #expect(code == "NoSuchKey")
            #expect(head["x-oss-ec"] == "0026-00000001")
        }
    }

    @Test("have an ACL")
    func access() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("a", "x")
            for word in ["default", "private", "public-read", "public-read-write"] {
                #expect(try await oss.send(.put, "/files/a?acl", ["x-oss-object-acl": word]).status == 200)
                let answer = try await oss.send(.get, "/files/a?acl")
                #expect(answer.element("AccessControlList", "Grant") == word)
                #expect(answer.element("Owner", "ID") == OSSSandbox.owner)
                #expect(try await oss.send(.get, "/files/a", as: .nobody).status == (word.hasPrefix("public") ? 200 : 403))
            }
            #expect(try await oss.send(.put, "/files/a?acl").code == "MissingArgument")
            #expect(try await oss.send(.get, "/files/none?acl").code == "NoSuchKey")
        }
    }

    @Test("have tags that are put, returned and deleted")
    func tagging() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("a", "x")
            func document(_ tags: [(String, String)]) -> String {
                "<Tagging><TagSet>" + tags.map { "<Tag><Key>\($0.0)</Key><Value>\($0.1)</Value></Tag>" }.joined() + "</TagSet></Tagging>"
            }
            #expect(try await oss.send(.put, "/files/a?tagging", document: document([("a:b", "1 2"), ("c", "")])).status == 200)
            let got = try await oss.send(.get, "/files/a?tagging")
            #expect(try #require(try got.xml.child("TagSet")).children.map { $0.child("Value")?.text } == ["1 2", ""])
            let many = (0...10).map { ("k\($0)", "v") }
            #expect(try await oss.send(.put, "/files/a?tagging", document: document(many)).code == "InvalidTag")
            #expect(try await oss.send(.put, "/files/a?tagging", document: document([("k", "v"), ("k", "w")])).code == "InvalidTag")
            #expect(try await oss.send(.put, "/files/a?tagging", document: "<Tagging>").code == "MalformedXML")
            #expect(try await oss.send(.delete, "/files/a?tagging").status == 204)
            let none = try await oss.send(.get, "/files/a?tagging")
            #expect(try #require(try none.xml.child("TagSet")).children.isEmpty)
        }
    }

    @Test("refuse operations that Virga does not implement")
    func unimplemented() async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.get, "/files/public/hello.txt?x-oss-process=image/resize,w_100")
            #expect(answer.status == 501)
            #expect(answer.code == "NotImplemented")
        }
    }
}
