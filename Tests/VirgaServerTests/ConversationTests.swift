import NIOCore
import NIOHTTP1
import Testing

@testable import VirgaServer

@Suite("A conversation (HTTP state machine)")
struct ConversationTests {
    // MARK: Order of requests

    @Test("answers a request when it is complete")
    func wholeRequest() {
        var talk = Talk()
        #expect(talk.reads(.head(.put, ["Content-Length": "5"]), .body("hello"), .end) == ["answer PUT hello"])
        #expect(talk.answers() == [])
        #expect(talk.reads(.head(.get), .end) == ["answer GET "])
    }

    @Test("answers a request while its body arrives")
    func arrivingRequest() {
        var talk = Talk()
        #expect(talk.reads(.head(.put, ["Content-Length": "8"])) == ["answer PUT while arriving"])
        #expect(talk.reads(.body("half")) == ["append half"])
        #expect(talk.reads(.body("more"), .end) == ["append more", "finish"])
        #expect(talk.answers() == [])
    }

    @Test("starts before the body is complete when a part of it arrives")
    func firstPiece() {
        var talk = Talk()
        let actions = talk.reads(.head(.put, ["Content-Length": "8"]), .body("half"), .body("more"), .end)
        #expect(actions == ["answer PUT while arriving after half", "append more", "finish"])
    }

    @Test("handles pipelined requests one after the other")
    func pipelining() {
        var talk = Talk()
        let actions = talk.reads(.head(.get), .end, .head(.put, ["Content-Length": "1"]), .body("1"), .end, .head(.delete), .end)
        #expect(actions == ["answer GET "])
        #expect(talk.answers() == ["answer PUT 1"])
        #expect(talk.answers() == ["answer DELETE "])
        #expect(talk.answers() == [])
    }

    @Test("starts the next request while the rest of it is still to come")
    func pipelinedHead() {
        var talk = Talk()
        #expect(talk.reads(.head(.get), .end, .head(.put, ["Content-Length": "4"])) == ["answer GET "])
        #expect(talk.answers() == ["answer PUT while arriving"])
        #expect(talk.reads(.body("late"), .end) == ["append late", "finish"])
    }

    // MARK: Expect

    @Test("sends 100 Continue once, when the body is read")
    func expectation() {
        var talk = Talk()
        #expect(talk.reads(.head(.put, ["Content-Length": "4", "Expect": "100-continue"])) == ["answer PUT while arriving"])
        #expect(talk.demandsContent() == ["continue"])
        #expect(talk.demandsContent() == [])
        #expect(talk.reads(.body("data"), .end) == ["append data", "finish"])
        #expect(talk.connection == nil)
        #expect(talk.answers() == [])
    }

