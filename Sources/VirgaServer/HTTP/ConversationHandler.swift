import Calls
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The end of a channel's pipeline: tells a ``Conversation`` what happens and performs what it returns.
///
/// It works on the connection's event loop. A request that arrived whole is answered within the same turn of the loop.
final class ConversationHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The time for which content is still read after the output has ended.
    private static let lingering = TimeAmount.seconds(2)

    var conversation: Conversation
    private let door: FrontDoor
    private let isSecure: Bool
    private let executor: EventLoopExecutor
    private var peer: SocketAddress?
    private(set) var context: ChannelHandlerContext?

    /// The content of the request that is being answered, while it arrives.
    private var body: ArrivingBody?
    /// The writer of an answer, which waits until the client can take more.
    private var writer: CheckedContinuation<Void, any Error>?
    private var isPerforming = false
    var isFlushPending = false

    init(version: Conversation.Version, door: FrontDoor, isSecure: Bool, executor: EventLoopExecutor) {
        conversation = Conversation(version: version, isSecure: isSecure)
        self.door = door
        self.isSecure = isSecure
        self.executor = executor
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer = context.channel.remoteAddress ?? context.channel.parent?.remoteAddress
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    // MARK: Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        perform(conversation.receive(unwrapInboundIn(data)))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        conversation.receivedAll()
        perform()
    }

    func read(context: ChannelHandlerContext) {
        if conversation.mayRead() { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            conversation.inputClosed()
            perform()
        case is ChannelShouldQuiesceEvent: perform(conversation.quiesce())
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, let writer {
            self.writer = nil
            writer.resume()
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, conversation.version == .http1 {
            conversation.receiveMalformed()
            perform()
        } else {
            abort()
        }
    }

    // MARK: Actions

    /// Performs an action, and then everything else that there is to do.
    ///
    /// An event that comes while an action is performed, such as an answer that is made at once, leaves the rest to the caller that
    /// performs already.
    func perform(_ first: Conversation.Action = .nothing) {
        guard !isPerforming else { return performOne(first) }
        isPerforming = true
        performOne(first)
        while true {
            let action = conversation.next()
            if case .nothing = action { break }
            performOne(action)
        }
        isPerforming = false
    }

    private func performOne(_ action: Conversation.Action) {
        switch action {
        case .nothing: break
        case .answer(let head, let content, let sendsContinue):
            if sendsContinue { writeContinue() }
            answer(head, RequestBody(buffer: content))
        case .answerArriving(let head, let beginning): answer(head, arriving(after: beginning))
        case .appendContent(let buffer): append(buffer)
        case .finishContent:
            body?.finish()
            body = nil
        case .cutOffContent:
            body?.cutOff()
            body = nil
        case .sendContinue:
            writeContinue()
            flush()
        case .sendBadRequest:
            let answer: StaticString = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            context?.write(wrapOutboundOut(ByteBuffer(staticString: answer)), promise: nil)
        case .read: context?.read()
        case .end(let end): endAfterFlush(end)
        case .close: close()
        }
    }

    private func arriving(after beginning: ByteBuffer?) -> RequestBody {
        guard let loop = context?.eventLoop else { return RequestBody(buffer: ByteBuffer()) }
        let handler = NIOLoopBound(self, eventLoop: loop)
        let body = ArrivingBody {
            loop.execute { handler.value.perform(handler.value.conversation.contentIsDemanded()) }
        }
        self.body = body
        if let beginning { append(beginning) }
        return RequestBody(arriving: body)
    }

    private func append(_ buffer: ByteBuffer) {
        guard let body else { return }
        conversation.contentHasRoom(body.append(buffer))
    }

    private func answer(_ head: RequestHead, _ body: RequestBody) {
        guard let context else { return }
        let request = Request(
            method: head.method, target: head.target, authority: head.authority, headers: head.fields, body: body)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (door, peer, isSecure) = (door, peer, isSecure)
        executor.start {
            let response = await door.respond(to: request, peer: peer, isSecure: isSecure)
            if response.isLost { return handler.value.abort() }
            guard case .written(let length, let write) = response.body.content else {
                return handler.value.send(response)
            }
            handler.value.begin(response, length: length)
            var writer: any ResponseBodyWriter = AnswerWriter(handler)
            do {
                try await write(&writer)
            } catch {
                handler.value.abort()
            }
        }
    }

    private func writeContinue() {
        switch conversation.version {
        case .http1: context?.write(wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        case .http2:
            let head = HTTPResponseHead(version: .http2, status: .continue)
            context?.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        }
    }

    /// The answer has been written; the next request may be answered.
    func answered() {
        body = nil
        conversation.answered()
        perform()
    }

    // MARK: Ends

    /// Closes a connection that cannot keep what it has promised.
    func abort() {
        end()
        close()
    }

    private func end() {
        performOne(conversation.abort())
        if let writer {
            self.writer = nil
            writer.resume(throwing: ConnectionEnded())
        }
    }

    func awaitWritability(_ continuation: CheckedContinuation<Void, any Error>) {
        guard let channel = context?.channel, channel.isActive else { return continuation.resume(throwing: ConnectionEnded()) }
        guard !channel.isWritable else { return continuation.resume() }
        writer = continuation
    }

    private func endAfterFlush(_ end: Conversation.End) {
        guard let context else { return }
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        switch end {
        case .whole: sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
        case .atOnce: sent.futureResult.whenComplete { _ in channel.pipeline.closeAtOnce() }
        case .output:
            // TLS cannot end one direction alone.
            if !isSecure { sent.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) } }
            context.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
    }

    /// Closes the connection, or resets the stream: this in the loop's next turn, since the connection is told that a stream began
    /// only after the stream's first read, and must not hear of its end before. (`NIOHTTP2StreamDelegate`; it would wait for the
    /// stream for ever.)
    private func close() {
        guard let context else { return }
        let channel = context.channel
        switch conversation.version {
        case .http1: context.close(promise: nil)
        case .http2: context.eventLoop.execute { channel.close(promise: nil) }
        }
    }
}
