import Calls
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing

@testable import OSSFace

@Suite("Inputs of reads of OSS")
struct OSSReadInputTests {
    private static let invalid = "InvalidArgument"

    @Test("An object that is read")
    func object() throws {
        let plain = try OSSReadInput(try ossFields())
        #expect(plain.selection.conditions == nil)
        #expect(plain.selection.range == nil)
        #expect(plain.limit == nil)
        #expect(!plain.acceptsGzip)
        #expect(try plain.overrides.get() == [:])
        let fields = try ossFields(
            "response-expires=soon&response-x=y&x-oss-traffic-limit=819200", [.range: "bytes=0-9", .acceptEncoding: "br, gzip;q=0.5"])
        let asked = try OSSReadInput(fields)
        #expect(asked.selection.range == "bytes=0-9")
        #expect(asked.limit?.bitsPerSecond == 819_200)
        #expect(asked.acceptsGzip)
        #expect(try asked.overrides.get() == [.expires: "soon"])
        #expect(fields.rangeFit == .wholeOrNothing)
        #expect(try ossFields("", [.ossRangeBehavior: "Standard"]).rangeFit == .standard)
    }

    @Test("Compression is accepted unless its weight is zero", arguments: [("gzip", true), ("gzip;q=0", false), ("deflate", false)])
    func compression(text: String, isAccepted: Bool) throws {
        #expect(try OSSReadInput(try ossFields("", [.acceptEncoding: text])).acceptsGzip == isAccepted)
    }

    @Test("A wrong limit is refused at once, a wrong override when it is read")
    func wrong() throws {
        #expect(refusal(OSSReadInput.self, try ossFields("", [.ossTrafficLimit: "1"])) == Self.invalid)
        let input = try OSSReadInput(try ossFields("response-expires=%00"))
        #expect(throws: OSSError.self) { try input.overrides.get() }
    }

    @Test("The body of a request")
    func body() throws {
        let declared = try OSSBodyDeclaration(try ossFields("x-oss-traffic-limit=1", [.contentLength: "5"]))
        #expect(declared.length == 5)
        #expect(declared.md5 == nil)
        #expect(throws: OSSError.self) { try declared.limit?.get() }
        #expect(refusal(OSSBodyDeclaration.self, try ossFields()) == "MissingContentLength")
        #expect(refusal(OSSBodyDeclaration.self, try ossFields("", [.contentLength: "5", .contentMD5: "x"])) == "InvalidDigest")
    }

    @Test("The source of a copy")
    func source() throws {
        let input = try CopySourceInput(
            try ossFields(
                "", [.ossCopySource: "/box/a%20b?versionId=v", .ossCopySourceIfMatch: "tag", .ifMatch: "other", .range: "bytes=0-1"]))
        #expect(input.address.bucket == "box")
        #expect(input.address.key == "a b")
        #expect(input.address.version == "v")
        #expect(input.selection.conditions != nil)
        #expect(input.selection.range == nil)
        #expect(refusal(CopySourceInput.self, try ossFields()) == Self.invalid)
    }

    @Test("The version of an object")
    func version() throws {
        let current = try NamedVersion(oss: nil, of: "key")
        #expect(current.isCurrent)
        #expect(current.selector == .current)
        let null = try NamedVersion(oss: "null", of: "key")
        #expect(!null.isCurrent)
        #expect(null.selector == .null)
        #expect(null.text == "null")
        #expect(throws: OSSError.self) { try NamedVersion(oss: "", of: "key") }
    }
}
