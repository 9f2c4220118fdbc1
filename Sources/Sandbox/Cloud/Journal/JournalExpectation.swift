import WireFormats

/// An expectation about the calls in the journal: a pattern, and how many calls may match it.
package struct JournalExpectation: Sendable {
    /// The calls that count.
    package var pattern: CallPattern
    /// The fewest calls.
    package var min: Int
    /// The most calls, or `nil` for no limit.
    package var max: Int?

    package init(pattern: CallPattern, min: Int = 1, max: Int? = nil) {
        self.pattern = pattern
        self.min = min
        self.max = max
    }

    /// The expectation as a phrase, such as `s3:PutObject on arn:aws:s3:::box/*, at least once`.
    package var description: String {
        func times(_ number: Int) -> String { number == 1 ? "once" : "\(number) times" }
        let range =
            switch (min, max) {
            case (0, nil): "any number of times"
            case (_, nil): "at least \(times(min))"
            case (_, 0?): "never"
            case (_, let max?) where max == min: "exactly \(times(min))"
            case (0, let max?): "at most \(times(max))"
            case (_, let max?): "\(min) to \(max) times"
            }
        return "\(pattern.description), \(range)"
    }

    /// The calls that match an expectation, and those that nearly do.
    package struct Outcome: Sendable {
        /// A call and the members of the pattern that it does not match.
        package struct NearMiss: Sendable {
            /// The call.
            package var entry: JournalEntry
            /// The index of the most similar decision, if the call has any.
            package var decision: Int?
            /// The members that differ; never empty.
            package var differences: [CallPattern.Difference]
        }

        /// The number of matching calls.
        package var count = 0
        /// The first matching calls, with the index of the matching decision, at most ``JournalExpectation/shownCalls``.
        package var matches: [(entry: JournalEntry, decision: Int?)] = []
        /// The calls that differ in the fewest members, the newest first, at most ``JournalExpectation/shownNearMisses``. Empty if enough
        /// calls match.
        package var nearMisses: [NearMiss] = []
        /// Whether the number of calls is as expected.
        package var isMet: Bool
    }

    /// The most calls that an outcome contains.
    package static let shownCalls = 20
    /// The most near misses that an outcome contains.
    package static let shownNearMisses = 5

    /// Compares the expectation with calls.
    /// - Parameter entries: the calls, the oldest first.
    package func outcome(among entries: [JournalEntry]) -> Outcome {
        var outcome = Outcome(isMet: true)
        var misses: [Outcome.NearMiss] = []
        for entry in entries {
            let (differences, decision) = pattern.compare(with: entry)
            if differences.isEmpty {
                outcome.count += 1
                if outcome.matches.count < Self.shownCalls { outcome.matches.append((entry, decision)) }
            } else if misses.last.map({ differences.count <= $0.differences.count }) ?? true || misses.count < Self.shownNearMisses {
                // Sorted by the number of differences, the newest of equals first.
                let place = misses.firstIndex { differences.count <= $0.differences.count } ?? misses.count
                misses.insert(Outcome.NearMiss(entry: entry, decision: decision, differences: differences), at: place)
                if misses.count > Self.shownNearMisses { misses.removeLast() }
            }
        }
        outcome.isMet = outcome.count >= min && outcome.count <= max ?? .max
        if outcome.count < min { outcome.nearMisses = misses }
        return outcome
    }
}
