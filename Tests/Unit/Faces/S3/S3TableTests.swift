import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("Tables of S3")
struct S3TableTests {
    @Test("have one row for each sub-resource")
    func subResources() {
        #expect(SubResource.byName.count == SubResource.all.count)
    }

    @Test("lead to each operation by a sub-resource or by the method alone")
    func operations() {
        let plain: Set = [
            "CreateBucket", "HeadBucket", "DeleteBucket", "ListObjects", "ListObjectsV2", "GetObject", "HeadObject", "PutObject",
            "CopyObject", "DeleteObject", "UploadPartCopy",
        ]
        let resources = (SubResource.all + [.part]).flatMap { [$0.bucket, $0.object] }.compactMap(\.self)
        let named = Set(resources.flatMap { $0.answers.values.map(\.name) })
        for name in S3BucketOperation.allCases.map(\.rawValue) + S3ObjectOperation.allCases.map(\.rawValue) {
            #expect(plain.contains(name) != named.contains(name), "\(name)")
        }
    }

    @Test("keep each configuration in a document of its own")
    func documents() {
        let documents = S3DocumentKind.allCases.map(\.descriptor.document) + ConfigurationKind.allCases.map(\.descriptor.document)
        #expect(Set(documents).count == documents.count)
    }

    @Test("name the operations on a configuration alike in routing and in the access log", arguments: S3DocumentKind.allCases)
    func names(of kind: S3DocumentKind) throws {
        let methods: [HTTPRequest.Method] = kind.descriptor.actions.delete == nil ? [.get, .put] : [.get, .put, .delete]
        let resource = try #require(SubResource.byName[kind.rawValue]?.bucket)
        #expect(Set(resource.answers.keys) == Set(methods))
        for method in methods {
            let operation = try #require(S3DocumentOperation(method, on: kind.rawValue))
            #expect(resource.answers[method]?.name == operation.name)
            #expect(S3DocumentOperation.logNames[operation.name] == kind.descriptor.logName)
        }
    }

    @Test("give a document back as it is kept, with a declaration")
    func stored() async throws {
        try await S3Sandbox.run { s3 async throws in
            let rules = "<CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin></CORSRule>"
            let body = "<CORSConfiguration>\n \(rules)</CORSConfiguration>"
            #expect(try await s3.send(.put, "/files?cors", body: Array(body.utf8)).code == "InvalidRequest")
            let website = "<WebsiteConfiguration><IndexDocument> <Suffix>i&amp;j</Suffix></IndexDocument></WebsiteConfiguration>"
            #expect(try await s3.send(.put, "/files?website", body: Array(website.utf8)).status == 200)
            let read = try await s3.send(.get, "/files?website")
            #expect(
                read.text == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<WebsiteConfiguration xmlns=\"\(S3Face.namespace)\">"
                    + "<IndexDocument><Suffix>i&amp;j</Suffix></IndexDocument></WebsiteConfiguration>")
            #expect(read.fields[.contentType] == "application/xml")
        }
    }
}
