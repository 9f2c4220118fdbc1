import NIOCore
import NIOPosix

/// A connection on which a test sends bytes and reads responses of HTTP/1.1 one by one.
struct Wire {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received: [UInt8] = []

    struct Answer {
        var status: Int
        var fields: [(name: String, value: String)]
        var body: String

        subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    /// The peer closed the connection before a response was complete.
    struct Closed: Error {}

    /// - Parameter endpoint: `http://127.0.0.1:<port>`
    static func open<T>(_ endpoint: String, _ body: (inout Wire) async throws -> T) async throws -> T {
        let port = endpoint.split(separator: ":").last.flatMap { Int($0) } ?? 0
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var wire = Wire(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&wire)
        }
    }

    private init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound
        self.outbound = outbound
    }

    /// Sends bytes unchanged.
    func write(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Sends a request with the required headers.
    func send(_ line: String, _ fields: [String] = [], body: String? = nil) async throws {
        var head = "\(line) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined()
        if let body { head += "Content-Length: \(body.utf8.count)\r\n" }
        try await write(head + "\r\n" + (body ?? ""))
    }

    /// Returns the next response, which may be an interim one.
    /// - Parameter isToHead: Whether it responds to HEAD, and so has no body whatever its headers say.
    mutating func answer(isToHead: Bool = false) async throws -> Answer {
        var end = Self.endOfHead(received)
        while end == nil {
            try await receive()
            end = Self.endOfHead(received)
        }
        let lines = String(decoding: received[..<(end ?? 0)], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst((end ?? 0) + 4)
        let fields = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (name: String(line[..<colon]), value: String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        let status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        var answer = Answer(status: status, fields: fields, body: "")
        guard !isToHead, let length = answer["Content-Length"].flatMap({ Int($0) }) else { return answer }
        while received.count < length { try await receive() }
        answer.body = String(decoding: received[..<length], as: UTF8.self)
        received.removeFirst(length)
        return answer
    }

    /// Returns whether the peer closes the connection without sending more.
    mutating func isClosed() async throws -> Bool {
        do {
            if received.isEmpty { try await receive() }
            return false
        } catch is Closed {
            return true
        }
    }

    private mutating func receive() async throws {
        guard let buffer = try await inbound.next(isolation: #isolation) else { throw Closed() }
        received.append(contentsOf: buffer.readableBytesView)
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
    }
}
