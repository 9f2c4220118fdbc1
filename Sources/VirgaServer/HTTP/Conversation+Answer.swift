import Exchange
import HTTPTypes
import NIOCore
import NIOHTTP1

extension Conversation {
    /// Content up to this size is copied behind the head, so that both leave as one.
    private static let longestCopy = 8 << 10

    private var connectionField: StaticString? {
        if isLast { return "Connection: close\r\n" }
        return current?.isHTTP10 == true ? "Connection: keep-alive\r\n" : nil
    }

    /// Sends an answer that is complete.
    func send(_ response: Response) {
        guard let context, current != nil else { return }
        var content: ByteBuffer?
        if case .whole(let buffer) = response.body.content, buffer.readableBytes > 0 { content = buffer }
        switch version {
        case .http1:
            let copied = content.map { $0.readableBytes <= Self.longestCopy ? $0.readableBytes : 0 } ?? 0
            var head = context.channel.allocator.buffer(capacity: 768 + copied)
            head.writeHead(response, framing: .length, connection: connectionField)
            if copied > 0, let whole = content {
                head.writeImmutableBuffer(whole)
                content = nil
            }
            context.write(wrapOutboundOut(head), promise: nil)
            if let content { context.write(wrapOutboundOut(content), promise: nil) }
        case .http2:
            context.write(NIOAny(HTTPServerResponsePart.head(HTTPResponseHead(response))), promise: nil)
            if let content { context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(content))), promise: nil) }
            context.write(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
        }
        flush()
        answered()
    }

    /// Sends the head of an answer whose content will be written.
    func begin(_ response: Response, length: Int?) {
        guard let context, current != nil else { return }
        switch version {
        case .http1:
            let framing: Framing
            if length != nil || response.headers.contains(.contentLength) {
                framing = .length
            } else if current?.isHTTP10 == true {
                framing = .close
                current?.isKeptAlive = false
            } else {
                framing = .chunks
            }
            current?.framing = framing
            var head = context.channel.allocator.buffer(capacity: 768)
            head.writeHead(response, framing: framing, connection: connectionField)
            context.write(wrapOutboundOut(head), promise: nil)
        case .http2:
            context.write(NIOAny(HTTPServerResponsePart.head(HTTPResponseHead(response))), promise: nil)
        }
        current?.remaining = length
    }

    /// Sends a piece of content.
    /// - Returns: whether the receiver is ready for more.
    func write(_ buffer: ByteBuffer) throws(ConnectionEnded) -> Bool {
        guard let context, let framing = current?.framing, context.channel.isActive else { throw ConnectionEnded() }
        guard buffer.readableBytes > 0 else { return true }
        if let remaining = current?.remaining {
            guard remaining >= buffer.readableBytes else { throw ConnectionEnded() }
            current?.remaining = remaining - buffer.readableBytes
        }
        switch (version, framing) {
        case (.http2, _): context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(buffer))), promise: nil)
        case (.http1, .chunks):
            var line = context.channel.allocator.buffer(capacity: 16)
            line.writeChunkHead(buffer.readableBytes)
            context.write(wrapOutboundOut(line), promise: nil)
            context.write(wrapOutboundOut(buffer), promise: nil)
            context.write(wrapOutboundOut(ByteBuffer(staticString: "\r\n")), promise: nil)
        case (.http1, _): context.write(wrapOutboundOut(buffer), promise: nil)
        }
        context.flush()
        return context.channel.isWritable
    }

    /// Ends the content.
    func finish() throws(ConnectionEnded) {
        guard let context, let current, current.remaining ?? 0 == 0 else { throw ConnectionEnded() }
        switch (version, current.framing) {
        case (.http2, _): context.write(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
        case (.http1, .chunks): context.write(wrapOutboundOut(ByteBuffer(staticString: "0\r\n\r\n")), promise: nil)
        case (.http1, _): break
        }
        flush()
        answered()
    }

    /// Sends what has been written once everything that the loop's turn brought has been answered.
    ///
    /// To wake a sleeping client costs more than to write, and one that has many connections is so woken once for all of them. The
    /// streams of HTTP/2 are gathered by its own handler.
    func flush() {
        guard let context else { return }
        guard version == .http1 else { return context.flush() }
        guard !isFlushPending else { return }
        isFlushPending = true
        let conversation = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            conversation.value.isFlushPending = false
            conversation.value.context?.flush()
        }
    }

    /// Ends the connection, or resets the stream: this in the loop's next turn, since the connection is told that a stream began
    /// only after the stream's first read, and must not hear of its end before. (`NIOHTTP2StreamDelegate`; it would wait for the
    /// stream for ever.)
    func close() {
        guard let context else { return }
        let channel = context.channel
        switch version {
        case .http1: context.close(promise: nil)
        case .http2: context.eventLoop.execute { channel.close(promise: nil) }
        }
    }
}

/// Writes the content of one answer at the pace of its receiver.
struct AnswerWriter: ResponseBodyWriter {
    private let conversation: NIOLoopBound<Conversation>

    init(_ conversation: NIOLoopBound<Conversation>) { self.conversation = conversation }

    /// The task of a request runs on its connection's event loop, see ``EventLoopExecutor``.
    func write(_ buffer: ByteBuffer) async throws {
        guard try !conversation.value.write(buffer) else { return }
        try await withCheckedThrowingContinuation { continuation in
            conversation.value.awaitWritability(continuation)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {
        try conversation.value.finish()
    }
}
