import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// A cloud with a bucket that every client can read and write without a signature.
package enum OpenBucket {
    /// The seed, in JSON5.
    package static let seed = """
        {accounts: [{
            id: "111122223333",
            rootKeys: [{id: "test", secret: "test"}],
            buckets: [{
                name: "box",
                publicAccess: "allowed",
                policy: {
                    Version: "2012-10-17",
                    Statement: [{
                        Effect: "Allow", Principal: "*", Action: "s3:*", Resource: ["arn:aws:s3:::box", "arn:aws:s3:::box/*"],
                    }],
                },
            }],
        }]}
        """

    /// Stores an object under a key.
    /// - Returns: the HTTP status code.
    @discardableResult
    package static func put(_ text: String, _ key: String, at endpoint: String) async throws -> Int {
        try await send(.PUT, key, text, endpoint).status
    }

    /// Reads an object.
    /// - Returns: the text; `nil` if there is no object.
    package static func get(_ key: String, at endpoint: String) async throws -> String? {
        let (status, text) = try await send(.GET, key, nil, endpoint)
        return status == 404 ? nil : text
    }

    private static func send(_ method: HTTPMethod, _ key: String, _ body: String?, _ endpoint: String) async throws -> (status: Int, String)
    {
        var request = HTTPClientRequest(url: "\(endpoint)/box/\(key)")
        request.method = method
        request.body = body.map { .bytes(ByteBuffer(string: $0)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }
}
