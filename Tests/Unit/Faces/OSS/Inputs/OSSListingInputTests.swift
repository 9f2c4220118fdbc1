import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import OSSFace

/// What a test has an operation read.
func ossFields(_ query: String = "", _ headers: HTTPFields = [:]) throws -> OSSFields {
    OSSFields(query: try #require(FormFields(parsing: query)), headers: headers)
}

/// The code of the refusal with which an input is not parsed; `nil` if it is.
func refusal<Input: OSSInput>(_: Input.Type, _ fields: OSSFields) -> String? {
    do {
        _ = try Input(fields)
        return nil
    } catch {
        return error.code
    }
}

@Suite("Inputs of listings of OSS")
struct OSSListingInputTests {
    private static let invalid = "InvalidArgument"

    @Test("GetService and DescribeRegions")
    func service() throws {
        let plain = try ListBucketsInput(try ossFields())
        #expect(plain.prefix.isEmpty)
        #expect(plain.marker.isEmpty)
        #expect(plain.limit == 100)
        #expect(plain.tags.isEmpty)
        #expect(plain.resourceGroup.isEmpty)
        let asked = try ListBucketsInput(
            try ossFields("prefix=a&marker=b&max-keys=1000&tag-key=k&tag-value=v", [.ossResourceGroupID: "rg-1"]))
        #expect(asked.prefix == "a")
        #expect(asked.marker == "b")
        #expect(asked.limit == 1000)
        #expect(asked.resourceGroup == "rg-1")
        #expect(asked.tags.map(\.key) == ["k"])
        #expect(asked.tags.map(\.value) == ["v"])
        let several = try ListBucketsInput(try ossFields("tagging=%22a%22:%22b%22,%22c%22"))
        #expect(several.tags.map(\.key) == ["a", "c"])
        #expect(several.tags.map(\.value) == ["b", nil])
        for query in ["max-keys=0", "max-keys=1001", "max-keys=x", "tag-value=v", "tagging=%22%22:v"] {
            #expect(refusal(ListBucketsInput.self, try ossFields(query)) == Self.invalid, "\(query)")
        }
        #expect(DescribeRegionsInput(try ossFields("regions=oss-cn-beijing")).location == "oss-cn-beijing")
        #expect(DescribeRegionsInput(try ossFields("regions")).location == nil)
    }

    @Test("GetBucket")
    func objects() throws {
        let plain = try ListObjectsInput(try ossFields())
        #expect(plain.parameters == ListingParameters(prefix: "", delimiter: nil, encoding: .plain, limit: 100))
        #expect(plain.marker.isEmpty)
        let asked = try ListObjectsInput(try ossFields("prefix=a&delimiter=/&marker=m&max-keys=7&encoding-type=URL"))
        #expect(asked.parameters == ListingParameters(prefix: "a", delimiter: "/", encoding: .percent, limit: 7))
        #expect(asked.marker == "m")
        for query in ["max-keys=0", "encoding-type=x", "prefix=" + String(repeating: "a", count: 1025)] {
            #expect(refusal(ListObjectsInput.self, try ossFields(query)) == Self.invalid, "\(query)")
        }
    }

    @Test("GetBucketV2")
    func objectsV2() throws {
        let plain = try ListObjectsV2Input(try ossFields("start-after=k"))
        #expect(plain.after == "k")
        #expect(plain.startAfter == "k")
        #expect(plain.token.isEmpty)
        #expect(!plain.fetchesOwners)
        let token = ContinuationToken.token(after: "m")
        let asked = try ListObjectsV2Input(try ossFields("start-after=k&fetch-owner=true&continuation-token=\(token)"))
        #expect(asked.after == "m")
        #expect(asked.token == token)
        #expect(asked.fetchesOwners)
        #expect(refusal(ListObjectsV2Input.self, try ossFields("continuation-token=x")) == Self.invalid)
    }

    @Test("ListObjectVersions, ListMultipartUploads and ListParts")
    func versionsAndUploads() throws {
        let versions = try ListObjectVersionsInput(try ossFields("key-marker=k&version-id-marker=null"))
        #expect(versions.keyMarker == "k")
        #expect(versions.after == .null)
        #expect(try ListObjectVersionsInput(try ossFields("version-id-marker=")).after == nil)
        for query in ["version-id-marker=null", "key-marker=k&version-id-marker=x"] {
            #expect(refusal(ListObjectVersionsInput.self, try ossFields(query)) == Self.invalid, "\(query)")
        }
        let uploads = try ListMultipartUploadsInput(try ossFields("key-marker=k&upload-id-marker=u"))
        #expect(uploads.keyMarker == "k")
        #expect(uploads.idMarker == "u")
        #expect(uploads.parameters.limit == 1000)
        #expect(try ListMultipartUploadsInput(try ossFields("upload-id-marker=u")).idMarker.isEmpty)
        #expect(refusal(ListMultipartUploadsInput.self, try ossFields("max-uploads=x")) == Self.invalid)
        let parts = try ListPartsInput(try ossFields("uploadId=u&max-parts=2&part-number-marker=9&encoding-type=url"))
        #expect(parts.uploadID == "u")
        #expect(parts.limit == 2)
        #expect(parts.marker == 9)
        #expect(parts.isEncoded)
        for query in ["max-parts=0", "part-number-marker=-1", "encoding-type=x"] {
            #expect(refusal(ListPartsInput.self, try ossFields(query)) == Self.invalid, "\(query)")
        }
        let channels = ListLiveChannelsInput(try ossFields("prefix=a"))
        #expect(channels.prefix == "a")
        #expect(channels.marker.isEmpty)
        #expect(channels.limit == "100")
    }
}
