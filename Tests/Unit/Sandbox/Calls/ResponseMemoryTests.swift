import Testing

@testable import Calls

@Suite("The memory of unread responses")
struct ResponseMemoryTests {
    @Test(
        "is scarce beyond half of the budget, and exhausted beyond all of it",
        arguments: [(0, false, false), (50, false, false), (51, true, false), (100, true, false), (101, true, true)])
    func levels(held: Int, isScarce: Bool, isExhausted: Bool) {
        let memory = ResponseMemory(budget: 100)
        memory.change(by: held)
        #expect(memory.isScarce == isScarce)
        #expect(memory.isExhausted == isExhausted)
    }

    @Test("makes small bodies be read with their records only while there is enough")
    func longestWholeBody() {
        let memory = ResponseMemory(budget: 100)
        let client = ClientPresence(memory: memory)
        #expect(client.longestWholeBody == .max)
        memory.change(by: 51)
        #expect(client.longestWholeBody == ResponseMemory.longestScarceBody)
        memory.change(by: -51)
        #expect(client.longestWholeBody == .max)
        #expect(ClientPresence().longestWholeBody == .max)
    }

    @Test("is given back while it is scarce, and once afterwards")
    func scarcity() {
        let memory = ResponseMemory(budget: 80)
        let beforeUse = memory.takeScarcity()
        #expect(!beforeUse)
        memory.change(by: 41)
        let whileUsed = memory.takeScarcity()
        #expect(whileUsed)
        memory.change(by: -1)
        let afterUse = memory.takeScarcity()
        #expect(afterUse)
        let again = memory.takeScarcity()
        #expect(!again)
    }
}
