import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

@Suite("Inputs of operations on buckets of OSS")
struct OSSBucketInputTests {
    @Test("PutBucket and PutBucketAcl")
    func creation() throws {
        let plain = PutBucketInput(try ossFields())
        #expect(plain.access == nil)
        #expect(plain.accessName == nil)
        #expect(plain.resourceGroup.isEmpty)
        #expect(plain.encryption.method == nil)
        let asked = PutBucketInput(
            try ossFields("", [.ossACL: "public-read", .ossResourceGroupID: "rg-1", .ossEncryption: "KMS", .ossEncryptionKeyID: "k"]))
        #expect(try asked.access?.get() == .publicRead)
        #expect(asked.accessName == "public-read")
        #expect(asked.resourceGroup == "rg-1")
        #expect(asked.encryption.method == "KMS")
        #expect(asked.encryption.keyID == "k")
        #expect(asked.encryption.dataCipher == nil)
        #expect(throws: OSSError.self) { try PutBucketInput(try ossFields("", [.ossACL: "x"])).access?.get() }
        #expect(try PutBucketACLInput(try ossFields("", [.ossACL: "private"])).access == .private)
        #expect(refusal(PutBucketACLInput.self, try ossFields()) == "InvalidArgument")
        #expect(refusal(PutBucketACLInput.self, try ossFields("", [.ossACL: "x"])) == "InvalidArgument")
    }

    @Test("Settings of a bucket")
    func settings() throws {
        #expect(PutBucketLifecycleInput(try ossFields("", [.ossAllowSameActionOverlap: "true"])).allowsOverlap)
        #expect(!PutBucketLifecycleInput(try ossFields()).allowsOverlap)
        #expect(try BucketWormInput(ossFields("wormId=w")).id == "w")
        #expect(try BucketWormInput(ossFields()).id == nil)
        #expect(DeleteBucketTagsInput(try ossFields("tagging=a,b")).keys == ["a", "b"])
        #expect(DeleteBucketTagsInput(try ossFields("tagging")).keys.isEmpty)
        #expect(CnameInput(try ossFields("cname=WWW.Example.com")).host == "www.example.com")
        #expect(AccessPointInput(try ossFields("x-oss-access-point-name=p")).name == "p")
    }

    @Test("Configurations that are kept by name")
    func named() throws {
        let style = NamedConfigurationInput(try ossFields("style&styleName=a-B.9_&category=video"), .style)
        #expect(try style.checkedName("styleName") == "a-B.9_")
        #expect(style.category == "video")
        #expect(style.token.isEmpty)
        let inventory = NamedConfigurationInput(try ossFields("inventory&continuation-token=t"), .inventory)
        #expect(inventory.name == nil)
        #expect(inventory.token == "t")
        for query in ["", "styleName=", "styleName=a/b", "styleName=" + String(repeating: "a", count: 65)] {
            let wrong = NamedConfigurationInput(try ossFields(query), .style)
            #expect(throws: OSSError.self, "\(query)") { try wrong.checkedName("styleName") }
        }
    }
}
