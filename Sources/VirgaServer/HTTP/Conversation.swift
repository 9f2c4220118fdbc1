import Exchange
import HTTPTypes
import NIOCore
import NIOHTTP1

/// One connection of HTTP/1.1, or one stream of HTTP/2: takes requests in, has each answered, sends the answers in their order.
///
/// It works on the connection's event loop. A request begins when its head is here and its content is complete or has to be
/// waited for, and one that came whole is answered within the same turn of the loop.
final class Conversation: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    enum Version {
        case http1
        case http2
    }

    /// Bytes of content that nobody wants and that are read all the same, so that the connection can go on. Of more, the
    /// connection ends with the answer, as S3's does. As much as a usual part of an upload.
    private static let longestDiscard = 8 << 20

    /// How much of the newest request is here.
    private enum Inbound {
        case none
        /// Its head, and its content so far; nobody has been told.
        case head(RequestHead, ByteBuffer?)
        /// It is being answered while its content arrives.
        case body(ArrivingBody)
        /// Its answer is complete; the rest of its content is thrown away.
        case discarded
    }

    /// What is known of the request that is being answered.
    struct Current {
        var isKeptAlive: Bool
        var isHTTP10: Bool
        /// Whether the method is one whose requests have no content, whatever their length says.
        var hasNoContent: Bool
        /// Whether the client still waits to be told to continue.
        var expectsContinue: Bool
        var framing = Framing.length
        /// Bytes of content that have been promised and not written.
        var remaining: Int?
    }

    let version: Version
    private let door: FrontDoor
    private let isSecure: Bool
    private let executor: EventLoopExecutor
    private var peer: SocketAddress?
    var context: ChannelHandlerContext?

    private var inbound = Inbound.none
    /// As the last request that had one brought it.
    private var sessionToken: HTTPField?
    /// Bytes of the newest request's content that are still to come, nothing where chunks will tell.
    private var awaited: Int?
    private var discarded = 0
    /// Set while a request is being answered.
    var current: Current?
    private var waiting = WaitingParts()
    private var isTakingQueue = false
    private var isReading = false
    var isFlushPending = false
    private var isReadHeld = false
    private var hasRoom = true
    /// Whether no request is taken any more: the last answer says so, or the server ends.
    private var isEnding = false
    /// Whether the client will send nothing more.
    private var isInputClosed = false
    /// Whether what came was no HTTP; it is answered after the requests before it.
    private var isMalformed = false
    /// Waits for the receiver to be ready for more.
    private var writer: CheckedContinuation<Void, any Error>?

    init(version: Version, door: FrontDoor, isSecure: Bool, executor: EventLoopExecutor) {
        self.version = version
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

    // MARK: Taking in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let part = unwrapInboundIn(data)
        if current != nil, case .none = inbound {
            waiting.append(part)
        } else {
            take(part)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        beginStreamed()
    }

    /// Reading stops while nobody takes what has been read.
    func read(context: ChannelHandlerContext) {
        if hasRoom, waiting.hasRoom {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    private func goOnReading() {
        guard isReadHeld, hasRoom, waiting.hasRoom else { return }
        isReadHeld = false
        context?.read()
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head):
            guard !isEnding, !isMalformed else { return }
            guard let head = RequestHead(head, sessionToken: &sessionToken) else { return refuse() }
            inbound = .head(head, nil)
        case .body(let buffer):
            switch inbound {
            case .head(let head, nil) where buffer.readableBytes == head.contentLength: inbound = .head(head, buffer)
            case .head(let head, _): begin(head, with: buffer)
            case .body(let body):
                // Whoever sends without being told waits no longer.
                current?.expectsContinue = false
                awaited = awaited.map { $0 - buffer.readableBytes }
                hasRoom = body.append(buffer)
            case .discarded: discard(buffer.readableBytes)
            case .none: break
            }
        case .end:
            switch inbound {
            case .head(let head, let buffer):
                inbound = .none
                if head.expectsContinue, buffer == nil, version == .http1 { tellToContinue() }
                answer(head, RequestBody(buffer: buffer ?? ByteBuffer()))
            case .body(let body):
                inbound = .none
                hasRoom = true
                body.finish()
            case .discarded:
                inbound = .none
                goOn()
            case .none: break
            }
        }
    }

    /// Throws content away, and ends the connection when it has been enough.
    private func discard(_ count: Int) {
        discarded += count
        guard discarded > Self.longestDiscard else { return }
        switch version {
        case .http1:
            guard !isEnding else { return }
            isEnding = true
            closeAfterFlush()
        case .http2: close()
        }
    }

    /// Takes parts that waited, until a request has to be waited for.
    private func goOn() {
        guard !isTakingQueue, current == nil || !isIdle else { return }
        isTakingQueue = true
        while current == nil || !isIdle, let part = waiting.popFirst() { take(part) }
        isTakingQueue = false
        if isMalformed, current == nil, waiting.isEmpty { return refuse() }
        if !isReading { beginStreamed() }
        goOnReading()
        if isEnding || isInputClosed, current == nil, isIdle, waiting.isEmpty { closeAfterFlush() }
    }

    private var isIdle: Bool {
        if case .none = inbound { return true }
        return false
    }

    // MARK: Answering

    /// Begins to answer a request whose content is still to come.
    private func beginStreamed() {
        guard case .head(let head, let buffer) = inbound else { return }
        begin(head, with: buffer)
    }

    private func begin(_ head: RequestHead, with buffer: ByteBuffer?) {
        guard let loop = context?.eventLoop else { return }
        let conversation = NIOLoopBound(self, eventLoop: loop)
        let body = ArrivingBody { loop.execute { conversation.value.demandContent() } }
        awaited = head.contentLength.map { $0 - (buffer?.readableBytes ?? 0) }
        if let buffer { hasRoom = body.append(buffer) }
        inbound = .body(body)
        answer(head, RequestBody(arriving: body), expectsContinue: head.expectsContinue && buffer == nil)
    }

    /// Somebody waits for content.
    private func demandContent() {
        hasRoom = true
        if current?.expectsContinue == true, case .body = inbound {
            current?.expectsContinue = false
            tellToContinue()
            flush()
        }
        goOnReading()
    }

    /// Writes 100. It could be left out where there is no content (RFC 9110 section 10.1.1), but boto3 of before 2026 asks for it before
    /// an empty object as well, and without it waits in vain for what it sends next on the connection.
    private func tellToContinue() {
        switch version {
        case .http1: context?.write(wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        case .http2:
            let head = HTTPResponseHead(version: .http2, status: .continue)
            context?.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        }
    }

    private func answer(_ head: RequestHead, _ body: RequestBody, expectsContinue: Bool = false) {
        guard let context else { return }
        current = Current(
            isKeptAlive: head.isKeptAlive, isHTTP10: head.isHTTP10,
            hasNoContent: version == .http1 && [.get, .head, .delete].contains(head.method),
            expectsContinue: expectsContinue)
        let request = Request(
            method: head.method, target: head.target, authority: head.authority, headers: head.fields, body: body)
        let conversation = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (door, peer, isSecure) = (door, peer, isSecure)
        executor.start {
            let response = await door.respond(to: request, peer: peer, isSecure: isSecure)
            if response.isLost { return conversation.value.abort() }
            guard case .written(let length, let write) = response.body.content else {
                return conversation.value.send(response)
            }
            conversation.value.begin(response, length: length)
            var writer: any ResponseBodyWriter = AnswerWriter(conversation)
            do {
                try await write(&writer)
            } catch {
                conversation.value.abort()
            }
        }
    }

    /// The answer has been written; the next request may be.
    func answered() {
        guard let answered = current else { return }
        current = nil
        if case .body = inbound {
            inbound = .discarded
            discarded = 0
            hasRoom = true
            if isTooMuchAwaited { isEnding = true }
            // A client that was not told to continue may send the content or not, and one that announces content of a GET may only
            // have signed its length; nobody can say where its next request begins.
            if answered.expectsContinue || answered.hasNoContent { isEnding = true }
        }
        if !answered.isKeptAlive { isEnding = true }
        if isEnding {
            waiting.removeAll()
            return closeAfterFlush()
        }
        goOn()
    }

    /// Whether the connection ends with the answer that is being written.
    var isLast: Bool {
        guard let current else { return true }
        if isEnding || !current.isKeptAlive { return true }
        guard case .body = inbound else { return false }
        return current.expectsContinue || current.hasNoContent || isTooMuchAwaited
    }

    private var isTooMuchAwaited: Bool { awaited ?? 0 > Self.longestDiscard }

    // MARK: Ending

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if case .body(let body) = inbound { body.cutOff() }
            if current == nil, waiting.isEmpty { closeAfterFlush() }
        case is ChannelShouldQuiesceEvent:
            isEnding = true
            if current == nil, isIdle { closeAfterFlush(waits: false) }
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
        if error is HTTPParserError, version == .http1 {
            guard !isMalformed, !isEnding else { return }
            isMalformed = true
            switch inbound {
            case .body(let body):
                current?.isKeptAlive = false
                body.cutOff()
                inbound = .discarded
            case .head, .discarded: inbound = .none
            case .none: break
            }
            if current == nil, waiting.isEmpty { refuse() }
        } else {
            abort()
        }
    }

    /// Answers what is no HTTP, and ends.
    private func refuse() {
        isMalformed = true
        guard let context, !isEnding else { return }
        isEnding = true
        inbound = .discarded
        switch version {
        case .http1:
            let answer: StaticString = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            context.write(wrapOutboundOut(ByteBuffer(staticString: answer)), promise: nil)
            closeAfterFlush()
        case .http2: close()
        }
    }

    /// The connection cannot keep what it has promised.
    func abort() {
        end()
        close()
    }

    private func end() {
        isEnding = true
        waiting.removeAll()
        if case .body(let body) = inbound { body.cutOff() }
        inbound = .discarded
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

    /// Sends what has been written and ends. Content that the client still sends is read meanwhile: to close over it would reset
    /// the connection and take the answer with it. (RFC 9112 section 9.6.) TLS cannot close one direction alone. A stream of
    /// HTTP/2 ends by itself.
    /// - Parameter waits: whether TLS waits for the client to confirm its end.
    private func closeAfterFlush(waits: Bool = true) {
        guard let context, version == .http1 else { return }
        hasRoom = true
        let isOver = isIdle && !isMalformed || isInputClosed || isSecure && isMalformed
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        if isOver, !waits {
            sent.futureResult.whenComplete { _ in channel.pipeline.closeAtOnce() }
        } else if isOver || !isSecure {
            sent.futureResult.whenComplete { _ in channel.close(mode: isOver ? .all : .output, promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
        guard !isOver else { return }
        goOnReading()
        context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
}
