import NIOHTTP1
import Testing

@testable import VirgaServer

@Suite("The end of a conversation (HTTP state machine)")
struct ConversationEndTests {
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

    // MARK: Draining

    @Test("comes after the current response if that is to be the last one")
    func draining() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end, .head(.get), .end)
        #expect(talk.connection == nil)
        talk.conversation.endAfterAnswer()
        #expect(talk.connection == .close)
        // The second request is not answered, so its client may send it again.
        #expect(talk.answers() == ["end whole"])
        var idle = Talk()
        idle.conversation.endAfterAnswer()
        #expect(idle.reads(.head(.get), .end) == ["answer GET "])
        #expect(idle.connection == nil)
        var stream = Talk(.http2, isSecure: true)
        _ = stream.reads(.head(.get), .end)
        stream.conversation.endAfterAnswer()
        #expect(stream.connection == nil)
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
