import Fixtures
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("Bodies in chunks")
struct ChunkedBodyTests {
    /// OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS.
    static let examples: [(chunks: String, status: Int, code: String, details: [String: String])] = [
        ("9\r\n12345", 400, "IncompleteBody", ["Message": "The request body terminated unexpectedly"]),
        ("9\n123456789\n0\n\n", 400, "IncompleteBody", ["Message": "The request body terminated unexpectedly"]),
        (
            "12\r\n123456789123456789\r\n0\r\n\r\n", 400, "IncompleteBody",
            [
                "Message": "You did not provide the number of bytes specified by the Content-Length HTTP header",
                "NumberBytesExpected": "9", "NumberBytesProvided": "18",
            ]
        ),
        (
            "4\r\n1234\r\n0\r\n\r\n5\r\n56789\r\n0\r\n\r\n", 400, "IncompleteBody",
            ["NumberBytesExpected": "9", "NumberBytesProvided": "4"]
        ),
        (
            "4\r\n1234\r\n5\r\n56789\r\n0\r\n\r\n", 403, "InvalidChunkSizeError",
            ["Message": "Only the last chunk is allowed to have a size less than 8192 bytes", "Chunk": "2", "BadChunkSize": "4"]
        ),
    ]

    @Test("that are faulty are refused with their fault", arguments: examples)
    func faults(example: (chunks: String, status: Int, code: String, details: [String: String])) async throws {
        try await S3Sandbox.run { s3 async throws in
            let refused = try await s3.send(
                .put, "/files/k", ["x-amz-decoded-content-length": "9"], body: Array(example.chunks.utf8),
                payload: .unsignedChunksWithTrailer)
            #expect(refused.status == example.status)
            #expect(refused.code == example.code)
            for (name, value) in example.details { #expect(refused.detail(name) == value) }
            if example.details["NumberBytesExpected"] == nil { #expect(refused.detail("NumberBytesExpected") == nil) }
            #expect(try await s3.send(.head, "/files/k").status == 404)
        }
    }
}
