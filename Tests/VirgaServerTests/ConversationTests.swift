import NIOCore
import NIOHTTP1
import Testing

@testable import VirgaServer

@Suite("A conversation without a connection")
struct ConversationTests {
    // MARK: Requests in their order

    @Test("answers a request when all of it is here")
    func wholeRequest() {
        var talk = Talk()
        #expect(talk.reads(.head(.put, ["Content-Length": "5"]), .body("hello"), .end) == ["answer PUT hello"])
        #expect(talk.answers() == [])
        #expect(talk.reads(.head(.get), .end) == ["answer GET "])
    }

    @Test("answers a request while its content arrives")
    func arrivingRequest() {
        var talk = Talk()
        #expect(talk.reads(.head(.put, ["Content-Length": "8"])) == ["answer PUT while arriving"])
        #expect(talk.reads(.body("half")) == ["append half"])
        #expect(talk.reads(.body("more"), .end) == ["append more", "finish"])
        #expect(talk.answers() == [])
    }

    @Test("begins before the content is complete when a piece of it comes")
    func firstPiece() {
        var talk = Talk()
        let actions = talk.reads(.head(.put, ["Content-Length": "8"]), .body("half"), .body("more"), .end)
        #expect(actions == ["answer PUT while arriving after half", "append more", "finish"])
    }

    @Test("takes requests that come together one after the other")
    func pipelining() {
        var talk = Talk()
        let actions = talk.reads(.head(.get), .end, .head(.put, ["Content-Length": "1"]), .body("1"), .end, .head(.delete), .end)
        #expect(actions == ["answer GET "])
        #expect(talk.answers() == ["answer PUT 1"])
        #expect(talk.answers() == ["answer DELETE "])
        #expect(talk.answers() == [])
    }

    @Test("begins with the next request while the rest of it is still to come")
    func pipelinedHead() {
        var talk = Talk()
        #expect(talk.reads(.head(.get), .end, .head(.put, ["Content-Length": "4"])) == ["answer GET "])
        #expect(talk.answers() == ["answer PUT while arriving"])
        #expect(talk.reads(.body("late"), .end) == ["append late", "finish"])
    }

    // MARK: Expect

    @Test("tells the client to continue when the content is wanted, and once")
    func expectation() {
        var talk = Talk()
        #expect(talk.reads(.head(.put, ["Content-Length": "4", "Expect": "100-continue"])) == ["answer PUT while arriving"])
        #expect(talk.demandsContent() == ["continue"])
        #expect(talk.demandsContent() == [])
        #expect(talk.reads(.body("data"), .end) == ["append data", "finish"])
        #expect(talk.connection == nil)
        #expect(talk.answers() == [])
    }

