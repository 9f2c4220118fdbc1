/// The difference of two texts in the unified format of diff. (POSIX.1-2024, diff, "Diff -u Output Format".)
struct UnifiedDiff {
    /// The lines of the difference; empty for equal texts.
    let lines: [String]

    private static let context = 3

    /// Compares two lists of lines.
    init(from old: [String], named oldName: String, to new: [String], named newName: String) {
        let steps = Self.steps(from: old, to: new)
        guard steps.contains(where: { $0.mark != " " }) else {
            lines = []
            return
        }
        var lines = ["--- \(oldName)", "+++ \(newName)"]
        for range in Self.hunks(of: steps) {
            let before = steps[..<range.lowerBound]
            let hunk = steps[range]
            let (oldCount, newCount) = (hunk.count { $0.mark != "+" }, hunk.count { $0.mark != "-" })
            let oldStart = before.count { $0.mark != "+" } + (oldCount > 0 ? 1 : 0)
            let newStart = before.count { $0.mark != "-" } + (newCount > 0 ? 1 : 0)
            lines.append("@@ -\(Self.range(oldStart, oldCount)) +\(Self.range(newStart, newCount)) @@")
            lines += hunk.map { "\($0.mark)\($0.line)" }
        }
        self.lines = lines
    }

    private static func range(_ start: Int, _ count: Int) -> String { count == 1 ? "\(start)" : "\(start),\(count)" }

    private typealias Step = (mark: Character, line: String)

    private static func steps(from old: [String], to new: [String]) -> [Step] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var steps: [Step] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if removed.contains(oldIndex) {
                steps.append(("-", old[oldIndex]))
                oldIndex += 1
            } else if inserted.contains(newIndex) {
                steps.append(("+", new[newIndex]))
                newIndex += 1
            } else {
                steps.append((" ", new[newIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        return steps
    }

    /// Returns the ranges of steps that are printed together: changes with three lines before and after.
    private static func hunks(of steps: [Step]) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in steps.indices where steps[index].mark != " " {
            let range = max(0, index - context)..<min(steps.count, index + context + 1)
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }
}
