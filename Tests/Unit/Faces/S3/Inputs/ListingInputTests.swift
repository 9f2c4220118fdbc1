import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

/// What a test has an operation read.
func s3Fields(_ query: String = "", _ headers: HTTPFields = [:], _ dialect: Dialect = .aws) throws -> S3Fields {
    S3Fields(query: try #require(FormFields(parsing: query)), headers: headers, dialect: dialect)
}

/// The code of the refusal with which an input is not parsed; `nil` if it is.
func refusal<Input: S3Input>(_: Input.Type, _ fields: S3Fields) -> S3Error.Code? {
    do {
        _ = try Input(fields)
        return nil
    } catch {
        return error.code
    }
}

@Suite("Inputs of listings")
struct ListingInputTests {
    @Test("ListBuckets")
    func buckets() throws {
        let plain = try ListBucketsInput(try s3Fields())
        #expect(plain.prefix == nil)
        #expect(plain.limit == 10_000)
        #expect(plain.after == nil)
        #expect(plain.region == nil)
        #expect(!plain.isDetailed)
        let token = ContinuationToken.token(after: "b")
        let asked = try ListBucketsInput(try s3Fields("prefix=a&max-buckets=7&continuation-token=\(token)&bucket-region=eu-west-1"))
        #expect(asked.prefix == "a")
        #expect(asked.limit == 7)
        #expect(asked.after == "b")
        #expect(asked.region == "eu-west-1")
        #expect(asked.isDetailed)
        for query in [
            "max-buckets=0", "max-buckets=10001", "max-buckets=x", "continuation-token=x", "bucket-region=mars", "bucket-region=",
        ] {
            #expect(refusal(ListBucketsInput.self, try s3Fields(query)) == .invalidArgument, "\(query)")
        }
    }

    @Test("ListObjects")
    func objects() throws {
        let plain = try ListObjectsInput(try s3Fields())
        #expect(plain.parameters == ListingParameters(prefix: "", delimiter: nil, encoding: .plain, limit: 1000))
        #expect(plain.after == nil)
        let asked = try ListObjectsInput(try s3Fields("prefix=a&delimiter=/&marker=a/b/c&max-keys=5000&encoding-type=url"))
        #expect(asked.parameters == ListingParameters(prefix: "a", delimiter: "/", encoding: .form, limit: 1000, requested: 5000))
        #expect(asked.marker == "a/b/c")
        #expect(asked.after == "a/")
        for query in ["max-keys=-1", "max-keys=x", "encoding-type=xml"] {
            #expect(refusal(ListObjectsInput.self, try s3Fields(query)) == .invalidArgument, "\(query)")
        }
    }

    @Test("ListObjectsV2")
    func objectsV2() throws {
        let plain = try ListObjectsV2Input(try s3Fields("list-type=2&start-after=k"))
        #expect(plain.startAfter == "k")
        #expect(plain.after == "k")
        #expect(plain.token == nil)
        #expect(!plain.fetchesOwners)
        let token = ContinuationToken.token(after: "m")
        let asked = try ListObjectsV2Input(try s3Fields("start-after=k&fetch-owner=true&continuation-token=\(token)"))
        #expect(asked.after == "m")
        #expect(asked.token == token)
        #expect(asked.fetchesOwners)
        #expect(refusal(ListObjectsV2Input.self, try s3Fields("continuation-token=x")) == .invalidArgument)
        // With Ceph, an empty token stands for the beginning.
        #expect(refusal(ListObjectsV2Input.self, try s3Fields("continuation-token=")) == .invalidArgument)
        #expect(try ListObjectsV2Input(try s3Fields("continuation-token=", [:], .ceph)).after == nil)
    }

    @Test("ListObjectVersions")
    func versions() throws {
        let plain = try ListObjectVersionsInput(try s3Fields("key-marker=k"))
        #expect(plain.keyMarker == "k")
        #expect(plain.versionMarker.isEmpty)
        #expect(plain.after == nil)
        let asked = try ListObjectVersionsInput(try s3Fields("key-marker=k&version-id-marker=null"))
        #expect(asked.after == .null)
        #expect(asked.versionMarker == "null")
        #expect(!asked.isPastEnd)
        #expect(try ListObjectVersionsInput(try s3Fields("key-marker=&version-id-marker=null")).isPastEnd)
        for query in [
            "version-id-marker=null", "key-marker=&version-id-marker=x", "key-marker=k&version-id-marker=",
            "key-marker=k&version-id-marker=x", "max-keys=x",
        ] {
            #expect(refusal(ListObjectVersionsInput.self, try s3Fields(query)) == .invalidArgument, "\(query)")
        }
    }

    @Test("ListMultipartUploads")
    func uploads() throws {
        let asked = try ListMultipartUploadsInput(try s3Fields("prefix=p&key-marker=k&upload-id-marker=u&max-uploads=3"))
        #expect(asked.keyMarker == "k")
        #expect(asked.idMarker == "u")
        #expect(asked.parameters.limit == 3)
        #expect(asked.namesPrefix)
        let unmarked = try ListMultipartUploadsInput(try s3Fields("prefix=&upload-id-marker=u"))
        #expect(unmarked.idMarker.isEmpty)
        #expect(!unmarked.namesPrefix)
        #expect(refusal(ListMultipartUploadsInput.self, try s3Fields("max-uploads=x")) == .invalidArgument)
    }

    @Test("ListParts")
    func parts() throws {
        let plain = try ListPartsInput(try s3Fields("uploadId=u"))
        #expect(plain.limit == 1000)
        #expect(plain.marker == 0)
        #expect(plain.encoding == .plain)
        let asked = try ListPartsInput(try s3Fields("uploadId=u&max-parts=2&part-number-marker=9&encoding-type=url"))
        #expect(asked.limit == 2)
        #expect(asked.marker == 9)
        #expect(asked.encoding == .form)
        for query in ["max-parts=x", "part-number-marker=-1", "part-number-marker=x", "encoding-type=x"] {
            #expect(refusal(ListPartsInput.self, try s3Fields(query)) == .invalidArgument, "\(query)")
        }
    }
}
