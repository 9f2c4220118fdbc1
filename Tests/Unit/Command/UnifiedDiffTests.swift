import Testing

@testable import VirgaCommand

@Suite("A unified diff")
struct UnifiedDiffTests {
    private func diff(_ old: String, _ new: String) -> [String] {
        UnifiedDiff(from: old.map(String.init), named: "old", to: new.map(String.init), named: "new").lines
    }

    @Test("is empty for equal texts")
    func equal() {
        #expect(diff("abc", "abc").isEmpty)
        #expect(diff("", "").isEmpty)
    }

    @Test("shows three lines around a change")
    func context() {
        #expect(
            diff("abcdefghi", "abcdXfghi") == ["--- old", "+++ new", "@@ -2,7 +2,7 @@", " b", " c", " d", "-e", "+X", " f", " g", " h"])
    }

    @Test("joins changes that are near each other, and separates others")
    func hunks() {
        #expect(diff("abcdefgh", "XbcdefgY").filter { $0.hasPrefix("@@") } == ["@@ -1,8 +1,8 @@"])
        #expect(diff("abcdefghij", "XbcdefghiY").filter { $0.hasPrefix("@@") } == ["@@ -1,4 +1,4 @@", "@@ -7,4 +7,4 @@"])
    }

    @Test(
        "counts lines as diff does", arguments: [("", "a", "@@ -0,0 +1 @@"), ("a", "", "@@ -1 +0,0 @@"), ("a", "ab", "@@ -1 +1,2 @@")])
    func ranges(old: String, new: String, range: String) {
        #expect(diff(old, new).dropFirst(2).first == range)
    }
}
