import HTTPTypes
import NIOCore
import NIOHTTP1
import WireFormats

/// One HTTP/1.1 connection, or one HTTP/2 stream, as a state machine: it receives events and returns actions.
///
/// It accepts requests, returns them for processing, and keeps the responses in order. It knows no channel and no clock, and calls no other
/// code. ``ConversationHandler`` passes every event to it and performs the returned action, and then each action that ``next()`` returns,
/// until there is none.
struct Conversation {
    enum Version {
        case http1
        case http2
    }

    /// An action for the handler.
    enum Action {
        case nothing
        /// Respond to a request whose body is complete. If `sendsContinue` is true, write `100 Continue` before the response.
        case answer(RequestHead, ByteBuffer, sendsContinue: Bool)
        /// Respond to a request whose body is still arriving. The buffer is the beginning of the body.
        case answerArriving(RequestHead, ByteBuffer?)
        /// Append a buffer to the body of the current request; then report the room with ``contentHasRoom(_:)``.
        case appendContent(ByteBuffer)
        /// Mark the body of the current request as complete.
        case finishContent
        /// Mark the body of the current request as cut off.
        case cutOffContent
        /// Mark the body of the current request as cut off, because the client paused for too long.
        case timeOutContent
        /// Write `100 Continue` and flush.
        case sendContinue
        /// Write the response to a message that is not HTTP. Only in HTTP/1.1.
        case sendBadRequest
        /// Write the response to a head that takes too long. Only in HTTP/1.1.
        case sendTimeout
        /// Read from the connection: a read was delayed earlier.
        case read
        /// Close the connection after everything written has been sent. Only in HTTP/1.1.
        case end(End)
        /// Close the connection, or reset the stream, immediately.
        case close
    }

    /// How a connection is closed.
    enum End: Equatable {
        /// In both directions.
        case whole
        /// In both directions, without waiting for the client to confirm the end of TLS.
        case atOnce
        /// Only in the direction to the client. The body that the client still sends is read for a while: closing the connection before
        /// would make TCP reset it, and the client might lose the response. (RFC 9112 section 9.6.)
        case output
    }

    /// The number of bytes of an unwanted body that are read to keep the connection open. If the body is longer, the connection closes
    /// after the response, as with S3. The value is the usual size of a part of an upload.
    static let longestDiscard = 8 << 20

    /// The state of the newest request.
    enum Inbound {
        case idle
        /// The head and the body so far. The request is not being processed yet.
        case head(RequestHead, ByteBuffer?)
        /// The request is being processed while its body arrives. `awaited` is the number of remaining bytes, or `nil` for a chunked body.
        case content(awaited: Int?)
        /// The response is complete, and the rest of the body is discarded; the value is the number of discarded bytes.
        case discarding(Int)

        var isIdle: Bool {
            if case .idle = self { return true }
            return false
        }
    }

    /// The response that is being written.
    struct Answer {
        var isKeptAlive: Bool
        let isHTTP10: Bool
        /// Whether requests of this method have no body, even if they declare a length.
        let hasNoContent: Bool
        /// Whether the client still waits for `100 Continue`.
        var expectsContinue: Bool
        var framing = Framing.length
        /// The number of body bytes that were declared and are not written yet; `nil` if no length was declared.
        var remaining: Int?
    }

    enum Phase {
        case open
        /// No further request is accepted. The connection closes after the current response.
        case last
        /// The connection is closed in the direction to the client.
        case outputEnded
        case ended
    }

    let version: Version
    private let isSecure: Bool

    private(set) var phase = Phase.open
    var inbound = Inbound.idle
    var answer: Answer?
    /// Parts of later requests that arrived while the current one is being processed.
    private(set) var waiting = WaitingParts()
    /// The headers of the latest request, see ``RequestHead``; none after ``forgetHeaders()``.
    private var latestFields = HTTPFields()
    /// Whether the connection is delivering data that it has read.
    private var isReceiving = false
    private var isReadHeld = false
    private(set) var contentHasRoom = true
    /// Whether the next request may be processed: not while the client does not read the responses.
    private var outputHasRoom = true
    /// Whether the client has closed its direction.
    private var isInputClosed = false
    /// Whether data arrived that is not HTTP. Later data is ignored.
    private var isMalformed = false