    @Test("sends no 100 Continue to a client that already sends its body")
    func impatience() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4", "Expect": "100-continue"]))
        _ = talk.reads(.body("data"))
        #expect(talk.demandsContent() == [])
    }

    @Test("sends 100 Continue for a request without a body in HTTP/1.1, and not in HTTP/2")
    func emptyExpectation() {
        for (version, expected) in [(Conversation.Version.http1, "continue, answer PUT "), (.http2, "answer PUT ")] {
            var talk = Talk(version)
            #expect(talk.reads(.head(.put, ["Content-Length": "0", "Expect": "100-continue"]), .end) == [expected])
        }
    }

    @Test("ends after an error response without 100 Continue")
    func earlyRefusal() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4", "Expect": "100-continue"]))
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    // MARK: Early responses

    @Test("discards an unread body, and continues")
    func discarding() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "8"]))
        #expect(talk.connection == nil)
        #expect(talk.answers() == [])
        #expect(talk.reads(.body("half"), .body("more"), .end, .head(.get), .end) == ["answer GET "])
    }

    @Test("ends after a response to a request with a long unread body, and announces it")
    func longContent() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "\(Conversation.longestDiscard + 1)"]))
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    @Test("continues after a response if the unread body has the longest length to discard")
    func boundary() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "\(Conversation.longestDiscard)"]))
        #expect(talk.connection == nil)
        #expect(talk.answers() == [])
    }

    @Test(
        "ends if chunks do not end, and resets a stream", arguments: [(Conversation.Version.http1, "end output"), (.http2, "close")])
    func endlessContent(version: Conversation.Version, end: String) {
        var talk = Talk(version)
        _ = talk.reads(.head(.put, ["Transfer-Encoding": "chunked"]))
        #expect(talk.answers() == [])
        #expect(talk.reads(.bytes(Conversation.longestDiscard)) == [])
        #expect(talk.reads(.bytes(1)) == [end])
    }

    @Test("closes completely if the rest of the body arrives after its end")
    func lingering() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4", "Connection": "close"]))
        #expect(talk.answers() == ["end output"])
        #expect(talk.reads(.body("rest"), .end) == ["end whole"])
        #expect(talk.reads(.head(.get), .end) == [])
    }

    @Test("ends after a request that announces a body without sending it", arguments: [HTTPMethod.GET, .HEAD, .DELETE])
    func announcedContent(method: HTTPMethod) {
        var talk = Talk()
        _ = talk.reads(.head(HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: ["Host": "a", "Content-Length": "4"])))
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    @Test("drops the requests after the last one")
    func last() {
        var talk = Talk()
        _ = talk.reads(.head(.get, ["Connection": "close"]), .end, .head(.get), .end)
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end whole"])
    }

    // MARK: HTTP/1.0 and framing

    @Test("keeps a connection of HTTP/1.0 open only at the client's request")
    func oldVersion() {
        var talk = Talk()
        _ = talk.reads(.old(["Connection": "keep-alive"]), .end)
        #expect(talk.connection == .keepAlive)
        #expect(talk.answers() == [])
        _ = talk.reads(.old([:]), .end)
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end whole"])
    }

    @Test("frames a body by its length, by chunks, or in HTTP/1.0 by the end of the connection")
    func framing() throws {
        var talk = Talk()
        #expect(talk.conversation.beginAnswer(length: 1, declaresLength: true) == nil)
        _ = talk.reads(.head(.get), .end)
        #expect(talk.conversation.beginAnswer(length: nil, declaresLength: true) == .length)
        #expect(talk.conversation.beginAnswer(length: nil, declaresLength: false) == .chunks)
        #expect(talk.answers() == [])
        _ = talk.reads(.old(["Connection": "keep-alive"]), .end)
        #expect(talk.conversation.beginAnswer(length: nil, declaresLength: false) == .close)
        #expect(talk.connection == .close)
    }

    @Test("refuses a response that is longer or shorter than announced, and one without a request")
    func promises() throws {
        var talk = Talk()
        #expect(throws: ConnectionEnded.self) { try talk.conversation.write(1) }
        _ = talk.reads(.head(.get), .end)
        #expect(talk.conversation.beginAnswer(length: 3, declaresLength: true) == .length)
        #expect(try talk.conversation.write(2) == .length)
        #expect(throws: ConnectionEnded.self) { try talk.conversation.finishAnswer() }
        #expect(throws: ConnectionEnded.self) { try talk.conversation.write(2) }
        #expect(try talk.conversation.write(1) == .length)
        #expect(try talk.conversation.finishAnswer() == .length)
    }

    // MARK: Half-close

    @Test("ends if the client closes between requests, or within a head")
    func inputClosed() {
        var idle = Talk()
        #expect(idle.closesInput() == ["end whole"])
        var begun = Talk()
        begun.isReceiving = true
        #expect(begun.reads(.head(.get)) == [])
        #expect(begun.closesInput() == ["end whole"])
    }

    @Test("answers what arrived before the client closed its direction")
    func inputClosedBehindRequests() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.delete), .end)
        #expect(talk.closesInput() == [])
        #expect(talk.answers() == ["answer DELETE "])
        #expect(talk.answers() == ["end whole"])
    }

    @Test("truncates a body that cannot arrive any more")
    func inputClosedAmidContent() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4"]), .body("ha"))
        #expect(talk.closesInput() == ["cut off"])
        #expect(talk.answers() == ["end whole"])
    }

    // MARK: Invalid HTTP

    @Test("answers invalid HTTP, and ends", arguments: [(false, "end output"), (true, "end whole")])
    func malformed(isSecure: Bool, end: String) {
        var talk = Talk(isSecure: isSecure)
        #expect(talk.isMalformed() == ["bad request", end])
        #expect(talk.isMalformed() == [])
    }

    @Test("answers invalid HTTP after the requests before it")
    func malformedBehindRequests() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.delete), .end)
        #expect(talk.isMalformed() == [])
        #expect(talk.answers() == ["answer DELETE "])
        #expect(talk.answers() == ["bad request", "end output"])
    }

    @Test("ends after the response to a request with an invalid body")
    func malformedContent() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Transfer-Encoding": "chunked"]))
        #expect(talk.isMalformed() == ["cut off"])
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    @Test("answers a waiting request with an incomplete body, and truncates the body", arguments: [true, false])
    func incompleteBehindRequests(isMalformed: Bool) {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.put, ["Content-Length": "4"]), .body("ha"))
        #expect((isMalformed ? talk.isMalformed() : talk.closesInput()) == [])
        #expect(talk.answers() == ["answer PUT while arriving after ha", "cut off"])
        #expect(talk.answers() == [isMalformed ? "end output" : "end whole"])
    }

    @Test(
        "refuses a head without the host, with two, or with an invalid method",
        arguments: [
            HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"),
            HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: HTTPHeaders([("Host", "a"), ("Host", "b")])),
            HTTPRequestHead(version: .http1_1, method: .RAW(value: "G\"T"), uri: "/", headers: ["Host": "a"]),
        ])
    func refusedHead(head: HTTPRequestHead) {
        var talk = Talk()
        #expect(talk.reads(.head(head)) == ["bad request", "end output"])
        #expect(talk.reads(.end, .head(.get), .end) == [])
        var stream = Talk(.http2)
        #expect(stream.reads(.head(head)) == ["close"])
    }

    // MARK: Back-pressure

    @Test("stops reading while a body is not consumed, and continues on demand")
    func fullContent() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "8"]), .body("half"))
        talk.conversation.contentHasRoom(false)
        let held = talk.conversation.mayRead()
        #expect(!held)
        #expect(talk.demandsContent() == ["read"])
        let mayRead = talk.conversation.mayRead()
        #expect(mayRead)
    }

    @Test("continues reading when the body is no longer wanted")
    func fullContentOfAnAnsweredRequest() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "8"]), .body("half"))
        talk.conversation.contentHasRoom(false)
        _ = talk.conversation.mayRead()
        #expect(talk.answers() == ["read"])
    }

    @Test("stops reading while many requests wait, and continues afterwards")
    func fullQueue() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end)
        var count = 0
        while talk.conversation.mayRead() {
            _ = talk.reads(.head(.delete), .end)
            count += 1
        }
        #expect(count == 256)
        #expect(talk.answers() == ["answer DELETE ", "read"])
    }

    // MARK: Shutdown of the server

    @Test("ends at once if the server shuts down and no response is pending")
    func idleDrain() {
        var talk = Talk()
        #expect(talk.quiesces() == ["end at once"])
        #expect(talk.reads(.head(.get), .end) == [])
    }

    @Test("answers the current request if the server shuts down, and announces the close")
    func drain() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.delete), .end)
        #expect(talk.quiesces() == [])
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end whole"])
    }

    @Test("answers a request that was incomplete when the server shut down")
    func drainAmidHead() {
        var talk = Talk()
        talk.isReceiving = true
        _ = talk.reads(.head(.put, ["Content-Length": "1"]))
        #expect(talk.quiesces() == [])
        #expect(talk.reads(.body("1"), .end) == ["answer PUT 1"])
        #expect(talk.answers() == ["end whole"])
    }

    @Test("leaves the end of a stream to HTTP/2")
    func stream() {
        var talk = Talk(.http2)
        #expect(talk.reads(.head(.get), .end) == ["answer GET "])
        #expect(talk.quiesces() == [])
        #expect(talk.answers() == [])
        #expect(talk.closesInput() == [])
    }

    @Test("does nothing after the connection is gone, whatever arrives")
    func gone() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "8"]), .body("half"))
        #expect(talk.isGone() == ["cut off"])
        #expect(talk.isGone() == [])
        #expect(talk.reads(.body("more"), .end, .head(.get), .end) == [])
        #expect(talk.closesInput() + talk.isMalformed() + talk.quiesces() + talk.answers() == [])
        #expect(!talk.conversation.isAnswering)
        #expect(throws: ConnectionEnded.self) { try talk.conversation.write(1) }
    }
}

