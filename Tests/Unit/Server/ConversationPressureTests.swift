import HTTPTypes
import NIOHTTP1
import Testing

@testable import VirgaServer

@Suite("Back-pressure of a conversation (HTTP state machine)")
struct ConversationPressureTests {
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

    @Test("processes a pipelined request only when the client reads the responses")
    func unreadResponses() {
        var talk = Talk()
        #expect(talk.reads(.head(.get), .end) == ["answer GET "])
        talk.conversation.outputHasRoom(false)
        #expect(talk.answers() == [])
        #expect(talk.reads(.head(.delete), .end, .head(.put, ["Content-Length": "2"]), .body("{}"), .end) == [])
        #expect(talk.readsResponses() == ["answer DELETE "])
        talk.conversation.outputHasRoom(false)
        #expect(talk.answers() == [])
        #expect(talk.readsResponses() == ["answer PUT {}"])
        #expect(talk.answers() == [])
    }

    @Test("stops reading while requests wait for the client to read")
    func unreadResponsesAndManyRequests() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end)
        talk.conversation.outputHasRoom(false)
        _ = talk.answers()
        while talk.conversation.mayRead() { _ = talk.reads(.head(.delete), .end) }
        #expect(talk.readsResponses() == ["answer DELETE ", "read"])
    }

    @Test("reads the same headers again after it has forgotten them")
    func forgottenHeaders() {
        var talk = Talk()
        let agent = "agent/1.0 (long enough that a second one is compared)"
        for _ in 0..<3 {
            _ = talk.conversation.receive(.head(.get, ["User-Agent": agent]))
            guard case .answer(let head, _, _) = talk.conversation.receive(.end) else {
                Issue.record("the request is not answered")
                return
            }
            #expect(head.fields[.userAgent] == agent)
            talk.conversation.forgetHeaders()
            talk.conversation.receivedAll()
            #expect(talk.answers() == [])
        }
    }

    @Test("closes the connection after the waiting requests")
    func unreadResponsesAtTheEnd() {
        var talk = Talk()
        _ = talk.reads(.head(.get), .end)
        talk.conversation.outputHasRoom(false)
        _ = talk.answers()
        _ = talk.reads(.head(.delete), .end)
        #expect(talk.closesInput() == [])
        #expect(talk.readsResponses() == ["answer DELETE "])
        #expect(talk.answers() == ["end whole"])
    }
}
