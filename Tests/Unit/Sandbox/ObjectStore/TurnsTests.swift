import ObjectStore
import Testing

@Suite("Turns")
struct TurnsTests {
    @Test("come in the order in which they were asked for")
    func order() async {
        let turns = Turns(limit: 1)
        await turns.take()
        let (served, continuation) = AsyncStream.makeStream(of: Int.self)
        await withTaskGroup { group in
            for number in 1...3 {
                group.addTask {
                    await turns.take()
                    continuation.yield(number)
                }
                while turns.waiting < number { await Task.yield() }
            }
            var order: [Int] = []
            turns.end()
            for await number in served.prefix(3) {
                // Nobody else has a turn until this one ends.
                order.append(number * 10 + turns.waiting)
                turns.end()
            }
            #expect(order == [12, 21, 30])
        }
    }

    @Test("are had by as many as the limit says")
    func limit() async {
        let turns = Turns(limit: 2)
        for _ in 0..<2 { await turns.take() }
        async let third: Void = turns.take()
        while turns.waiting == 0 { await Task.yield() }
        turns.end()
        await third
        #expect(turns.waiting == 0)
    }
}
