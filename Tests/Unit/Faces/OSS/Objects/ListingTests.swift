import Cloud
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

@Suite("Listings of OSS")
struct OSSListingTests {
    private func keys(_ answer: OSSAnswer, _ name: String = "Contents") throws -> [String] {
        try answer.xml.children(named: name).compactMap { $0.child("Key")?.text }
    }

    private func prefixes(_ answer: OSSAnswer) throws -> [String] {
        try answer.xml.children(named: "CommonPrefixes").compactMap { $0.child("Prefix")?.text }
    }

    @Test("continue after the marker, a hundred keys at a time")
    func firstVersion() async throws {
        try await OSSSandbox.run { oss async throws in
            for number in 0..<101 { try await oss.store("n/\(1000 + number)", "x") }
            let page = try await oss.send(.get, "/files?prefix=n/")
            #expect(try keys(page).count == 100)
            #expect(page.element("MaxKeys") == "100")
            #expect(page.element("IsTruncated") == "true")
            #expect(page.element("NextMarker") == "n/1099")
            #expect(page.element("Prefix") == "n/")
            #expect(page.element("Name") == "files")
            let rest = try await oss.send(.get, "/files?prefix=n/&marker=n/1099")
            #expect(try keys(rest) == ["n/1100"])
            #expect(rest.element("NextMarker") == nil)
            #expect(rest.element("IsTruncated") == "false")
            let object = try #require(rest.xml.child("Contents"))
            #expect(object.child("ETag")?.text == "\"9DD4E461268C8034F5C8564E155C67A6\"")
            #expect(object.child("Type")?.text == "Normal")
            #expect(object.child("Size")?.text == "1")
            #expect(object.child("StorageClass")?.text == "Standard")
            #expect(object.child("LastModified")?.text.hasSuffix("Z") == true)
            #expect(object.child("Owner")?.child("ID")?.text == OSSSandbox.owner)
        }
    }

    @Test("group keys by a delimiter, and URL-encode them on request")
    func encoding() async throws {
        try await OSSSandbox.run { oss async throws in
            for key in ["url-%123-/?#:key-0", "a\u{1}b", "deep/one", "deep/two", "deep/er/three"] { try await oss.store(key, "x") }
            let plain = try await oss.send(.get, "/files?prefix=deep/&delimiter=/")
            #expect(try keys(plain) == ["deep/one", "deep/two"])
            #expect(try prefixes(plain) == ["deep/er/"])
            let encoded = try await oss.send(.get, "/files?encoding-type=url&max-keys=1&delimiter=/&prefix=url-&marker=url-")
            #expect(encoded.element("EncodingType") == "url")
            #expect(encoded.element("Delimiter") == "/")
            #expect(try prefixes(encoded) == ["url-%25123-/"])
            let control = try await oss.send(.get, "/files?encoding-type=url&prefix=a")
            #expect(try keys(control) == ["a%01b"])
            #expect(try await oss.send(.get, "/files?encoding-type=base64").code == "InvalidArgument")
            let long = String(repeating: "a", count: 1025)
            for query in ["prefix=", "delimiter=", "marker=", "list-type=2&start-after=", "versions&key-marker=", "uploads&key-marker="] {
                #expect(try await oss.send(.get, "/files?\(query)\(long)").code == "InvalidArgument")
            }
        }
    }

    @Test("of the second version continue after a token")
    func secondVersion() async throws {
        try await OSSSandbox.run { oss async throws in
            for key in ["a", "b", "c"] { try await oss.store(key, "x") }
            let first = try await oss.send(.get, "/files?list-type=2&max-keys=2&continuation-token=&start-after=")
            #expect(try keys(first) == ["a", "b"])
            #expect(first.element("KeyCount") == "2")
            #expect(try first.xml.child("Contents")?.child("Owner") == nil)
            let token = try #require(first.element("NextContinuationToken"))
            let second = try await oss.send(
                .get, "/files?list-type=2&fetch-owner=true&continuation-token=\(percentEncoded(token))&prefix=c")
            #expect(try keys(second) == ["c"])
            #expect(second.element("ContinuationToken") == token)
            #expect(try second.xml.child("Contents")?.child("Owner")?.child("ID")?.text == OSSSandbox.owner)
            let after = try await oss.send(.get, "/files?list-type=2&start-after=b&max-keys=1")
            #expect(try keys(after) == ["c"])
            #expect(after.element("StartAfter") == "b")
            let wrong = try await oss.send(.get, "/files?list-type=2&continuation-token=err-token")
            #expect(wrong.status == 400)
            #expect(wrong.code == "InvalidArgument")
            #expect(wrong.element("ArgumentName") == "continuation-token")
        }
    }

