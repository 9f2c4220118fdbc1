import Calls
import HTTPTypes
import NIOCore
import NIOHTTP1
import WireFormats

/// The last handler of a channel: passes events to a ``Conversation`` and performs the actions that it returns.
///
/// It runs on the connection's event loop. A request that arrived completely is processed in the same turn of the loop.
final class ConversationHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// How long the body is still read after the output was closed.
    private static let lingering = TimeAmount.seconds(2)

    var conversation: Conversation
    let responder: Responder
    private let isSecure: Bool
    var timeouts: ConversationTimeouts
    let executor: EventLoopExecutor
    private let client: ClientPresence
    private var peer: SocketAddress?
    /// Whether the peer is a proxy whose headers about the client are believed.
    private var isForwarded = false
    private(set) var context: ChannelHandlerContext?

    /// The body of the current request, while it is arriving.
    private var body: ArrivingBody?
    /// What the client has not read.
    var unread: UnreadResponse
    private var isPerforming = false
    var isFlushPending = false

    /// - Parameter share: what the streams of the connection hold; `nil` in HTTP/1.1.
    init(
        version: Conversation.Version, responder: Responder, isSecure: Bool, executor: EventLoopExecutor, limits: ConnectionLimits,
        share: ConnectionShare? = nil
    ) {
        client = ClientPresence(memory: responder.memory)
        unread = UnreadResponse(memory: responder.memory, documents: responder.documents, share: share)
        conversation = Conversation(version: version, isSecure: isSecure)
        timeouts = ConversationTimeouts(limits)
        self.responder = responder
        self.isSecure = isSecure
        self.executor = executor
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer = context.channel.remoteAddress ?? context.channel.parent?.remoteAddress
        isForwarded = responder.trusts(peer)
        unread.share?.add(self)
        if conversation.version == .http1 {
            // While more is unsent, further pipelined requests wait.
            try? context.channel.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 8 << 10, high: 16 << 10))
        }
        startIdleTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        timeouts.end()
        self.context = nil
    }

    // MARK: Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        timeouts.hasReceived = true
        perform(conversation.receive(unwrapInboundIn(data)))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        conversation.receivedAll()
        noteRead()
        perform()
    }

    func read(context: ChannelHandlerContext) {
        if conversation.mayRead() { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            client.closeInput()
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
        if conversation.version == .http1 {
            conversation.outputHasRoom(context.channel.isWritable)
            if context.channel.isWritable { perform() }
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

    /// Performs an action, and then all following ones.
    ///
    /// An event may occur while an action is performed, such as an immediate response. Then the outer call performs the following actions.
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
        case .answerArriving(let head, let beginning):
            startBodyTimer()
            answer(head, arriving(after: beginning))
        case .appendContent(let buffer): append(buffer)
        case .finishContent:
            body?.finish()
            body = nil
        case .cutOffContent:
            body?.cutOff()
            body = nil
        case .timeOutContent:
            body?.cutOff(isTimedOut: true)
            body = nil
        case .sendContinue:
            writeContinue()
            flush()
        case .sendBadRequest: write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        case .sendTimeout: write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
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
        var request = Request(
            method: head.method, target: head.target, authority: head.authority, headers: head.fields, body: body)
        request.client = client
        // Its client may read slowly, and the headers would be kept as long.
        if unread.memory.isScarce { conversation.forgetHeaders() }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (responder, peer, isSecure, isForwarded, hasToWait) = (responder, peer, isSecure, isForwarded, hasToWait)
        executor.starting {
            Task(executorPreference: executor) { [request] in
                if hasToWait {
                    do { try await handler.value.awaitTurn() } catch { return }
                }
                let response = await responder.respond(to: request, peer: peer, isSecure: isSecure, isForwarded: isForwarded)
                if let body = handler.value.start(response) { handler.value.write(body) }
            }
        }
    }

    /// Writes the body of a response in a task of its own: that of the request keeps the memory of its deepest calls until it ends.
    private func write(_ body: ResponseBody) {
        if case .pieces(let body) = body.content { return start(body.makePieces()) }
        guard let context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        executor.starting {
            Task(executorPreference: executor) {
                do {
                    try await body.write(AnswerWriter(handler))
                } catch {
                    handler.value.abort()
                }
            }
        }
    }

    /// Sends a complete response, or the head of another one.
    /// - Returns: the body that is still to be written.
    private func start(_ response: Response) -> ResponseBody? {
        if response.isLost {
            abort()
            return nil
        }
        switch response.body.content {
        case .none, .whole:
            send(response)
            return nil
        case .pieces, .written:
            begin(response, length: response.body.contentLength)
            return response.body
        }
    }

    private func write(_ text: StaticString) { context?.write(wrapOutboundOut(ByteBuffer(staticString: text)), promise: nil) }

    private func writeContinue() {
        switch conversation.version {
        case .http1: write("HTTP/1.1 100 Continue\r\n\r\n")
        case .http2:
            let head = HTTPResponseHead(version: .http2, status: .continue)
            context?.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        }
    }

    /// Handles the end of a response; the next request may be processed.
    func answered() {
        body = nil
        timeouts.lastActivity = .now()
        conversation.answered()
        if conversation.version == .http1, let context { conversation.outputHasRoom(context.channel.isWritable) }
        perform()
    }

    // MARK: Ends

    /// Closes a connection whose response cannot be completed.
    func abort() {
        end()
        close()
    }

    private func end() {
        client.end()
        performOne(conversation.abort())
        endCounting()
    }

    private func endAfterFlush(_ end: Conversation.End) {
        guard let context else { return }
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        switch end {
        case .whole: sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
        case .atOnce: sent.futureResult.whenComplete { _ in channel.pipeline.closeAtOnce() }
        case .output:
            // TLS cannot close one direction alone.
            if !isSecure { sent.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) } }
            context.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
        }
        // A client that does not read would never have received everything.
        startEndTimer()
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
    }

    /// Closes the connection, or resets the stream. A stream is reset in the loop's next turn: `NIOHTTP2StreamDelegate` is notified of a
    /// new stream only after its first read. If the stream ended before, the connection would wait for it forever.
    private func close() {
        guard let context else { return }
        let channel = context.channel
        switch conversation.version {
        case .http1: context.close(promise: nil)
        case .http2: context.eventLoop.execute { channel.close(promise: nil) }
        }
    }
}
