import Cloud

/// The journal is not as a test expects. The description has the closest requests, and how they differ.
///
/// ```text
/// Expected s3:PutObject on arn:aws:s3:::box/*, exactly once, but found 0:
///   closest: s3:PutObject on arn:aws:s3:::other/a.txt by anonymous with status 404
///     resource is arn:aws:s3:::other/a.txt, not arn:aws:s3:::box/*
/// ```
public struct UnmetExpectation: Error, Sendable, CustomStringConvertible {
    /// A request that nearly matches.
    public struct NearMiss: Sendable {
        /// The request.
        public let entry: RunningCloud.Journal.Entry
        /// How it differs, a line for each difference.
        public let differences: [String]

        fileprivate let summary: String
    }

    /// The expectation as a phrase, such as `s3:PutObject on arn:aws:s3:::box/*, exactly once`.
    public let expectation: String
    /// The number of requests that match.
    public let count: Int
    /// The requests that match, the oldest first, at most 20.
    public let matches: [RunningCloud.Journal.Entry]
    /// The most similar requests, if too few match, at most 5.
    public let nearMisses: [NearMiss]

    private let matchSummaries: [String]

    init(_ expectation: JournalExpectation, _ outcome: JournalExpectation.Outcome) {
        self.expectation = expectation.description
        count = outcome.count
        matches = outcome.matches.map { RunningCloud.Journal.Entry(entry: $0.entry) }
        matchSummaries = outcome.matches.map { $0.entry.summary(of: $0.decision) }
        nearMisses = outcome.nearMisses.map { miss in
            NearMiss(
                entry: RunningCloud.Journal.Entry(entry: miss.entry),
                differences: miss.differences.map { "\($0.member.rawValue) is \($0.found), not \($0.expected)" },
                summary: miss.entry.summary(of: miss.decision))
        }
    }

    /// The expectation, the requests that match, and those that nearly do.
    public var description: String {
        var lines = ["Expected \(expectation), but found \(count)\(matches.isEmpty && nearMisses.isEmpty ? "." : ":")"]
        lines += matchSummaries.map { "  \($0)" }
        for miss in nearMisses {
            lines.append("  closest: \(miss.summary)")
            lines += miss.differences.map { "    \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}
