import Testing

@testable import Directory

@Suite("A table")
struct TableTests {
    @Test("keeps its records when a copy changes")
    func copies() {
        let table: Table = ["a": 1, "b": 2]
        var copy = table
        copy["a"] = nil
        copy["b"] = 3
        copy["c"] = 4
        #expect(table.map { "\($0.key)\($0.value)" }.sorted() == ["a1", "b2"])
        #expect(copy.map { "\($0.key)\($0.value)" }.sorted() == ["b3", "c4"])
        #expect(copy.count == 2)
        #expect(copy["a"] == nil)
    }
}
