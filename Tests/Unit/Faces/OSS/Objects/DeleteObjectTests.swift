import Cloud
import Cryptography
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, DeleteObject and DeleteMultipleObjects; OSS User Guide, "Versioning".
@Suite("Deletions of objects of OSS")
struct OSSDeleteObjectTests {
    @Test("succeed whether the object exists or not")
    func plain() async throws {
        try await OSSSandbox.run { oss async throws in
            for key in ["public/hello.txt", "none"] {
                let answer = try await oss.send(.delete, "/files/\(key)")
                #expect(answer.status == 204)
                #expect(answer["x-oss-delete-marker"] == nil)
                #expect(answer["x-oss-version-id"] == nil)
            }
            #expect(try await oss.send(.get, "/files/public/hello.txt").code == "NoSuchKey")
        }
    }

    @Test("add delete markers to buckets with versioning")
    func versions() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.keepVersions(in: "files")
            let first = try #require(try await oss.put("a", "1")["x-oss-version-id"])
            let second = try #require(try await oss.put("a", "2", ["x-oss-forbid-overwrite": "true"])["x-oss-version-id"])
            #expect(first.hasPrefix("CAEQ"))
            #expect(first != second)
            #expect(try await oss.send(.get, "/files/a?versionId=\(first)").text == "1")
            let deleted = try await oss.send(.delete, "/files/a")
            let marker = try #require(deleted["x-oss-version-id"])
            #expect(deleted.status == 204)
            #expect(deleted["x-oss-delete-marker"] == "true")
            let gone = try await oss.send(.get, "/files/a")
            #expect(gone.status == 404)
            #expect(gone.code == "NoSuchKey")
            #expect(gone["x-oss-delete-marker"] == "true")
            #expect(gone["x-oss-version-id"] == marker)
            let named = try await oss.send(.get, "/files/a?versionId=\(marker)")
            #expect(named.status == 405)
            #expect(named.code == "MethodNotAllowed")
            #expect(named["x-oss-delete-marker"] == "true")
            #expect(named["x-oss-version-id"] == marker)
            let undone = try await oss.send(.delete, "/files/a?versionId=\(marker)")
            #expect(undone["x-oss-delete-marker"] == "true")
            #expect(undone["x-oss-version-id"] == marker)
            let current = try await oss.send(.get, "/files/a")
            #expect(current.text == "2")
            #expect(current["x-oss-version-id"] == second)
            let removed = try await oss.send(.delete, "/files/a?versionId=\(first)")
            #expect(removed["x-oss-version-id"] == first)
            #expect(removed["x-oss-delete-marker"] == nil)
            #expect(try await oss.send(.get, "/files/a?versionId=\(first)").code == "NoSuchVersion")
            #expect(try await oss.send(.get, "/files/a?versionId=CAEQx").code == "InvalidArgument")
            let old = try await oss.send(.get, "/files/public/hello.txt?versionId=null")
            #expect(old.text == "0123456789")
            #expect(old["x-oss-version-id"] == "null")
        }
    }

    private func delete(_ document: String, _ target: String = "/files?delete", in oss: OSSSandbox, as who: OSSSandbox.Signer = .owner)
        async throws
        -> OSSAnswer
    {
        let digest = MD5.hash(Array(document.utf8)).base64
        return try await oss.send(.post, target, ["Content-MD5": digest], document: document, as: who)
    }

    @Test("of many objects are reported, except to quiet clients")
    func multiple() async throws {
        try await OSSSandbox.run { oss async throws in
            for key in ["a", "b/\u{1}", "c"] { try await oss.put(key, "x") }
            let answer = try await delete(
                "<Delete><Object><Key>a</Key></Object><Object><Key>b/&#01;</Key></Object><Object><Key>none</Key></Object></Delete>",
                "/files?delete&encoding-type=url", in: oss)
            #expect(answer.status == 200)
            #expect(answer.element("EncodingType") == "url")
            #expect(try answer.xml.children(named: "Deleted").map { $0.child("Key")?.text } == ["a", "b%2F%01", "none"])
            let quiet = try await delete("<Delete><Quiet>true</Quiet><Object><Key>c</Key></Object></Delete>", in: oss)
            #expect(quiet.status == 200)
            #expect(quiet.body.isEmpty)
            #expect(try await oss.send(.get, "/files/c").code == "NoSuchKey")
            #expect(try await oss.send(.get, "/files/b/%01").status == 404)
        }
    }

    @Test("are reported with their versions")
    func multipleVersions() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.keepVersions(in: "files")
            let version = try #require(try await oss.put("a", "1")["x-oss-version-id"])
            let marked = try await delete("<Delete><Object><Key>a</Key></Object></Delete>", in: oss)
            let marker = try #require(marked.element("Deleted", "DeleteMarkerVersionId"))
            #expect(marked.element("Deleted", "DeleteMarker") == "true")
            #expect(marked.element("Deleted", "VersionId") == nil)
            let answer = try await delete(
                "<Delete><Object><Key>a</Key><VersionId>\(version)</VersionId></Object>"
                    + "<Object><Key>a</Key><VersionId>\(marker)</VersionId></Object></Delete>", in: oss)
            let deleted = try answer.xml.children(named: "Deleted")
            #expect(deleted.map { $0.child("VersionId")?.text } == [version, marker])
            #expect(deleted.map { $0.child("DeleteMarkerVersionId")?.text } == [nil, marker])
            let bad = try await delete("<Delete><Object><Key>a</Key><VersionId>bad</VersionId></Object></Delete>", in: oss)
            #expect(bad.status == 400)
            #expect(bad.code == "InvalidArgument")
        }
    }

    @Test("of many objects are authorized for each key, and require a valid digest")
    func refusals() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("a", "x")
            let document = "<Delete><Object><Key>a</Key></Object></Delete>"
            #expect(try await delete(document, in: oss, as: .reader).code == "AccessDenied")
            #expect(try await oss.send(.post, "/files?delete", document: document).code == "MissingArgument")
            let wrong = try await oss.send(.post, "/files?delete", ["Content-MD5": "XrY7u+Ae7tCTyyK7j1rNww=="], document: document)
            #expect(wrong.code == "InvalidDigest")
            #expect(try await delete("<Delete></Delete>", in: oss).code == "MalformedXML")
            #expect(try await oss.send(.get, "/files/a").status == 200)
        }
    }

    @Test("bypass a retention only for keys for which the caller has permission")
    func bypass() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.keepVersions(in: "files")
            let configuration = """
                <ObjectWormConfiguration><ObjectWormEnabled>Enabled</ObjectWormEnabled><Rule><DefaultRetention><Mode>GOVERNANCE</Mode>\
                <Days>1</Days></DefaultRetention></Rule></ObjectWormConfiguration>
                """
            #expect(try await oss.send(.put, "/files?objectWorm", document: configuration).status == 200)
            let denial = """
                {"Version":"1","Statement":[{"Effect":"Deny","Principal":["\(OSSSandbox.owner)"],"Action":["oss:BypassGovernanceRetention"],\
                "Resource":["acs:oss:*:*:files/kept/*"]}]}
                """
            #expect(try await oss.send(.put, "/files?policy", document: denial).status == 200)
            let kept = try #require(try await oss.put("kept/a", "1")["x-oss-version-id"])
            let other = try #require(try await oss.put("b", "1")["x-oss-version-id"])
            let document = """
                <Delete><Object><Key>kept/a</Key><VersionId>\(kept)</VersionId></Object>\
                <Object><Key>b</Key><VersionId>\(other)</VersionId></Object></Delete>
                """
            let digest = MD5.hash(Array(document.utf8)).base64
            let answer = try await oss.send(
                .post, "/files?delete", ["Content-MD5": digest, "x-oss-bypass-governance-retention": "true"], document: document)
            #expect(answer.status == 200)
            #expect(answer.element("Deleted", "Key") == "b")
            #expect(try await oss.send(.get, "/files/kept/a?versionId=\(kept)").status == 200)
            #expect(try await oss.send(.get, "/files/b?versionId=\(other)").code == "NoSuchVersion")
        }
    }

    @Test(
        "with a sub-resource that cannot be deleted leave the object unchanged",
        arguments: ["acl", "uploads", "retention", "restore"])
    func parts(_ part: String) async throws {
        try await OSSSandbox.run { oss async throws in
            for method in [HTTPRequest.Method.delete, .put] where method == .delete || ["uploads", "restore"].contains(part) {
                let refused = try await oss.send(method, "/files/public/hello.txt?\(part)", body: method == .put ? [1] : nil)
                #expect(refused.status == 405)
                #expect(refused.code == "MethodNotAllowed")
            }
            #expect(try await oss.send(.get, "/files/public/hello.txt").text == "0123456789")
        }
    }

    @Test("with ?symlink remove a link, in one version or all")
    func links() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.keepVersions(in: "files")
            let target = ["x-oss-symlink-target": "public/hello.txt"] as KeyValuePairs
            let version = try #require(try await oss.send(.put, "/files/link?symlink", target)["x-oss-version-id"])
            #expect(try await oss.send(.delete, "/files/link?symlink")["x-oss-delete-marker"] == "true")
            #expect(try await oss.send(.delete, "/files/link?symlink&versionId=\(version)").status == 204)
            #expect(try await oss.send(.get, "/files/link?symlink&versionId=\(version)").code == "NoSuchVersion")
            #expect(try await oss.send(.get, "/files/public/hello.txt").text == "0123456789")
        }
    }

    @Test("are refused while a retention or a hold applies")
    func retention() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.keepVersions(in: "files")
            let version = try #require(try await oss.put("a", "1")["x-oss-version-id"])
            let hold = "<LegalHold><Status>ON</Status></LegalHold>"
            #expect(try await oss.send(.put, "/files/a?legalHold", document: hold).code == "InvalidRequest")
            let configuration = "<ObjectWormConfiguration><ObjectWormEnabled>Enabled</ObjectWormEnabled></ObjectWormConfiguration>"
            #expect(try await oss.send(.put, "/files?objectWorm", document: configuration).status == 200)
            let until = (oss.cloud.clock.now + .seconds(86_400)).iso8601
            let document = "<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>\(until)</RetainUntilDate></Retention>"
            #expect(try await oss.send(.put, "/files/a?retention&versionId=\(version)", document: document).status == 200)
            #expect(try await oss.send(.get, "/files/a?retention").element("Mode") == "GOVERNANCE")
            #expect(try await oss.send(.head, "/files/a")["x-oss-object-worm-mode"] == "GOVERNANCE")
            let refused = try await oss.send(.delete, "/files/a?versionId=\(version)")
            #expect(refused.status == 409)
            #expect(refused.code == "FileImmutable")
            #expect(try await oss.send(.put, "/files/a?legalHold", document: hold).status == 200)
            let bypass: KeyValuePairs<String, String> = ["x-oss-bypass-governance-retention": "true"]
            #expect(try await oss.send(.delete, "/files/a?versionId=\(version)", bypass).code == "FileImmutable")
            #expect(try await oss.send(.put, "/files/a?legalHold", document: "<LegalHold><Status>OFF</Status></LegalHold>").status == 200)
            #expect(try await oss.send(.get, "/files/a?legalHold").element("Status") == "OFF")
            #expect(try await oss.send(.delete, "/files/a?versionId=\(version)", bypass).status == 204)
        }
    }
}

