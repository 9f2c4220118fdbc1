import Cloud
import Fixtures
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import S3Face

@Suite("Presigned URLs of Signature Version 2")
struct PresignedURLTests {
    /// Returns the query whose signature covers the path and one header.
    private func query(_ method: String, _ path: String, header: String = "", at now: Timestamp) -> String {
        let end = now.seconds + 60
        let line = header.isEmpty ? "" : "\(header)\n"
        let signature = SignatureV2.signature(of: "\(method)\n\n\n\(end)\n\(line)\(path)", secret: "test")
        return "AWSAccessKeyId=test&Expires=\(end)&Signature=\(percentEncoded(signature))"
    }

    @Test(
        "cannot be extended by headers",
        arguments: [
            "x-amz-meta-who=evil", "x%2Damz-meta-who=evil", "%58-Amz-Meta-Who=evil", "x%2damz-acl=public-read",
            "x%2Damz-tagging=a%3Db", "x%2Damz-storage-class=GLACIER", "x%2Damz-website-redirect-location=/evil",
        ])
    func headers(parameter: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let signed = "x-amz-meta-who=good&" + query("PUT", "/files/x", header: "x-amz-meta-who:good", at: s3.cloud.clock.now)
            let length: HTTPFields = [.contentLength: "1"]
            for text in ["\(parameter)&\(signed)", "\(signed)&\(parameter)"] {
                let refused = try await s3.send(.put, "/files/x?\(text)", length, [0x78])
                #expect(refused.status == 403)
                #expect(refused.code == "SignatureDoesNotMatch", "\(refused.text)")
            }
            #expect(try await s3.send(.head, "/files/x").status == 404)
            #expect(try await s3.send(.put, "/files/x?\(signed)", length, [0x78]).status == 200)
            #expect(try await s3.send(.head, "/files/x")["x-amz-meta-who"] == "good")
        }
    }

    @Test("cover every sub-resource", arguments: SubResource.all.map(\.name))
    func subResources(name: String) throws {
        for (resource, isVerified) in [("/files/k?\(name)", true), ("/files/k", false)] {
            let signature = SignatureV2.signature(of: "GET\n\n\n2000000000\n\(resource)", secret: "test")
            let request = SignableRequest(
                method: "GET", target: "/files/k?AWSAccessKeyId=test&Expires=2000000000&Signature=\(percentEncoded(signature))&\(name)",
                authority: S3Sandbox.authority)
            let presented = try #require(try SignatureV2.Presented(request))
            let isAccepted = (try? presented.verify(request, bucket: nil, secret: "test")) != nil
            #expect(isAccepted == isVerified, "\(resource)")
        }
    }

    @Test("cannot be changed into deleting a bucket's settings", arguments: ["publicAccessBlock", "ownershipControls"])
    func settings(name: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let signed = query("DELETE", "/files/", at: s3.cloud.clock.now)
            let refused = try await s3.send(.delete, "/files/?\(signed)&\(name)", [:], [])
            #expect(refused.status == 403)
            #expect(refused.code == "SignatureDoesNotMatch", "\(refused.text)")
        }
    }
}
