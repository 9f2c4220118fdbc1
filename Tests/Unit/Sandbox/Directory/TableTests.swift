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

    @Test("lists its records in the order of their keys, whatever was listed before")
    func order() {
        var table: Table = ["b": 2, "d": 4]
        func listed(_ table: Table<String, Int>, after key: String) -> [String] { table.ordered(after: key).map { "\($0.key)\($0.value)" } }
        #expect(listed(table, after: "") == ["b2", "d4"])
        let copy = table
        table["c"] = 3
        table["d"] = nil
        table["b"] = 7
        #expect(listed(table, after: "") == ["b7", "c3"])
        #expect(listed(table, after: "b") == ["c3"])
        #expect(listed(table, after: "c") == [])
        #expect(listed(copy, after: "a") == ["b2", "d4"])
        #expect(listed(copy.mapValues { $0 * 10 }, after: "b") == ["d40"])
    }

    @Test("lists users by account and name, without regard to case")
    func names() {
        var table: Table<Directory.PrincipalName, Int> = [:]
        for (number, (account, name)) in [("2", "a"), ("1", "Bob"), ("1", "alice"), ("1", "Carol"), ("3", "x")].enumerated() {
            table[.init(account: account, name: name)] = number
        }
        #expect(table.ordered(after: .init(account: "1", name: "")).map(\.key.name) == ["alice", "Bob", "Carol", "a", "x"])
        #expect(table.ordered(after: .init(account: "1", name: "BOB")).map(\.key.name) == ["Carol", "a", "x"])
    }
}
