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
}
