import Testing

@testable import VirgaServer

@Suite("Requests that came while memory was used up")
struct RequestTurnsTests {
    private let turns = RequestTurns()

    @Test("have their turns in the order in which they came")
    func order() async {
        await turns.take()
        let (served, continuation) = AsyncStream.makeStream(of: Int.self)
        await withTaskGroup { group in
            for number in 1...3 {
                group.addTask {
                    await turns.take()
                    continuation.yield(number)
                }
                while turns.count < number { await Task.yield() }
            }
            var order: [Int] = []
            turns.end()
            for await number in served.prefix(3) {
                // Nobody else has a turn until this one ends.
                order.append(number * 10 + turns.count)
                turns.end()
            }
            #expect(order == [12, 21, 30])
        }
    }

    @Test("do not wait when nobody has a turn")
    func free() async {
        await turns.take()
        turns.end()
        await turns.take()
        #expect(turns.count == 0)
    }
}