/// A conversation that receives events, and the resulting actions as text.
private struct Talk {
    var conversation: Conversation
    /// Whether the connection is delivering what it has read.
    var isReceiving = false

    init(_ version: Conversation.Version = .http1, isSecure: Bool = false) {
        conversation = Conversation(version: version, isSecure: isSecure)
    }

    var connection: ConnectionOption? { conversation.connectionOption }

    mutating func reads(_ parts: HTTPServerRequestPart...) -> [String] {
        var actions: [String] = []
        for part in parts { actions += all(conversation.receive(part)) }
        if isReceiving { return actions }
        conversation.receivedAll()
        return actions + all(.nothing)
    }

    mutating func answers() -> [String] {
        conversation.answered()
        return all(.nothing)
    }

    mutating func demandsContent() -> [String] { all(conversation.contentIsDemanded()) }
    mutating func closesInput() -> [String] {
        conversation.inputClosed()
        return all(.nothing)
    }
    mutating func isMalformed() -> [String] {
        conversation.receiveMalformed()
        return all(.nothing)
    }
    mutating func quiesces() -> [String] { all(conversation.quiesce()) }
    mutating func isGone() -> [String] { all(conversation.abort()) }

    private mutating func all(_ first: Conversation.Action) -> [String] {
        var words = [first.words]
        while let next = conversation.next().words { words.append(next) }
        return words.compactMap { $0 }
    }
}

