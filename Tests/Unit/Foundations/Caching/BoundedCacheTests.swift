import Caching
import Testing

@Suite("A bounded cache")
struct BoundedCacheTests {
    @Test("keeps at most its capacity, and the latest value", arguments: [2, 4, 100])
    func capacity(_ capacity: Int) {
        let cache = BoundedCache<Int, Int>(capacity: capacity)
        for number in 0..<1000 {
            cache.insert(number, for: number)
            #expect((1...capacity).contains(cache.count))
            #expect(cache.value(for: number) == number)
        }
        #expect(cache.value(for: 0) == nil)
        #expect(cache.values.count == cache.count)
        #expect(cache.values.contains(999))
    }

    @Test("keeps a value that is read, however many others are inserted")
    func hotKeys() {
        let cache = BoundedCache<String, Int>(capacity: 20)
        let hot = (0..<9).map { "hot \($0)" }
        for (number, key) in hot.enumerated() { cache.insert(number, for: key) }
        for round in 0..<100 {
            cache.insert(round, for: "cold \(round)")
            #expect(hot.map { cache.value(for: $0) } == Array(0..<9))
        }
    }

    @Test("has one value for a key, the last")
    func replacement() {
        let cache = BoundedCache<String, Int>(capacity: 4)
        cache.insert(1, for: "a")
        for number in 0..<2 { cache.insert(number, for: "other \(number)") }
        cache.insert(2, for: "a")
        #expect(cache.value(for: "a") == 2)
        #expect(cache.count <= 4)
        for number in 0..<2 { cache.insert(number, for: "more \(number)") }
        #expect(cache.value(for: "a") == 2)
    }

    @Test("creates a value once, and again if the old one is stale")
    func making() {
        let cache = BoundedCache<String, Int>(capacity: 4)
        var made = 0
        func next() -> Int {
            made += 1
            return made
        }
        #expect(cache.value(for: "a", orMake: next) == 1)
        #expect(cache.value(for: "a", orMake: next) == 1)
        #expect(cache.value(for: "a", where: { $0 > 1 }, orMake: next) == 2)
        #expect(cache.value(for: "a") == 2)
        #expect(made == 2)
    }
}