extension OSSSandbox {
    /// Enables versioning for a bucket.
    func keepVersions(in name: String) async throws {
        let bucket = try #require(cloud.objects.bucket(named: name))
        _ = try await cloud.objects.configure(bucket.id) { $0.versioning = .enabled }
    }
}

@Suite("The document of DeleteMultipleObjects")
struct OSSDeleteRequestTests {
    private func keys(_ text: String) throws -> [String] { try OSSDeleteRequest(parsing: Array(text.utf8)).objects.map(\.key) }

    @Test(
        "contains keys with any characters",
        arguments: [
            ("<Key>a&#01;b</Key>", "a\u{1}b"), ("<Key>\u{2}\n\u{1F}</Key>", "\u{2}\n\u{1F}"),
            ("<Key>&lt;&amp;&gt;&quot;&apos;</Key>", "<&>\"'"),
            ("<Key>&#x4E2D;&#20013;</Key>", "\u{4E2D}\u{4E2D}"), ("<Key><![CDATA[<a>&amp;]]>b</Key>", "<a>&amp;b"),
            ("<VersionId>null</VersionId><Key> a </Key>", " a "),
            ("<Key>a\r\nb&#13;</Key>", "a\r\nb\r"),
            ("<Key>&#xFFFE;</Key>", "\u{FFFE}"),
        ])
    func characters(_ object: String, _ key: String) throws {
        let text = "<?xml version=\"1.0\"?>\n<Delete xmlns=\"x\">\n <Object>\n\(object)</Object> </Delete>\n"
        #expect(try keys(text) == [key])
    }

