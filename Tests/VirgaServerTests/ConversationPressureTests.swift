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
}
