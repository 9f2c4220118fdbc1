import Calls
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import Testing

import struct Policy.Tag

@testable import OSSFace

@Suite("Inputs of writes of OSS")
struct OSSWriteInputTests {
    private static let invalid = "InvalidArgument"

    @Test("An object that is made")
    func object() throws {
        let plain = OSSObjectWriteInput(try ossFields())
        #expect(try plain.attributes.get() == ObjectAttributes())
        #expect(plain.storageClass == nil)
        #expect(plain.access == nil)
        #expect(plain.tags == nil)
        #expect(plain.lock.isEmpty)
        #expect(plain.encryption.method == nil)
        #expect(!plain.forbidsOverwrite)
        let asked = OSSObjectWriteInput(
            try ossFields(
                "",
                [
                    .contentType: "text/plain", .ossStorageClass: "IA", .ossObjectACL: "private", .ossTagging: "a=b",
                    .ossLockMode: "GOVERNANCE", .ossLegalHold: "ON", .ossEncryption: "SM4", .ossForbidOverwrite: "TRUE",
                ]))
        #expect(try asked.attributes.get().contentType == "text/plain")
        #expect(try asked.storageClass?.get() == OSSStorageClass(rawValue: "IA"))
        #expect(try asked.access?.get() == .private)
        #expect(try asked.tags?.get() == [Tag(key: "a", value: "b")])
        #expect(asked.lock.mode == "GOVERNANCE")
        #expect(asked.lock.legalHold == "ON")
        #expect(asked.lock.until == nil)
        #expect(asked.encryption.method == "SM4")
        #expect(asked.forbidsOverwrite)
        let wrong = OSSObjectWriteInput(try ossFields("", [.ossStorageClass: "x", .ossObjectACL: "x", .ossTagging: "a=b&a=c"]))
        #expect(throws: OSSError.self) { try wrong.storageClass?.get() }
        #expect(throws: OSSError.self) { try wrong.access?.get() }
        #expect(throws: OSSError.self) { try wrong.tags?.get() }
    }

    @Test("Uploads in parts")
    func multipart() throws {
        #expect(UploadInput(try ossFields("uploadId=u")).uploadID == "u")
        let part = try UploadPartInput(try ossFields("uploadId=u&partNumber=3"))
        #expect(part.uploadID == "u")
        #expect(part.number == 3)
        for query in ["", "partNumber=0", "partNumber=10001", "partNumber=x"] {
            #expect(refusal(UploadPartInput.self, try ossFields(query)) == Self.invalid, "\(query)")
            #expect(refusal(UploadPartCopyInput.self, try ossFields(query)) == Self.invalid, "\(query)")
        }
        #expect(refusal(UploadPartInput.self, try ossFields("partNumber=1", [.ossEncryption: "KMS"])) == Self.invalid)
        let copy = try UploadPartCopyInput(try ossFields("partNumber=1", [.ossCopySourceRange: "bytes=2-9"]))
        #expect(copy.range == ByteRange(header: "bytes=2-9"))
        #expect(try UploadPartCopyInput(try ossFields("partNumber=1", [.ossCopySourceRange: "x"])).range == nil)
        #expect(try InitiateMultipartUploadInput(try ossFields("encoding-type=url")).isEncoded)
        #expect(refusal(InitiateMultipartUploadInput.self, try ossFields("encoding-type=x")) == Self.invalid)
        let completion = try CompleteMultipartUploadInput(
            try ossFields("uploadId=u", [.ossCompleteAll: "YES", .ossObjectACL: "private", .ossForbidOverwrite: "true"]))
        #expect(try completion.takesAll.get())
        #expect(try completion.access?.get() == .private)
        #expect(completion.forbidsOverwrite)
        let wrong = try CompleteMultipartUploadInput(try ossFields("", [.ossCompleteAll: "x"]))
        #expect(throws: OSSError.self) { try wrong.takesAll.get() }
        #expect(refusal(CompleteMultipartUploadInput.self, try ossFields("", [.ossEncryptionKeyID: "k"])) == Self.invalid)
    }

    @Test("Appends, copies, links and ACLs")
    func others() throws {
        #expect(try AppendObjectInput(try ossFields("position=12")).position == 12)
        #expect(refusal(AppendObjectInput.self, try ossFields()) == "MissingArgument")
        #expect(refusal(AppendObjectInput.self, try ossFields("position=-1")) == Self.invalid)
        #expect(try CopyObjectInput(try ossFields("", [.ossMetadataDirective: "replace"])).directives.replacesMetadata)
        #expect(refusal(CopyObjectInput.self, try ossFields("", [.ossTaggingDirective: "x"])) == Self.invalid)
        #expect(try PutSymlinkInput(try ossFields("", [.ossSymlinkTarget: "a%20b"])).target == "a b")
        for headers: HTTPFields in [[:], [.ossSymlinkTarget: "%zz"]] {
            #expect(refusal(PutSymlinkInput.self, try ossFields("", headers)) == Self.invalid)
        }
        #expect(refusal(PutSymlinkInput.self, try ossFields("", [.ossSymlinkTarget: "/a"])) == "InvalidObjectName")
        #expect(try PutObjectACLInput(try ossFields("", [.ossObjectACL: "default"])).access.get() == .default)
        #expect(refusal(PutObjectACLInput.self, try ossFields()) == "MissingArgument")
    }

    @Test("Deletions and callbacks")
    func deletions() throws {
        let name = try #require(HTTPField.Name("encoding-type"))
        #expect(try DeleteMultipleObjectsInput(try ossFields("", [name: "url"])).isEncoded)
        #expect(try !DeleteMultipleObjectsInput(try ossFields()).isEncoded)
        #expect(refusal(DeleteMultipleObjectsInput.self, try ossFields("encoding-type=x")) == Self.invalid)
        #expect(try GovernanceInput(ossFields("", [.ossBypassGovernance: "True"])).bypasses)
        #expect(try !GovernanceInput(ossFields()).bypasses)
        let callback = CallbackInput(try ossFields("callback=q&callback-var=w", [.ossCallback: "h"]))
        #expect(callback.callback == "h")
        #expect(callback.variables == "w")
        #expect(CallbackInput(try ossFields()).callback == nil)
    }
}
