import Cloud
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

@Suite("Buckets of OSS")
struct OSSBucketTests {
    @Test("can be created again by their owner only")
    func creation() async throws {
        try await OSSSandbox.run { oss async throws in
            let made = try await oss.send(.put, "/fresh-one")
            #expect(made.status == 200)
            #expect(made["Location"] == "/fresh-one")
            #expect(made["x-oss-request-id"]?.count == 24)
            let again = try await oss.send(.put, "/fresh-one", ["x-oss-acl": "public-read"])
            #expect(again.status == 200)
            #expect(try await oss.send(.get, "/fresh-one?acl").element("AccessControlList", "Grant") == "public-read")
            let taken = try await oss.send(.put, "/fresh-one", as: .stranger)
            #expect(taken.status == 409)
            #expect(taken.code == "BucketAlreadyExists")
            #expect(taken.element("BucketName") == "fresh-one")
            #expect(try await oss.send(.put, "/fresh-one", as: .nobody).status == 403)
        }
    }

    @Test(
        "have names of lowercase letters, digits and hyphens",
        arguments: ["ab", "Upper", "a_b", "-ab", "ab-", "a.b.c", String(repeating: "a", count: 64)])
    func names(_ name: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.put, "/\(name)")
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidBucketName")
        }
    }

    @Test("have the storage class and redundancy of their document")
    func configuration() async throws {
        try await OSSSandbox.run { oss async throws in
            let document = """
                <CreateBucketConfiguration><StorageClass>IA</StorageClass><DataRedundancyType>ZRS</DataRedundancyType>\
                </CreateBucketConfiguration>
                """
            #expect(try await oss.send(.put, "/infrequent", document: document).status == 200)
            let info = try await oss.send(.get, "/infrequent?bucketInfo")
            #expect(info.element("Bucket", "StorageClass") == "IA")
            #expect(info.element("Bucket", "DataRedundancyType") == "ZRS")
            for (broken, code) in [
                ("<CreateBucketConfiguration><Class/></CreateBucketConfiguration>", "MalformedXML"), ("<a", "MalformedXML"),
                ("<CreateBucketConfiguration><StorageClass>Cold</StorageClass></CreateBucketConfiguration>", "InvalidStorageClass"),
            ] {
                let refused = try await oss.send(.put, "/broken-one", document: broken)
                #expect(refused.status == 400)
                #expect(refused.code == code)
            }
            let word = try await oss.send(.put, "/broken-one", ["x-oss-acl": "public"])
            #expect(word.status == 400)
            #expect(word.code == "InvalidArgument")
            #expect(word.element("ArgumentValue") == "public")
        }
    }

    @Test("return their properties")
    func info() async throws {
        try await OSSSandbox.run { oss async throws in
            let info = try await oss.send(.get, "/foreign?bucketInfo", as: .stranger)
            #expect(info["Content-Type"] == "application/xml")
            let expected = [
                "AccessMonitor": "Disabled", "BlockPublicAccess": "true", "CrossRegionReplication": "Disabled", "DataRedundancyType": "LRS",
                "ExtranetEndpoint": "http://127.0.0.1:4566", "IntranetEndpoint": "http://127.0.0.1:4566", "Location": "oss-cn-hangzhou",
                "Name": "foreign", "StorageClass": "Standard", "TransferAcceleration": "Disabled",
            ]
            for (name, value) in expected { #expect(info.element("Bucket", name) == value) }
            #expect(info.element("Bucket", "Owner", "ID") == OSSSandbox.stranger)
            #expect(info.element("Bucket", "AccessControlList", "Grant") == "private")
            #expect(info.element("Bucket", "ServerSideEncryptionRule", "SSEAlgorithm") == "None")
            #expect(info.element("Bucket", "Versioning") == nil)
            #expect(info.element("Bucket", "CreationDate")?.hasSuffix("Z") == true)
            let location = try await oss.send(.get, "/foreign?location", as: .stranger)
            #expect(location.text.hasSuffix("<LocationConstraint>oss-cn-hangzhou</LocationConstraint>"))
        }
    }

    @Test("count their objects")
    func statistics() async throws {
        try await OSSSandbox.run { oss async throws in
            let empty = try await oss.send(.get, "/foreign?stat", as: .stranger)
            for name in [
                "Storage", "ObjectCount", "MultipartUploadCount", "LiveChannelCount", "LastModifiedTime", "StandardStorage",
                "InfrequentAccessRealStorage", "ArchiveObjectCount", "ColdArchiveStorage", "DeepColdArchiveObjectCount",
                "DeleteMarkerCount", "MultipartPartCount",
            ] {
                #expect(empty.element(name) == "0", "\(name)")
            }
            let filled = try await oss.send(.get, "/files?stat")
            #expect(filled.element("Storage") == "10")
            #expect(filled.element("ObjectCount") == "1")
            #expect(filled.element("StandardObjectCount") == "1")
            #expect(filled.element("LastModifiedTime") != "0")
        }
    }

    @Test("can be deleted when they are empty")
    func deletion() async throws {
        try await OSSSandbox.run { oss async throws in
            let full = try await oss.send(.delete, "/files")
            #expect(full.status == 409)
            #expect(full.code == "BucketNotEmpty")
            #expect(full["x-oss-ec"] == "0015-00000301")
            // Parts of an upload that can still be completed are content, too.
            let id = try #require(try await oss.send(.post, "/foreign/a?uploads", as: .stranger).element("UploadId"))
            #expect(try await oss.send(.delete, "/foreign", as: .stranger).code == "BucketNotEmpty")
            #expect(try await oss.send(.delete, "/foreign/a?uploadId=\(id)", as: .stranger).status == 204)
            #expect(try await oss.send(.delete, "/foreign", as: .stranger).status == 204)
            let gone = try await oss.send(.delete, "/foreign", as: .stranger)
            #expect(gone.status == 404)
            #expect(gone.code == "NoSuchBucket")
            #expect(gone["x-oss-ec"] == "0015-00000101")
        }
    }

    @Test("that do not exist are reported before the access key is checked, except at their creation")
    func precedence() async throws {
        try await OSSSandbox.run { oss async throws in
            let bad = OSSSandbox.Signer.key("LTAIunknown", secret: "x", token: nil)
            for target in ["/not-there?versioning", "/not-there?acl", "/not-there?location", "/not-there?stat", "/not-there/key"] {
                #expect(try await oss.send(.get, target, as: bad).code == "NoSuchBucket")
            }
            #expect(try await oss.send(.put, "/not-there", as: bad).code == "InvalidAccessKeyId")
            #expect(try await oss.send(.put, "/not-there?acl", ["x-oss-acl": "private"], as: bad).code == "InvalidAccessKeyId")
            for target in ["/", "/?regions", "/?publicAccessBlock", "/?cloudboxes"] {
                let answer = try await oss.send(.get, target, as: bad)
                #expect(answer.status == 403)
                #expect(answer.code == "InvalidAccessKeyId")
            }
            for target in [
                "/files?replication", "/files?inventory", "/files?style", "/files?metaQuery", "/files?accessPoint", "/files?website",
                "/files?redundancyTransition",
            ] {
                #expect(try await oss.send(.get, target, as: bad).code == "InvalidAccessKeyId", "\(target)")
            }
            let head = try await oss.send(.head, "/files/nothing", as: bad)
            let document = String(decoding: [UInt8](base64: head["x-oss-err"] ?? "") ?? [], as: UTF8.self)
            #expect(head.status == 403)
            #expect(document.contains("<Code>InvalidAccessKeyId</Code>"))
        }
    }

    @Test("are listed in pages, by prefix and by tags")
    func listing() async throws {
        try await OSSSandbox.run { oss async throws in
            for name in ["list-a", "list-b", "list-c"] { _ = try await oss.send(.put, "/\(name)") }
            let tags =
                "<Tagging><TagSet><Tag><Key>env</Key><Value>test</Value></Tag><Tag><Key>team</Key><Value>dev</Value></Tag></TagSet></Tagging>"
            #expect(try await oss.send(.put, "/list-b?tagging", document: tags).status == 200)
            func names(_ answer: OSSAnswer) throws -> [String] {
                try answer.xml.child("Buckets")?.children.compactMap { $0.child("Name")?.text } ?? []
            }
            #expect(try await names(oss.send(.get, "/")) == ["files", "list-a", "list-b", "list-c"])
            let page = try await oss.send(.get, "/?prefix=list-&max-keys=2")
            #expect(try names(page) == ["list-a", "list-b"])
            #expect(page.element("IsTruncated") == "true")
            #expect(page.element("NextMarker") == "list-b")
            #expect(page.element("MaxKeys") == "2")
            #expect(page.element("Prefix") == "list-")
            let rest = try await oss.send(.get, "/?prefix=list-&marker=list-b")
            #expect(try names(rest) == ["list-c"])
            #expect(rest.element("IsTruncated") == "false")
            for filter in ["tag-key=env", "tag-key=env&tag-value=test", "tagging=%22env%22:%22test%22,%22team%22:%22dev%22"] {
                #expect(try await names(oss.send(.get, "/?\(filter)")) == ["list-b"], "\(filter)")
            }
            #expect(try await names(oss.send(.get, "/?tag-key=env&tag-value=live")).isEmpty)
            let bucket = try #require(try await oss.send(.get, "/?max-keys=1").xml.child("Buckets")?.child("Bucket"))
            for name in [
                "CreationDate", "ExtranetEndpoint", "IntranetEndpoint", "Location", "Name", "Region", "StorageClass", "ResourceGroupId",
            ] {
                #expect(bucket.child(name)?.text.isEmpty == false, "\(name)")
            }
            for limit in ["0", "1001", "x", "-1"] {
                #expect(try await oss.send(.get, "/?max-keys=\(limit)").code == "InvalidArgument")
            }
            #expect(try await oss.send(.get, "/", as: .nobody).element("EC") == "0003-00000401")
        }
    }

    @Test("are in regions, which are listed")
    func regions() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/?regions").xml.children.count > 1)
            let one = try await oss.send(.get, "/?regions=oss-cn-hangzhou").xml
            #expect(one.children.count == 1)
            let region = try #require(one.children.first)
            #expect(region.child("Region")?.text == "oss-cn-hangzhou")
            #expect(region.child("AccelerateEndpoint")?.text == "oss-accelerate.aliyuncs.com")
            #expect(region.child("InternalEndpoint")?.text == "oss-cn-hangzhou-internal.aliyuncs.com")
            #expect(region.child("InternetEndpoint")?.text == "oss-cn-hangzhou.aliyuncs.com")
            let unknown = try await oss.send(.get, "/?regions=oss-mars")
            #expect(unknown.status == 404)
            #expect(unknown.code == "NoSuchRegion")
        }
    }

    @Test("must be in the host at names of the real service")
    func hosts() async throws {
        try await OSSSandbox.run { oss async throws in
            let path = try await oss.send(.get, "/files?bucketInfo", authority: "oss-cn-hangzhou.aliyuncs.com")
            #expect(path.status == 403)
            #expect(path.code == "SecondLevelDomainForbidden")
            let host = try await oss.send(.get, "/?bucketInfo", bucketFromHost: "files", authority: "files.oss-cn-hangzhou.aliyuncs.com")
            #expect(host.element("Bucket", "ExtranetEndpoint") == "http://oss-cn-hangzhou.aliyuncs.com")
        }
    }

    @Test("of AWS do not exist here, but their names are in use")
    func otherCloud() async throws {
        try await OSSSandbox.run { oss async throws in
            _ = try await oss.cloud.objects.createBucket(
                named: "s3-bucket", account: "000000000000", region: "", created: oss.cloud.clock.now)
            #expect(try await oss.send(.get, "/s3-bucket?bucketInfo").code == "NoSuchBucket")
            #expect(try await oss.send(.put, "/s3-bucket").code == "BucketAlreadyExists")
        }
    }
}
