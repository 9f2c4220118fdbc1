package import Calls
package import Cloud
package import Federation
package import HTTPTypes
package import NIOCore

extension Call {
    /// Creates the call of a request over plain HTTP, with its whole body.
    /// - Parameter target: Path and query.
    package convenience init(
        _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields = [:], body: ByteBuffer = ByteBuffer(),
        authority: String = "localhost:4566", isAtConsolePort: Bool = false, cloud: Cloud, names: HostNames = HostNames()
    ) {
        self.init(
            method, target, fields, body: RequestBody(buffer: body), authority: authority, isAtConsolePort: isAtConsolePort, cloud: cloud,
            names: names)
    }

    /// Creates the call of a request over plain HTTP.
    /// - Parameter target: Path and query.
    package convenience init(
        _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields = [:], body: RequestBody,
        authority: String = "localhost:4566", isAtConsolePort: Bool = false, cloud: Cloud, names: HostNames = HostNames()
    ) {
        let head = HTTPRequest(method: method, scheme: "http", authority: authority, path: target, headerFields: fields)
        var request = Request(head: head, body: body)
        request.isAtConsolePort = isAtConsolePort
        self.init(request: request, peer: nil, isSecure: false, cloud: cloud, names: names)
    }
}

extension Response {
    /// Returns the whole body.
    package func collectedBody() async throws -> [UInt8] { try await body.collected(upTo: .max) }
}
