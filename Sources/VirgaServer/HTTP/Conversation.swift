import HTTPTypes
import NIOCore
import NIOHTTP1

/// One connection of HTTP/1.1, or one stream of HTTP/2, as a state machine: it is told what happens, and says what to do.
///
/// It takes requests in, has each of them answered, and keeps the answers in order. It knows no channel and no clock, and it calls
/// nobody: ``ConversationHandler`` tells it every event and performs the action that the event returns, and then each that ``next()``
/// returns until there is nothing to do.
struct Conversation {
    enum Version {
        case http1
        case http2
    }

    /// What the handler must do.
    enum Action {
        case nothing
        /// Answer a request whose content is complete. If `sendsContinue` is true, write `100 Continue` before the answer.
        case answer(RequestHead, ByteBuffer, sendsContinue: Bool)
        /// Answer a request whose content arrives meanwhile. The buffer is the beginning of the content.
        case answerArriving(RequestHead, ByteBuffer?)
        /// Add a piece to the content of the request that is being answered; then report the room with ``contentHasRoom(_:)``.
        case appendContent(ByteBuffer)
        /// The content of the request that is being answered is complete.
        case finishContent
        /// The rest of the content will not come.
        case cutOffContent
        /// Write `100 Continue` and flush.
        case sendContinue
        /// Write the answer to a message that is not HTTP. Only in HTTP/1.1.
        case sendBadRequest
        /// Read from the connection: a read was held back earlier.
        case read
        /// End the connection when all that was written has been sent. Only in HTTP/1.1.
        case end(End)
        /// Close the connection, or reset the stream, at once.
        case close
    }

    /// How much of a connection ends.
    enum End: Equatable {
        /// Both directions.
        case whole
        /// Both directions, and TLS does not wait for the client to confirm the end.
        case atOnce
        /// Only the direction to the client. The content that it still sends is read for a while: if the connection were closed over
        /// it, TCP would reset the connection, and the client might lose the answer. (RFC 9112 section 9.6.)
        case output
    }

    /// Content that no one wants is read up to this number of bytes, so that the connection can go on. With more of it the connection
    /// ends after the answer, as it does at S3. The value is the usual size of a part of an upload.
    static let longestDiscard = 8 << 20

    /// How much of the newest request has arrived.
    private enum Inbound {
        case idle
        /// Its head, and its content so far. The request is not being answered yet.
        case head(RequestHead, ByteBuffer?)
        /// The request is being answered while its content arrives. `awaited` is the number of bytes still to come, or `nil` if the
        /// content comes in chunks.
        case content(awaited: Int?)
        /// The answer is complete, and the rest of the content is thrown away; so many bytes were.
        case discarding(Int)

        var isIdle: Bool {
            if case .idle = self { return true }
            return false
        }
    }

    /// The answer that is being made.
    private struct Answer {
        var isKeptAlive: Bool
        let isHTTP10: Bool
        /// Whether requests of this method have no content, even if they announce a length.
        let hasNoContent: Bool
        /// Whether the client still waits for `100 Continue`.
        var expectsContinue: Bool
        var framing = Framing.length
        /// The number of content bytes that were promised and are not written yet, or `nil` if none were promised.
        var remaining: Int?
    }

    private enum Phase {
        case open
        /// No further request is taken. The connection ends after the current answer.
        case last
        /// The direction to the client has ended.
        case outputEnded
        case ended
    }

    let version: Version
    private let isSecure: Bool

    private var phase = Phase.open
    private var inbound = Inbound.idle
    private var answer: Answer?
    /// Parts that came while the request before them is being answered.
    private var waiting = WaitingParts()
    /// The field with the last session token of the connection, see ``RequestHead``.
    private var sessionToken: HTTPField?
    /// Whether the connection is delivering what it has read.
    private var isReceiving = false
    private var isReadHeld = false
    private var contentHasRoom = true
    /// Whether the client will send nothing more.
    private var isInputClosed = false
    /// Whether something came that is not HTTP. Nothing that comes later is taken.
    private var isMalformed = false

    init(version: Version, isSecure: Bool) {
        self.version = version
        self.isSecure = isSecure
    }

