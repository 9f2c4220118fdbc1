import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ObjectServing

extension EventParcel {
    /// How long a destination may take to answer.
    private static let patience = TimeAmount.seconds(10)

    /// Posts the message.
    /// - Returns: whether the destination has taken it, which a status of 2xx says.
    func post(with client: HTTPClient) async -> Bool {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        for field in fields { request.headers.add(name: field.name, value: field.value) }
        request.headers.add(name: "User-Agent", value: "Amazon Simple Notification Service Agent")
        request.body = .bytes(ByteBuffer(bytes: body))
        guard let response = try? await client.execute(request, timeout: Self.patience) else { return false }
        // The connection is free for the next message once the answer is read.
        var count = 0
        do {
            for try await piece in response.body {
                count += piece.readableBytes
                if count > 1 << 20 { break }
            }
        } catch {
            return false
        }
        return (200..<300).contains(response.status.code)
    }
}