extension Conversation.Action {
    fileprivate var words: String? {
        switch self {
        case .nothing: nil
        case .answer(let head, let content, let sendsContinue):
            "\(sendsContinue ? "continue, " : "")answer \(head.method) \(String(buffer: content))"
        case .answerArriving(let head, nil): "answer \(head.method) while arriving"
        case .answerArriving(let head, let beginning?): "answer \(head.method) while arriving after \(String(buffer: beginning))"
        case .appendContent(let buffer): "append \(String(buffer: buffer))"
        case .finishContent: "finish"
        case .cutOffContent: "cut off"
        case .sendContinue: "continue"
        case .sendBadRequest: "bad request"
        case .read: "read"
        case .end(.whole): "end whole"
        case .end(.atOnce): "end at once"
        case .end(.output): "end output"
        case .close: "close"
        }
    }
}

extension HTTPServerRequestPart {
    fileprivate enum Method { case get, put, delete }

    fileprivate static func head(_ method: Method, _ fields: HTTPHeaders = [:]) -> HTTPServerRequestPart {
        let methods: [Method: HTTPMethod] = [.get: .GET, .put: .PUT, .delete: .DELETE]
        var fields = fields
        fields.add(name: "Host", value: "localhost")
        return .head(HTTPRequestHead(version: .http1_1, method: methods[method] ?? .GET, uri: "/", headers: fields))
    }

    /// The head of a GET in HTTP/1.0.
    fileprivate static func old(_ fields: HTTPHeaders) -> HTTPServerRequestPart {
        .head(HTTPRequestHead(version: .http1_0, method: .GET, uri: "/", headers: fields))
    }

    fileprivate static func body(_ text: String) -> HTTPServerRequestPart { .body(ByteBuffer(string: text)) }
    fileprivate static func bytes(_ count: Int) -> HTTPServerRequestPart { .body(ByteBuffer(repeating: 0, count: count)) }
    fileprivate static var end: HTTPServerRequestPart { .end(nil) }
}