    init(version: Version, isSecure: Bool) {
        self.version = version
        self.isSecure = isSecure
    }

    /// Returns the next action that needs no further event.
    mutating func next() -> Action {
        guard phase != .ended else { return .nothing }
        while !isBusy || !inbound.isIdle, let part = waiting.popFirst() {
            let action = take(part)
            if case .nothing = action { continue }
            return action
        }
        if isInputClosed || isMalformed, waiting.isEmpty, case .content = inbound { return cutOffContent() }
        if isMalformed, answer == nil, waiting.isEmpty, phase == .open { return refuse() }
        if !isBusy, !isReceiving, case .head(let head, let buffer) = inbound { return begin(head, buffer) }
        if isReadHeld, contentHasRoom, waiting.hasRoom {
            isReadHeld = false
            return .read
        }
        return answer == nil && waiting.isEmpty ? ending() : .nothing
    }

    // MARK: Requests

    /// Handles a part of a request.
    mutating func receive(_ part: HTTPServerRequestPart) -> Action {
        isReceiving = true
        guard !isMalformed else { return .nothing }
        if waiting.isEmpty, !isBusy || !inbound.isIdle { return take(part) }
        waiting.append(part)
        return .nothing
    }

    /// Whether a further request has to wait.
    private var isBusy: Bool { answer != nil || !outputHasRoom }

    /// Handles a change of the room for responses.
    mutating func outputHasRoom(_ hasRoom: Bool) { outputHasRoom = hasRoom }

    /// Handles the end of a read.
    mutating func receivedAll() { isReceiving = false }

    /// Forgets the headers of the latest request; those of the next one are validated as if it were the first.
    mutating func forgetHeaders() { latestFields = HTTPFields() }

    /// Returns whether the connection may read. If not, ``next()`` returns `read` as soon as it may.
    ///
    /// Reading pauses while the received data is not being consumed.
    mutating func mayRead() -> Bool {
        isReadHeld = !contentHasRoom || !waiting.hasRoom
        return !isReadHeld
    }