    @Test("of versions show the objects of buckets without versioning")
    func versions() async throws {
        try await OSSSandbox.run { oss async throws in
            let never = try await oss.send(.get, "/files?versions&max-keys=999&key-marker=MARKER&encoding-type=url")
            #expect(try keys(never, "Version") == ["public/hello.txt"])
            #expect(never.element("MaxKeys") == "999")
            #expect(never.element("KeyMarker") == "MARKER")
            #expect(never.element("EncodingType") == "url")
            #expect(try never.xml.child("Version")?.child("VersionId")?.text == "null")
            let status = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            #expect(try await oss.send(.put, "/files?versioning", document: status).status == 200)
            try await oss.store("public/hello.txt", "newer")
            let page = try await oss.send(.get, "/files?versions&max-keys=1")
            #expect(page.element("IsTruncated") == "true")
            #expect(page.element("NextKeyMarker") == "public/hello.txt")
            let marker = try #require(page.element("NextVersionIdMarker"))
            let rest = try await oss.send(.get, "/files?versions&key-marker=public/hello.txt&version-id-marker=\(marker)")
            #expect(try rest.xml.child("Version")?.child("VersionId")?.text == "null")
            #expect(try rest.xml.child("Version")?.child("IsLatest")?.text == "false")
            #expect(try await oss.send(.get, "/files?versions&key-marker=a&version-id-marker=x").code == "InvalidArgument")
            let long = String(repeating: "a", count: 1025)
            for name in ["prefix", "delimiter", "key-marker"] {
                #expect(try await oss.send(.get, "/files?versions&\(name)=\(long)").code == "InvalidArgument")
            }
        }
    }

    @Test("of uploads name their last entry even if nothing follows")
    func uploads() async throws {
        try await OSSSandbox.run { oss async throws in
            let bucket = try #require(oss.cloud.objects.bucket(named: "files"))
            let empty = try await oss.send(.get, "/files?uploads")
            #expect(empty.element("NextKeyMarker") == "")
            #expect(empty.element("MaxUploads") == "1000")
            #expect(empty.element("KeyMarker") == "")
            let upload = try await oss.cloud.objects.createUpload(
                NewUpload(key: "a b", owner: OSSSandbox.owner, initiated: oss.cloud.clock.now), in: bucket.id)
            let listed = try await oss.send(.get, "/files?uploads&encoding-type=url")
            let members = try listed.xml.children.map(\.name)
            #expect(
                members == [
                    "Bucket", "EncodingType", "KeyMarker", "UploadIdMarker", "NextKeyMarker", "NextUploadIdMarker", "Delimiter", "Prefix",
                    "MaxUploads", "IsTruncated", "Upload",
                ])
            #expect(listed.element("NextKeyMarker") == "a%20b")
            #expect(listed.element("NextUploadIdMarker") == upload.id)
            #expect(listed.element("IsTruncated") == "false")
            #expect(listed.element("Upload", "UploadId") == upload.id)
            #expect(listed.element("Upload", "Initiated")?.hasSuffix("Z") == true)
            let stat = try await oss.send(.get, "/files?stat")
            #expect(stat.element("MultipartUploadCount") == "1")
        }
    }

    @Test("accept limits from 1 to 1,000")
    func limits() async throws {
        try await OSSSandbox.run { oss async throws in
            for target in ["max-keys=0", "max-keys=1001", "versions&max-keys=x", "uploads&max-uploads=0", "list-type=2&max-keys=-1"] {
                let answer = try await oss.send(.get, "/files?\(target)")
                #expect(answer.status == 400, "\(target)")
                #expect(answer.code == "InvalidArgument", "\(target)")
            }
        }
    }

    @Test("of live channels are empty, with all elements that clients expect")
    func live() async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.get, "/files?live")
            #expect(answer.element("IsTruncated") == "false")
            #expect(answer.element("MaxKeys") == "100")
            #expect(answer.element("NextMarker") == "")
        }
    }
}
