import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("Markers and dates of listings")
struct ListingMarkerTests {
    private static let keys = ["folder/sub/one", "folder/sub/two", "folder/file1", "folder/file2"]

    private func withKeys(_ test: (S3Sandbox) async throws -> Void) async throws {
        try await S3Sandbox.run { s3 async throws in
            _ = try await s3.send(.put, "/listing")
            for key in Self.keys { _ = try await s3.send(.put, "/listing/\(key)", body: Array(key.utf8)) }
            try await test(s3)
        }
    }

    @Test("a marker inside a common prefix skips all of it in the older listings, but not in the newer")
    func insidePrefix() async throws {
        try await withKeys { s3 async throws in
            let query = "prefix=folder/&delimiter=/"
            for target in ["?\(query)&marker=folder/sub/one", "?versions&\(query)&key-marker=folder/sub/one"] {
                let listed = try await s3.send(.get, "/listing\(target)").xml
                #expect(listed.child("CommonPrefixes") == nil, "\(target)")
                #expect(listed.child("IsTruncated")?.text == "false", "\(target)")
            }
            let newer = try await s3.send(.get, "/listing?list-type=2&\(query)&start-after=folder/sub/one").xml
            #expect(newer.child("CommonPrefixes")?.child("Prefix")?.text == "folder/sub/")

            for key in Self.keys { #expect(try await s3.send(.post, "/listing/\(key)?uploads").status == 200) }
            let uploads = try await s3.send(.get, "/listing?uploads&\(query)&key-marker=folder/file2").xml
            #expect(uploads.child("CommonPrefixes")?.child("Prefix")?.text == "folder/sub/")
            let rest = try await s3.send(.get, "/listing?uploads&\(query)&key-marker=folder/sub/one").xml
            #expect(rest.child("CommonPrefixes") == nil)
            #expect(rest.child("Upload") == nil)
        }
    }

    @Test("a token overrides the key to start after")
    func token() async throws {
        try await withKeys { s3 async throws in
            let first = try await s3.send(.get, "/listing?list-type=2&start-after=folder/file1&max-keys=1").xml
            #expect(first.child("StartAfter")?.text == "folder/file1")
            let token = try #require(first.child("NextContinuationToken")?.text)
            let next = try await s3.send(.get, "/listing?list-type=2&start-after=folder/file1&continuation-token=\(token)").xml
            #expect(next.child("StartAfter") == nil)
            #expect(next.children(named: "Contents").count == 2)
        }
    }

    @Test("dates are whole seconds, and the region is in a header")
    func dates() async throws {
        try await withKeys { s3 async throws in
            _ = try await s3.send(.post, "/listing/folder/file1?uploads")
            let targets = [
                ("/", "CreationDate"), ("/listing", "LastModified"), ("/listing?list-type=2", "LastModified"),
                ("/listing?versions", "LastModified"), ("/listing?uploads", "Initiated"),
            ]
            for (target, name) in targets {
                let text = try await s3.send(.get, target).text
                let dates = text.split(separator: "<\(name)>").dropFirst().map { $0.prefix(24) }
                #expect(!dates.isEmpty, "\(target): \(dates)")
                #expect(dates.allSatisfy { $0.hasSuffix(".000Z") }, "\(target): \(dates)")
            }
            for target in ["/listing", "/listing?list-type=2"] {
                #expect(try await s3.send(.get, target)["x-amz-bucket-region"] == "us-east-1")
            }
        }
    }

    @Test("listings of buckets have the regions of AWS")
    func regions() async throws {
        try await S3Sandbox.run { s3 async throws in
            let wrong = try await s3.send(.get, "/?bucket-region=eu-east-1")
            #expect(wrong.status == 400)
            #expect(wrong.code == "InvalidArgument")
            #expect(wrong.detail("ArgumentName") == "bucket-region")
            #expect(wrong.detail("Message") == "Argument value eu-east-1 is not a valid AWS Region")
            #expect(try await s3.send(.get, "/?bucket-region=eu-west-1").status == 200)
        }
    }
}