    @Test(
        "is refused if it is malformed",
        arguments: [
            "", "<Delete>", "<Delete><Object><Key>a</Object></Delete>", "<Delete><Key>a</Key></Delete>",
            "<Delete><Object><Key>a</Key></Object></Delete>x", "<Delete><Object><Key>&unknown;</Key></Object></Delete>",
            "<Delete><Object><Key>&#xD800;</Key></Object></Delete>", "<Delete><Quiet>maybe</Quiet><Object><Key>a</Key></Object></Delete>",
            "<Delete", "<Delete><Object><Key>&#1", "<Delete><Object><Key><![CDATA[",
            "<!DOCTYPE Delete><Delete><Object><Key>a</Key></Object></Delete>", "<Delete>x<Object><Key>a</Key></Object></Delete>",
            "<Delete><Object><Key><b>a</b></Key></Object></Delete>",
        ])
    func malformed(_ text: String) {
        #expect(throws: OSSError(.malformedXML)) { try OSSDeleteRequest(parsing: Array(text.utf8)) }
    }

    /// OSS error codes 0016-00000612 and 0016-00000613.
    @Test(
        "is refused for an object without a key, and for an empty version",
        arguments: [
            ("<Object></Object>", "MalformedXML", "0016-00000613"), ("<Object/>", "MalformedXML", "0016-00000613"),
            ("<Object><VersionId>null</VersionId></Object>", "MalformedXML", "0016-00000613"),
            ("<Object><Key>a</Key><VersionId></VersionId></Object>", "InvalidArgument", "0016-00000612"),
            ("<Object><VersionId/><Key>a</Key></Object>", "InvalidArgument", "0016-00000612"),
        ])
    func causes(_ object: String, code: String, subcode: String) throws {
        let error = try #require(throws: OSSError.self) { try OSSDeleteRequest(parsing: Array("<Delete>\(object)</Delete>".utf8)) }
        #expect(error.code == code)
        #expect(error.status == 400)
        #expect(error.subcode == subcode)
    }

    @Test("names at most a thousand keys")
    func limit() throws {
        func document(_ count: Int) -> String {
            "<Delete>" + (0..<count).map { "<Object><Key>k\($0)</Key></Object>" }.joined() + "</Delete>"
        }
        #expect(try keys(document(1000)).count == 1000)
        #expect(throws: OSSError(.malformedXML)) { try keys(document(1001)) }
    }
}