    /// The next thing to do without a further event.
    mutating func next() -> Action {
        guard phase != .ended else { return .nothing }
        while answer == nil || !inbound.isIdle, let part = waiting.popFirst() {
            let action = take(part)
            if case .nothing = action { continue }
            return action
        }
        if isInputClosed || isMalformed, waiting.isEmpty, case .content = inbound { return cutOffContent() }
        if isMalformed, answer == nil, waiting.isEmpty, phase == .open { return refuse() }
        if answer == nil, !isReceiving, case .head(let head, let buffer) = inbound { return begin(head, buffer) }
        if isReadHeld, contentHasRoom, waiting.hasRoom {
            isReadHeld = false
            return .read
        }
        return answer == nil && waiting.isEmpty ? ending() : .nothing
    }

    // MARK: Requests

    /// A part of a request was read.
    mutating func receive(_ part: HTTPServerRequestPart) -> Action {
        isReceiving = true
        guard !isMalformed else { return .nothing }
        if waiting.isEmpty, answer == nil || !inbound.isIdle { return take(part) }
        waiting.append(part)
        return .nothing
    }

    /// Everything that was read has been received.
    mutating func receivedAll() { isReceiving = false }

    /// Whether the connection may read. If not, ``next()`` returns `read` as soon as it may.
    ///
    /// Reading stops while no one takes what has been read.
    mutating func mayRead() -> Bool {
        isReadHeld = !contentHasRoom || !waiting.hasRoom
        return !isReadHeld
    }

    private mutating func take(_ part: HTTPServerRequestPart) -> Action {
        switch part {
        case .head(let head):
            guard phase == .open else { return .nothing }
            guard let head = RequestHead(head, sessionToken: &sessionToken) else { return refuse() }
            inbound = .head(head, nil)
            return .nothing
        case .body(let buffer): return take(buffer)
        case .end: return takeEnd()
        }
    }

    private mutating func take(_ buffer: ByteBuffer) -> Action {
        switch inbound {
        case .head(let head, nil) where buffer.readableBytes == head.contentLength:
            inbound = .head(head, buffer)
            return .nothing
        case .head(let head, _): return begin(head, buffer)
        case .content(let awaited):
            // A client that sends the content does not wait for `100 Continue` any longer.
            answer?.expectsContinue = false
            inbound = .content(awaited: awaited.map { $0 - buffer.readableBytes })
            return .appendContent(buffer)
        case .discarding(let count):
            inbound = .discarding(count + buffer.readableBytes)
            guard count + buffer.readableBytes > Self.longestDiscard else { return .nothing }
            switch version {
            case .http1:
                if phase == .open { phase = .last }
                return .nothing
            case .http2: return .close
            }
        case .idle: return .nothing
        }
    }

    private mutating func takeEnd() -> Action {
        switch inbound {
        case .head(let head, let buffer):
            inbound = .idle
            start(head, expectsContinue: false)
            // It could be left out if there is no content (RFC 9110 section 10.1.1), but boto3 of before 2026 asks for it before an empty
            // object as well, and without it waits in vain for what it sends next on the connection.
            let sendsContinue = head.expectsContinue && buffer == nil && version == .http1
            return .answer(head, buffer ?? ByteBuffer(), sendsContinue: sendsContinue)
        case .content:
            inbound = .idle
            contentHasRoom = true
            return .finishContent
        case .discarding:
            inbound = .idle
            return .nothing
        case .idle: return .nothing
        }
    }

    /// Begins to answer a request whose content is not complete.
    private mutating func begin(_ head: RequestHead, _ buffer: ByteBuffer?) -> Action {
        inbound = .content(awaited: head.contentLength.map { $0 - (buffer?.readableBytes ?? 0) })
        start(head, expectsContinue: head.expectsContinue && buffer == nil)
        return .answerArriving(head, buffer)
    }

    private mutating func start(_ head: RequestHead, expectsContinue: Bool) {
        answer = Answer(
            isKeptAlive: head.isKeptAlive, isHTTP10: head.isHTTP10,
            hasNoContent: version == .http1 && [.get, .head, .delete].contains(head.method), expectsContinue: expectsContinue)
    }

    // MARK: Content

    /// Content was added to a request.
    /// - Parameter hasRoom: whether more of it may be read.
    mutating func contentHasRoom(_ hasRoom: Bool) { contentHasRoom = hasRoom }

    /// The request that is being answered waits for its content.
    mutating func contentIsDemanded() -> Action {
        contentHasRoom = true
        guard answer?.expectsContinue == true, case .content = inbound else { return .nothing }
        answer?.expectsContinue = false
        return .sendContinue
    }

    // MARK: Answers

    /// The `Connection` field of the answer that is being made.
    var connectionOption: ConnectionOption? {
        guard let answer else { return nil }
        if isLast(answer) { return .close }
        return answer.isHTTP10 ? .keepAlive : nil
    }

