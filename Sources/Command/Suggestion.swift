/// Suggestions for mistyped names.
enum Suggestion {
    /// Returns a sentence with the most similar name, which begins with a space; empty if no name is similar.
    static func text(for word: String, among names: [String]) -> String {
        let nearest = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(2, word.count / 3), nearest.distance < word.count else { return "" }
        return " Did you mean '\(nearest.name)'?"
    }

    /// Returns the number of letters to insert, remove, replace or swap with the next one (optimal string alignment).
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let replaced = rows[row][column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, rows[row][column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                current.append(least)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