    private mutating func take(_ part: HTTPServerRequestPart) -> Action {
        switch part {
        case .head(let head):
            guard phase == .open else { return .nothing }
            guard let head = RequestHead(head, after: latestFields) else { return refuse() }
            latestFields = head.fields
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
            // A client that sends the body no longer waits for `100 Continue`.
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
            // It could be omitted for an empty body (RFC 9110 section 10.1.1). But boto3 before 2026 also expects it before an empty
            // object; without it, the next request on the connection waits in vain.
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

    /// Starts to process a request whose body is not complete.
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

    // MARK: Body

    /// Handles the result of appending to a body.
    /// - Parameter hasRoom: whether more data may be read.
    mutating func contentHasRoom(_ hasRoom: Bool) { contentHasRoom = hasRoom }

    /// Handles the first read of a body that waits for data.
    mutating func contentIsDemanded() -> Action {
        contentHasRoom = true
        guard answer?.expectsContinue == true, case .content = inbound else { return .nothing }
        answer?.expectsContinue = false
        return .sendContinue
    }

    // MARK: Responses

    /// The `Connection` header of the current response.
    var connectionOption: ConnectionOption? {
        guard let answer else { return nil }
        if isLast(answer) { return .close }
        return answer.isHTTP10 ? .keepAlive : nil
    }

    /// Makes the current response the last one of an HTTP/1.1 connection.
    mutating func endAfterAnswer() {
        if version == .http1 { answer?.isKeptAlive = false }
    }

    var isAnswering: Bool { answer != nil }

    /// Starts a response whose body is written in parts.
    /// - Parameters:
    ///   - length: the number of body bytes, or `nil` if it is unknown.
    ///   - declaresLength: whether the response has a `Content-Length` header.
    /// - Returns: the framing of the body, or `nil` if there is no current request.
    mutating func beginAnswer(length: Int?, declaresLength: Bool) -> Framing? {
        guard let answer else { return nil }
        self.answer?.remaining = length
        guard length == nil, !declaresLength else { return .length }
        self.answer?.framing = answer.isHTTP10 ? .close : .chunks
        if answer.isHTTP10 { self.answer?.isKeptAlive = false }
        return answer.isHTTP10 ? .close : .chunks
    }

    /// Handles the writing of a part of the response body.
    /// - Throws: `ConnectionEnded` if there is no current request, or if more bytes are written than declared.
    mutating func write(_ count: Int) throws(ConnectionEnded) -> Framing {
        guard let answer else { throw ConnectionEnded() }
        if let remaining = answer.remaining {
            guard remaining >= count else { throw ConnectionEnded() }
            self.answer?.remaining = remaining - count
        }
        return answer.framing
    }

    /// Handles the end of the response body.
    /// - Throws: `ConnectionEnded` if there is no current request, or if fewer bytes were written than declared.
    func finishAnswer() throws(ConnectionEnded) -> Framing {
        guard let answer, answer.remaining ?? 0 == 0 else { throw ConnectionEnded() }
        return answer.framing
    }

    /// Handles the end of a response; the next request may be processed.
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

    /// Returns whether the connection closes after a response, as far as is known.
    private func isLast(_ answer: Answer) -> Bool {
        if phase != .open || !answer.isKeptAlive { return true }
        guard case .content(let awaited) = inbound else { return false }
        // A client that received no `100 Continue` may or may not send the body. A client that declares a body for GET may only have signed
        // its length. In both cases the start of the next request is unknown.
        return answer.expectsContinue || answer.hasNoContent || awaited ?? 0 > Self.longestDiscard
    }

    // MARK: Ends

    /// Handles the close of the client's direction.
    mutating func inputClosed() { isInputClosed = true }

    /// Handles the shutdown of the server: the connection closes after the current request.
    mutating func quiesce() -> Action {
        guard phase == .open else { return .nothing }
        phase = .last
        guard answer == nil, inbound.isIdle, version == .http1 else { return .nothing }
        phase = .ended
        return .end(.atOnce)
    }

    /// Handles data that is not HTTP. The error response follows the responses to earlier requests.
    mutating func receiveMalformed() { isMalformed = true }

    /// Handles the loss of the connection, or a response that cannot be completed.
    mutating func abort() -> Action {
        phase = .ended
        answer = nil
        waiting.removeAll()
        defer { inbound = .idle }
        if case .content = inbound { return .cutOffContent }
        return .nothing
    }

    /// Handles a body that ends too early.
    private mutating func cutOffContent() -> Action {
        if isMalformed { answer?.isKeptAlive = false }
        inbound = .discarding(0)
        return .cutOffContent
    }

    /// Rejects a message that is not HTTP, or does not arrive. The connection closes afterwards.
    mutating func refuse(_ answer: Action = .sendBadRequest) -> Action {
        isMalformed = true
        phase = .last
        inbound = .discarding(0)
        waiting.removeAll()
        guard version == .http1 else { return .close }
        return answer
    }

    /// Returns the close action for a connection without a current request.
    private mutating func ending() -> Action {
        // An HTTP/2 stream ends by itself.
        guard version == .http1 else { return .nothing }
        if case .head = inbound, !isInputClosed { return .nothing }
        guard phase != .open || isInputClosed else { return .nothing }
        // TLS cannot close one direction alone.
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

/// The value of a response's `Connection` header. (RFC 9112 section 9.)
enum ConnectionOption {
    case close
    case keepAlive
}
