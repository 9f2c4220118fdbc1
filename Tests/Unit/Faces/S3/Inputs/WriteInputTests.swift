import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import Testing

import struct Policy.Tag

@testable import S3Face

@Suite("Inputs of writes")
struct WriteInputTests {
    @Test("An object that is made")
    func object() throws {
        let plain = ObjectWriteInput(try s3Fields())
        #expect(try plain.attributes.get() == ObjectAttributes())
        #expect(plain.tags == nil)
        #expect(try plain.condition.get() == .none)
        #expect(plain.accessControl.isEmpty)
        #expect(plain.lock.isEmpty)
        #expect(plain.encryption.scheme == nil)
        #expect(plain.encryption.customerKey == nil)
        let asked = ObjectWriteInput(
            try s3Fields(
                "",
                [
                    .contentType: "text/plain", .tagging: "a=b", .ifNoneMatch: "*", .cannedACL: "private", .objectLockMode: "GOVERNANCE",
                    .objectLockLegalHold: "ON", .serverSideEncryption: "aws:kms", .encryptionKeyID: "k",
                ]))
        #expect(try asked.attributes.get().contentType == "text/plain")
        #expect(try asked.tags?.get() == [Tag(key: "a", value: "b")])
        #expect(try asked.condition.get() == .ifNoneMatchAny)
        #expect(asked.accessControl.canned == "private")
        #expect(asked.lock.mode == "GOVERNANCE")
        #expect(asked.lock.until == nil)
        #expect(asked.lock.legalHold == "ON")
        #expect(asked.encryption.scheme == "aws:kms")
        #expect(asked.encryption.keyID == "k")
    }

    @Test("Each part of an object keeps its own refusal")
    func refusals() throws {
        let wrong = ObjectWriteInput(
            try s3Fields("", [.storageClass: "x", .tagging: "a=b&a=c", .ifMatch: "*", .customerAlgorithm: "x"]))
        #expect(throws: S3Error.self) { try wrong.attributes.get() }
        #expect(throws: S3Error.self) { try wrong.tags?.get() }
        #expect(throws: S3Error.self) { try wrong.condition.get() }
        #expect(throws: S3Error.self) { try wrong.encryption.customerKey?.get() }
    }

    @Test("CopyObject")
    func copy() throws {
        let plain = try CopyObjectInput(try s3Fields("", [.copySource: "/bucket/key"]))
        #expect(plain.source.key == "key")
        #expect(!plain.directives.replacesMetadata)
        #expect(!plain.changesObject)
        #expect(plain.checksumAlgorithm == nil)
        let asked = try CopyObjectInput(
            try s3Fields("", [.copySource: "/bucket/key", .metadataDirective: "REPLACE", .checksumAlgorithm: "SHA256"]))
        #expect(asked.directives.replacesMetadata)
        #expect(asked.changesObject)
        #expect(asked.checksumAlgorithm == .sha256)
        #expect(try CopyObjectInput(try s3Fields("", [.copySource: "box/k", .storageClass: "STANDARD_IA"])).changesObject)
        for headers: HTTPFields in [
            [.copySource: "box/k", .metadataDirective: "x"], [.copySource: "box/k", .taggingDirective: "x"],
            [.copySource: "box/k", .checksumAlgorithm: "x"], [.copySource: "box/k", .ifMatch: "*"], [:],
        ] {
            #expect(refusal(CopyObjectInput.self, try s3Fields("", headers)) != nil, "\(headers)")
        }
    }

    @Test("Deletions")
    func deletion() throws {
        #expect(try DeleteObjectInput(try s3Fields("", [.ifMatch: "*"])).condition == .ifMatchAny)
        #expect(try DeleteObjectInput(try s3Fields()).condition == .none)
        #expect(refusal(DeleteObjectInput.self, try s3Fields("versionId=null", [.ifMatch: "*"])) == .notImplemented)
        #expect(GovernanceInput(try s3Fields()).bypasses == nil)
        #expect(GovernanceInput(try s3Fields("", [.bypassGovernanceRetention: "True"])).bypasses == true)
        #expect(GovernanceInput(try s3Fields("", [.bypassGovernanceRetention: "x"])).bypasses == false)
    }
}