    @Test("does not tell a client that sends without being told")
    func impatience() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4", "Expect": "100-continue"]))
        _ = talk.reads(.body("data"))
        #expect(talk.demandsContent() == [])
    }

    @Test("tells a client of HTTP/1.1 before the answer to a request without content, and not one of HTTP/2")
    func emptyExpectation() {
        for (version, expected) in [(Conversation.Version.http1, "continue, answer PUT "), (.http2, "answer PUT ")] {
            var talk = Talk(version)
            #expect(talk.reads(.head(.put, ["Content-Length": "0", "Expect": "100-continue"]), .end) == [expected])
        }
    }

    @Test("ends after a refusal that came before the client was told to continue")
    func earlyRefusal() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4", "Expect": "100-continue"]))
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    // MARK: Early answers

    @Test("throws away the content that nobody wants, and goes on")
    func discarding() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "8"]))
        #expect(talk.connection == nil)
        #expect(talk.answers() == [])
        #expect(talk.reads(.body("half"), .body("more"), .end, .head(.get), .end) == ["answer GET "])
    }

    @Test("ends after an answer to a request with much content left, and says so")
    func longContent() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "\(Conversation.longestDiscard + 1)"]))
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    @Test("goes on after an answer to a request with as much content left as is thrown away")
    func boundary() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "\(Conversation.longestDiscard)"]))
        #expect(talk.connection == nil)
        #expect(talk.answers() == [])
    }

    @Test(
        "ends when chunks go on and on, and a stream is reset", arguments: [(Conversation.Version.http1, "end output"), (.http2, "close")])
    func endlessContent(version: Conversation.Version, end: String) {
        var talk = Talk(version)
        _ = talk.reads(.head(.put, ["Transfer-Encoding": "chunked"]))
        #expect(talk.answers() == [])
        #expect(talk.reads(.bytes(Conversation.longestDiscard)) == [])
        #expect(talk.reads(.bytes(1)) == [end])
    }

    @Test("closes altogether when the rest of the content came after its end")
    func lingering() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4", "Connection": "close"]))
        #expect(talk.answers() == ["end output"])
        #expect(talk.reads(.body("rest"), .end) == ["end whole"])
        #expect(talk.reads(.head(.get), .end) == [])
    }

    @Test("ends after a request without content that announces some", arguments: [HTTPMethod.GET, .HEAD, .DELETE])
    func announcedContent(method: HTTPMethod) {
        var talk = Talk()
        _ = talk.reads(.head(HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: ["Host": "a", "Content-Length": "4"])))
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    @Test("forgets the requests behind the last one")
    func last() {
        var talk = Talk()
        _ = talk.reads(.head(.get, ["Connection": "close"]), .end, .head(.get), .end)
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end whole"])
    }

    // MARK: HTTP/1.0 and framing

    @Test("keeps a connection of HTTP/1.0 only if the client asks for it")
    func oldVersion() {
        var talk = Talk()
        _ = talk.reads(.old(["Connection": "keep-alive"]), .end)
        #expect(talk.connection == .keepAlive)
        #expect(talk.answers() == [])
        _ = talk.reads(.old([:]), .end)
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end whole"])
    }

    @Test("frames content by its length, by chunks, or for HTTP/1.0 by the end of the connection")
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

    @Test("refuses an answer that is longer or shorter than promised, and one to nobody")
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

    @Test("ends when the client ends between requests, or amid a head")
    func inputClosed() {
        var idle = Talk()
        #expect(idle.closesInput() == ["end whole"])
        var begun = Talk()
        begun.isReceiving = true
        #expect(begun.reads(.head(.get)) == [])
        #expect(begun.closesInput() == ["end whole"])
    }

    @Test("answers what came before the client ended its direction")
    func inputClosedBehindRequests() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.delete), .end)
        #expect(talk.closesInput() == [])
        #expect(talk.answers() == ["answer DELETE "])
        #expect(talk.answers() == ["end whole"])
    }

    @Test("cuts content off that cannot come any more")
    func inputClosedAmidContent() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "4"]), .body("ha"))
        #expect(talk.closesInput() == ["cut off"])
        #expect(talk.answers() == ["end whole"])
    }

    // MARK: What is not HTTP

    @Test("answers what is not HTTP, and ends", arguments: [(false, "end output"), (true, "end whole")])
    func malformed(isSecure: Bool, end: String) {
        var talk = Talk(isSecure: isSecure)
        #expect(talk.isMalformed() == ["bad request", end])
        #expect(talk.isMalformed() == [])
    }

    @Test("answers what is not HTTP after the requests before it")
    func malformedBehindRequests() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.delete), .end)
        #expect(talk.isMalformed() == [])
        #expect(talk.answers() == ["answer DELETE "])
        #expect(talk.answers() == ["bad request", "end output"])
    }

    @Test("ends after the answer to a request whose content is not HTTP")
    func malformedContent() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Transfer-Encoding": "chunked"]))
        #expect(talk.isMalformed() == ["cut off"])
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end output"])
    }

    @Test("answers a request that waits although its content is not complete, and cuts the content off", arguments: [true, false])
    func incompleteBehindRequests(isMalformed: Bool) {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.put, ["Content-Length": "4"]), .body("ha"))
        #expect((isMalformed ? talk.isMalformed() : talk.closesInput()) == [])
        #expect(talk.answers() == ["answer PUT while arriving after ha", "cut off"])
        #expect(talk.answers() == [isMalformed ? "end output" : "end whole"])
    }

    @Test(
        "refuses a head without the host, with two, or with a method that is no token",
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

    @Test("stops reading while content lies untaken, and goes on when it is wanted")
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

    @Test("reads on when nobody wants the content any more")
    func fullContentOfAnAnsweredRequest() {
        var talk = Talk()
        _ = talk.reads(.head(.put, ["Content-Length": "8"]), .body("half"))
        talk.conversation.contentHasRoom(false)
        _ = talk.conversation.mayRead()
        #expect(talk.answers() == ["read"])
    }

    @Test("stops reading while many requests wait, and goes on when they are taken")
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

    // MARK: The server's end

    @Test("ends at once when the server ends and nothing is to be answered")
    func idleDrain() {
        var talk = Talk()
        #expect(talk.quiesces() == ["end at once"])
        #expect(talk.reads(.head(.get), .end) == [])
    }

    @Test("answers the request at hand when the server ends, and says that it is the last")
    func drain() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.delete), .end)
        #expect(talk.quiesces() == [])
        #expect(talk.connection == .close)
        #expect(talk.answers() == ["end whole"])
    }

    @Test("answers a request that was half here when the server ended")
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

    @Test("has nothing to do once the connection is gone, whatever comes")
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

/// A conversation that is told events, and the actions that follow, in words.
private struct Talk {
    var conversation: Conversation
    /// Whether the connection goes on to deliver what it has read.
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

    /// A GET of HTTP/1.0.
    fileprivate static func old(_ fields: HTTPHeaders) -> HTTPServerRequestPart {
        .head(HTTPRequestHead(version: .http1_0, method: .GET, uri: "/", headers: fields))
    }

    fileprivate static func body(_ text: String) -> HTTPServerRequestPart { .body(ByteBuffer(string: text)) }
    fileprivate static func bytes(_ count: Int) -> HTTPServerRequestPart { .body(ByteBuffer(repeating: 0, count: count)) }
    fileprivate static var end: HTTPServerRequestPart { .end(nil) }
}
