import AWSFaces
import HTTPTypes
import Testing

@Suite("Where AWS and RADOS Gateway answer otherwise")
struct DialectTests {
    @Test(
        "the dialect decides",
        arguments: [
            ("/files/public/hello.txt?torrent", [:], 501, 404),
            ("/files/public/hello.txt", ["x-amz-expected-bucket-owner": "000000000000foo"], 400, 403),
            (
                "/files/public/hello.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test/20261121/us-east-1/s3/aws4_request"
                    + "&X-Amz-Date=20261121T000000Z&X-Amz-Expires=604801&X-Amz-SignedHeaders=host&X-Amz-Signature=00", [:], 400, 403
            ),
        ] as [(String, [String: String], Int, Int)])
    func decides(_ target: String, _ fields: [String: String], _ aws: Int, _ ceph: Int) async throws {
        let signer = target.contains("X-Amz-Expires") ? S3Sandbox.Signer.nobody : .root
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, target, fields, as: signer).status == aws)
        }
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            #expect(try await s3.send(.get, target, fields, as: signer).status == ceph)
        }
    }
}
