import Calls
import HTTPTypes
import NIOCore
import NIOHTTP1
import WireFormats

extension ConversationHandler {
    /// The longest body in bytes that is copied behind the head, so that both are sent in one buffer.
    private static let longestCopy = 8 << 10
    /// The length of the pieces in bytes in which a longer body is written, so that it is known whether the client reads. The initial window
    /// of an HTTP/2 stream (65,535 bytes, RFC 9113 section 6.9.2) has room for several.
    private static let pieceLength = 16 << 10

    private var connectionField: StaticString? {
        switch conversation.connectionOption {
        case .close: "Connection: close\r\n"
        case .keepAlive: "Connection: keep-alive\r\n"
        case nil: nil
        }
    }

    /// Sends a complete response.
    func send(_ response: Response) {
        guard let context, conversation.isAnswering else { return }
        if responder.drain.isOn { conversation.endAfterAnswer() }
        var content: ByteBuffer?
        if case .whole(let buffer) = response.body.content, buffer.readableBytes > 0 { content = buffer }
        switch conversation.version {
        case .http1:
            let copied = content.map { $0.readableBytes <= Self.longestCopy ? $0.readableBytes : 0 } ?? 0
            var head = context.channel.allocator.buffer(capacity: 768 + copied)
            head.writeHead(response, framing: .length, connection: connectionField)
            if copied > 0, let whole = content {
                head.writeImmutableBuffer(whole)
                content = nil
            }
            context.write(wrapOutboundOut(head), promise: nil)
            for piece in content?.pieces(of: Self.pieceLength) ?? [] {
                context.write(wrapOutboundOut(piece), promise: promise(for: piece.readableBytes))
            }
        case .http2:
            context.write(NIOAny(HTTPServerResponsePart.head(HTTPResponseHead(response))), promise: nil)
            var pieces = content?.pieces(of: Self.pieceLength) ?? []
            let last = pieces.popLast()
            for piece in pieces {
                context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(piece))), promise: promise(for: piece.readableBytes))
            }
            if let last { context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(last))), promise: nil) }
            context.write(NIOAny(HTTPServerResponsePart.end(nil)), promise: promise(for: last?.readableBytes ?? 0))
        }
        flush()
        answered()
        if let content, content.readableBytes > Self.longestCopy { noteUnsent(document: content.storageCapacity) }
    }

    /// Sends the head of a response whose body follows.
    func begin(_ response: Response, length: Int?) {
        if responder.drain.isOn { conversation.endAfterAnswer() }
        let declaresLength = response.headers.has(.contentLength)
        guard let context, let framing = conversation.beginAnswer(length: length, declaresLength: declaresLength) else { return }
        switch conversation.version {
        case .http1:
            var head = context.channel.allocator.buffer(capacity: 768)
            head.writeHead(response, framing: framing, connection: connectionField)
            context.write(wrapOutboundOut(head), promise: nil)
        case .http2:
            context.write(NIOAny(HTTPServerResponsePart.head(HTTPResponseHead(response))), promise: nil)
        }
    }

    /// Sends a part of the body.
    /// - Returns: whether the receiver is ready for more.
    func write(_ buffer: ByteBuffer) throws(ConnectionEnded) -> Bool {
        guard let context, context.channel.isActive else { throw ConnectionEnded() }
        guard buffer.readableBytes > 0 else { return true }
        let framing = try conversation.write(buffer.readableBytes)
        openWindow()
        let sent = promise(for: buffer.readableBytes)
        switch (conversation.version, framing) {
        case (.http2, _): context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(buffer))), promise: sent)
        case (.http1, .chunks):
            var line = context.channel.allocator.buffer(capacity: 16)
            line.writeChunkHead(buffer.readableBytes)
            context.write(wrapOutboundOut(line), promise: nil)
            context.write(wrapOutboundOut(buffer), promise: sent)
            context.write(wrapOutboundOut(ByteBuffer(staticString: "\r\n")), promise: nil)
        case (.http1, _): context.write(wrapOutboundOut(buffer), promise: sent)
        }
        context.flush()
        return mayWriteOn
    }

    /// Ends the body.
    func finish() throws(ConnectionEnded) {
        guard let context else { throw ConnectionEnded() }
        switch (conversation.version, try conversation.finishAnswer()) {
        case (.http2, _): context.write(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
        case (.http1, .chunks): context.write(wrapOutboundOut(ByteBuffer(staticString: "0\r\n\r\n")), promise: nil)
        case (.http1, _): break
        }
        leaveRoom()
        flush()
        answered()
        noteUnsent(document: nil)
    }

    /// Flushes the written data at the end of the event loop's turn, after all requests of this turn.
    ///
    /// Waking a sleeping client costs more than writing. A client with many connections is thus woken once for all of them. HTTP/2's own
    /// handler gathers the streams.
    func flush() {
        guard let context else { return }
        guard conversation.version == .http1 else { return context.flush() }
        guard !isFlushPending else { return }
        isFlushPending = true
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            handler.value.isFlushPending = false
            handler.value.context?.flush()
        }
    }
}

/// Writes a response body at the speed of the receiver.
struct AnswerWriter: ResponseBodyWriter {
    private let handler: NIOLoopBound<ConversationHandler>

    init(_ handler: NIOLoopBound<ConversationHandler>) { self.handler = handler }

    /// Writes a buffer. The task of a request runs on the connection's event loop, see ``EventLoopExecutor``.
    func write(_ buffer: ByteBuffer) async throws {
        guard try !handler.value.write(buffer) else { return }
        try await handler.value.awaitReceiver()
    }

    func room() async throws -> BodyRoom {
        while true {
            if let room = handler.value.room() { return room }
            try await handler.value.awaitShare()
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {
        try handler.value.finish()
    }
}

extension ByteBuffer {
    /// Returns the readable bytes in slices of a length; the last one may be shorter.
    fileprivate func pieces(of length: Int) -> [ByteBuffer] {
        guard readableBytes > length else { return [self] }
        var (rest, pieces) = (self, [ByteBuffer]())
        while let piece = rest.readSlice(length: min(length, rest.readableBytes)), piece.readableBytes > 0 { pieces.append(piece) }
        return pieces
    }
}
