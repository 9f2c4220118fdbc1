import Testing

@testable import Policy

@Suite("Condition keys")
struct ConditionKeysTests {
    @Test("set as a list replace those with the same name in any letter case, and keep the others")
    func list() {
        var keys = ConditionKeys()
        keys.set("aws:A", to: "1")
        keys.set("aws:B", to: "2")
        keys.set([(key: "AWS:b", values: .one("3")), (key: "aws:C", values: .many(["4", "5"])), (key: "aws:c", values: .one("6"))])
        #expect(keys["aws:a"] == .one("1"))
        #expect(keys["aws:b"] == .one("3"))
        #expect(keys["aws:c"] == .one("6"))
        #expect(keys.all.map(\.name) == ["aws:a", "aws:b", "aws:c"])
    }

    @Test("set as a list are different if their names are only canonically equivalent")
    func equivalentNames() {
        var keys = ConditionKeys()
        keys.set([(key: "aws:requesttag/\u{E9}", values: .one("1")), (key: "aws:requesttag/e\u{301}", values: .one("2"))])
        #expect(keys["aws:requesttag/\u{E9}"] == .one("1"))
        #expect(keys["aws:requesttag/e\u{301}"] == .one("2"))
    }

    @Test("set as a list are the same as those set one by one", arguments: 0..<50)
    func oneByOne(seed: Int) {
        let names = ["a", "b", "A", "c", "C", "d"]
        let list = (0..<seed).map { (key: names[($0 * 7 + seed) % names.count], values: ConditionValues.one("\($0)")) }
        var (single, together) = (ConditionKeys(), ConditionKeys())
        for entry in list { single.set(entry.key, to: entry.values) }
        together.set(list)
        #expect(together.all.map(\.name) == single.all.map(\.name))
        #expect(together.all.map(\.values) == single.all.map(\.values))
    }
}
