import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, PutBucketEncryption, PutBucketObjectWormConfiguration, PutBucketOverwriteConfig, InitiateBucketWorm,
/// PutBucketArchiveDirectRead.
@Suite("Settings of OSS buckets for their objects")
struct BucketDefaultsTests {
    @Test("encrypt objects without an encryption of their own")
    func encryption() async throws {
        try await OSSSandbox.run { oss async throws in
            let rule = "<SSEAlgorithm>KMS</SSEAlgorithm><KMSDataEncryption>SM4</KMSDataEncryption><KMSMasterKeyID>k1</KMSMasterKeyID>"
            let put = try await oss.send(
                .put, "/files?encryption",
                document: "<ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault>\(rule)"
                    + "</ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>")
            #expect(put.status == 200)
            let silent = try await oss.put("a", "x")
            #expect(silent["x-oss-server-side-encryption"] == "KMS")
            #expect(silent["x-oss-server-side-encryption-key-id"] == "k1")
            #expect(silent["x-oss-server-side-data-encryption"] == "SM4")
            #expect(try await oss.put("b", "x", ["x-oss-server-side-encryption": "AES256"])["x-oss-server-side-encryption"] == "AES256")
        }
    }

    @Test(
        "encrypt as the headers of the bucket's creation say",
        arguments: [
            (["x-oss-server-side-encryption": "SM4"], "SM4", nil),
            (["x-oss-server-side-encryption": "KMS", "x-oss-server-side-data-encryption": "SM4"], "KMS", "SM4"),
        ] as [(KeyValuePairs<String, String>, String, String?)])
    func made(_ fields: KeyValuePairs<String, String>, _ method: String, _ cipher: String?) async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.put, "/made", fields).status == 200)
            let info = try await oss.send(.get, "/made?bucketInfo")
            #expect(info.element("Bucket", "ServerSideEncryptionRule", "SSEAlgorithm") == method)
            #expect(info.element("Bucket", "ServerSideEncryptionRule", "KMSDataEncryption") == cipher)
            let object = try await oss.put("a", "x", in: "made")
            #expect(object["x-oss-server-side-encryption"] == method)
            #expect(object["x-oss-server-side-data-encryption"] == cipher)
            let wrong = try await oss.send(.put, "/other", ["x-oss-server-side-encryption": "DES"])
            #expect(wrong.code == "InvalidEncryptionAlgorithmError")
        }
    }

    @Test("retain objects without a retention of their own")
    func retention() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.keepVersions(in: "files")
            let rule = "<Rule><DefaultRetention><Mode>COMPLIANCE</Mode><Days>1</Days></DefaultRetention></Rule>"
            let put = try await oss.send(
                .put, "/files?objectWorm",
                document: "<ObjectWormConfiguration><ObjectWormEnabled>Enabled</ObjectWormEnabled>\(rule)</ObjectWormConfiguration>")
            #expect(put.status == 200)
            let version = try #require(try await oss.put("a", "x")["x-oss-version-id"])
            #expect(try await oss.send(.delete, "/files/a?versionId=\(version)").code == "FileImmutable")
            #expect(try await oss.send(.delete, "/files/a")["x-oss-delete-marker"] == "true")
            _ = try await oss.send(.post, "/files/log?append&position=0", body: [1])
            #expect(try await oss.send(.post, "/files/log?append&position=1", body: [2]).code == "FileImmutable")
            try await oss.cloud.age(by: .seconds(86_401))
            #expect(try await oss.send(.delete, "/files/a?versionId=\(version)").status == 204)
        }
    }

    @Test("prevent changes of objects while the bucket is retained")
    func worm() async throws {
        try await OSSSandbox.run { oss async throws in
            let begun = try await oss.send(
                .post, "/files?worm",
                document: "<InitiateWormConfiguration><RetentionPeriodInDays>1</RetentionPeriodInDays></InitiateWormConfiguration>")
            let id = try #require(begun["x-oss-worm-id"])
            #expect(try await oss.send(.post, "/files?wormId=\(id)").status == 200)
            #expect(try await oss.put("public/hello.txt", "x").code == "FileImmutable")
            #expect(try await oss.send(.delete, "/files/public/hello.txt").code == "FileImmutable")
            #expect(try await oss.put("new", "x").status == 200)
            try await oss.cloud.age(by: .seconds(86_401))
            #expect(try await oss.send(.delete, "/files/public/hello.txt").status == 204)
        }
    }

    @Test("prevent some callers from overwriting some keys")
    func overwriting() async throws {
        try await OSSSandbox.run { oss async throws in
            let rules =
                "<Rule><ID>1</ID><Action>forbid</Action><Prefix>public/</Prefix><Suffix>.txt</Suffix></Rule>"
                + "<Rule><ID>2</ID><Action>forbid</Action><Prefix>others/</Prefix><Principals><Principal>27737962156157xxxx</Principal>"
                + "</Principals></Rule>"
            let put = try await oss.send(
                .put, "/files?overwriteConfig", document: "<OverwriteConfiguration>\(rules)</OverwriteConfiguration>")
            #expect(put.status == 200)
            #expect(try await oss.put("public/hello.txt", "x").code == "FileAlreadyExists")
            #expect(try await oss.put("public/new.txt", "x").status == 200)
            for key in ["others/a", "public/a.png"] {
                #expect(try await oss.put(key, "1").status == 200)
                #expect(try await oss.put(key, "2").status == 200)
            }
        }
    }

    @Test("allow direct reads of archived objects")
    func archive() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("a", "x", ["x-oss-storage-class": "Archive"])
            try await oss.put("b", "x", ["x-oss-storage-class": "ColdArchive"])
            #expect(try await oss.send(.get, "/files/a").code == "InvalidObjectState")
            let put = try await oss.send(
                .put, "/files?bucketArchiveDirectRead",
                document: "<ArchiveDirectReadConfiguration><Enabled>true</Enabled></ArchiveDirectReadConfiguration>")
            #expect(put.status == 200)
            #expect(try await oss.send(.get, "/files/a").text == "x")
            #expect(try await oss.send(.get, "/files/b").code == "InvalidObjectState")
        }
    }
}
