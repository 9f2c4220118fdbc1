import Cloud
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, CreateCnameToken, GetCnameToken, PutCname, ListCname, DeleteCname.
@Suite("Custom host names of buckets of OSS")
struct BucketCnameTests {
    private static let seed = """
        {alibaba: {accounts: [
          {id: "1234567890123456", name: "harbour", rootKeys: [{id: "LTAIowner", secret: "owner"}],
           buckets: [{name: "files", hosts: ["files.example.com", "other.example.com"]}]}]}}
        """

    private static func document(_ host: String) -> String {
        "<BucketCnameConfiguration><Cname><Domain>\(host)</Domain></Cname></BucketCnameConfiguration>"
    }

    @Test("have tokens, which stay the same until they expire")
    func tokens() async throws {
        try await OSSSandbox.run(seed: Self.seed) { oss async throws in
            let missing = try await oss.send(.get, "/files?cname=www.example.com&comp=token")
            #expect(missing.status == 404)
            #expect(missing.code == "CnameTokenNotFound")
            let made = try await oss.send(.post, "/files?cname&comp=token", document: Self.document("WWW.example.com"))
            #expect(made.status == 200)
            #expect(made.element("Bucket") == "files")
            #expect(made.element("Cname") == "www.example.com")
            let token = try #require(made.element("Token"))
            #expect(!token.isEmpty)
            #expect(made.element("ExpireTime")?.hasSuffix("GMT") == true)
            let again = try await oss.send(.post, "/files?cname&comp=token", document: Self.document("www.example.com"))
            #expect(again.element("Token") == token)
            #expect(try await oss.send(.get, "/files?cname=www.example.com&comp=token").element("Token") == token)
            try await oss.cloud.age(by: .seconds(73 * 3600))
            #expect(try await oss.send(.get, "/files?cname=www.example.com&comp=token").code == "CnameTokenNotFound")
            for host in ["", "localhost", "a..b", "-a.b", "a b.c"] {
                #expect(try await oss.send(.post, "/files?cname&comp=token", document: Self.document(host)).code == "InvalidArgument")
            }
        }
    }

    @Test("are limited to those of the seed, because Virga does not query DNS")
    func hosts() async throws {
        try await OSSSandbox.run(seed: Self.seed) { oss async throws in
            let foreign = try await oss.send(.post, "/files?cname&comp=add", document: Self.document("www.example.com"))
            #expect(foreign.status == 403)
            #expect(foreign.code == "NeedVerifyDomainOwnership")
            #expect(try await oss.send(.post, "/files?cname&comp=add", document: Self.document("files.example.com")).status == 200)
            #expect(try await oss.send(.post, "/files?cname&comp=delete", document: Self.document("other.example.com")).status == 200)
            #expect(try await oss.send(.post, "/files?cname&comp=delete", document: Self.document("other.example.com")).status == 200)
            let list = try await oss.send(.get, "/files?cname")
            #expect(list.element("Bucket") == "files")
            #expect(list.element("Owner") == OSSSandbox.owner)
            let hosts = try list.xml.children(named: "Cname")
            #expect(hosts.map { $0.child("Domain")?.text } == ["files.example.com"])
            #expect(hosts.first?.child("Status")?.text == "Enabled")
            #expect(oss.cloud.objects.bucket(hostedAt: "other.example.com") == nil)
            #expect(try await oss.send(.get, "/files?cname", as: .nobody).status == 403)
        }
    }
}