    var isAnswering: Bool { answer != nil }

    /// Begins an answer whose content is written in pieces.
    /// - Parameters:
    ///   - length: the number of content bytes, or `nil` if it is not known.
    ///   - declaresLength: whether the answer has a `Content-Length` field.
    /// - Returns: how the content is framed, or `nil` if no request is being answered.
    mutating func beginAnswer(length: Int?, declaresLength: Bool) -> Framing? {
        guard let answer else { return nil }
        self.answer?.remaining = length
        guard length == nil, !declaresLength else { return .length }
        self.answer?.framing = answer.isHTTP10 ? .close : .chunks
        if answer.isHTTP10 { self.answer?.isKeptAlive = false }
        return answer.isHTTP10 ? .close : .chunks
    }

    /// A piece of the answer's content is about to be written.
    /// - Throws: `ConnectionEnded` if no request is being answered, or if more is written than was promised.
    mutating func write(_ count: Int) throws(ConnectionEnded) -> Framing {
        guard let answer else { throw ConnectionEnded() }
        if let remaining = answer.remaining {
            guard remaining >= count else { throw ConnectionEnded() }
            self.answer?.remaining = remaining - count
        }
        return answer.framing
    }

    /// The answer's content is about to end.
    /// - Throws: `ConnectionEnded` if no request is being answered, or if less was written than was promised.
    func finishAnswer() throws(ConnectionEnded) -> Framing {
        guard let answer, answer.remaining ?? 0 == 0 else { throw ConnectionEnded() }
        return answer.framing
    }

    /// The answer has been written; the next request may be answered.
    mutating func answered() {
        guard let answered = answer else { return }
        if isLast(answered), phase == .open { phase = .last }
        answer = nil
        if case .content = inbound {
            inbound = .discarding(0)
            contentHasRoom = true
        }
        if phase != .open { waiting.removeAll() }
    }

    /// Whether the connection ends after an answer, as far as is known now.
    private func isLast(_ answer: Answer) -> Bool {
        if phase != .open || !answer.isKeptAlive { return true }
        guard case .content(let awaited) = inbound else { return false }
        // A client that was not told to continue may send the content or not, and one that announces content of a GET may only have
        // signed its length. In both cases it is not known where its next request begins.
        return answer.expectsContinue || answer.hasNoContent || awaited ?? 0 > Self.longestDiscard
    }

    // MARK: Ends

    /// The client will send nothing more.
    mutating func inputClosed() { isInputClosed = true }

    /// The server shuts down: the connection ends as soon as no request is being answered.
    mutating func quiesce() -> Action {
        guard phase == .open else { return .nothing }
        phase = .last
        guard answer == nil, inbound.isIdle, version == .http1 else { return .nothing }
        phase = .ended
        return .end(.atOnce)
    }

    /// Something was read that is not HTTP. It is answered after the requests before it.
    mutating func receiveMalformed() { isMalformed = true }

    /// The connection is gone, or cannot keep what it has promised.
    mutating func abort() -> Action {
        phase = .ended
        answer = nil
        waiting.removeAll()
        defer { inbound = .idle }
        if case .content = inbound { return .cutOffContent }
        return .nothing
    }

    /// The content of the request that is being answered ends too early.
    private mutating func cutOffContent() -> Action {
        if isMalformed { answer?.isKeptAlive = false }
        inbound = .discarding(0)
        return .cutOffContent
    }

    /// Answers what is not HTTP. The connection ends afterwards.
    private mutating func refuse() -> Action {
        isMalformed = true
        phase = .last
        inbound = .discarding(0)
        waiting.removeAll()
        guard version == .http1 else { return .close }
        return .sendBadRequest
    }

    /// The end of a connection on which no request is being answered.
    private mutating func ending() -> Action {
        // A stream of HTTP/2 ends by itself.
        guard version == .http1 else { return .nothing }
        if case .head = inbound, !isInputClosed { return .nothing }
        guard phase != .open || isInputClosed else { return .nothing }
        // TLS cannot end one direction alone.
        if inbound.isIdle && !isMalformed || isInputClosed || isSecure && isMalformed {
            phase = .ended
            return .end(.whole)
        }
        guard phase == .last else { return .nothing }
        phase = .outputEnded
        contentHasRoom = true
        return .end(.output)
    }
}

/// What the `Connection` field of an answer says. (RFC 9112 section 9.)
enum ConnectionOption {
    case close
    case keepAlive
}
