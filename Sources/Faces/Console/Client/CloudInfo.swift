import ControlDocuments
import HTTPTypes
import WireFormats

/// What `GET /_virga/info` returns, which every page shows in part.
typealias CloudInfo = Document<InfoMembers>

extension CloudInfo {
    /// - Throws: ``ConsoleRefusal`` if the control API refuses the call.
    init(_ client: ControlClient) async throws {
        let answer = await client.get("/info")
        if var refusal = answer.refusal {
            refusal.status = .forbidden
            throw refusal
        }
        self = answer.document()
    }

    var sandbox: String { self[dynamicMember: \.sandbox] }
    var generation: Int64 { self[dynamicMember: \.generation] }
    var faults: Int64 { self[dynamicMember: \.faults] }
    var now: String { self.clock.now }

    /// The time as `2026-11-26 00:09:30`.
    var clockText: String { String(now.prefix(19)).replacing("T", with: " ") }

    /// The milliseconds of the sandbox's time.
    var nowMilliseconds: Int64 { Timestamp(iso8601: now)?.milliseconds ?? 0 }

    var isFrozen: Bool { self.clock.mode == "frozen" }
    var isTimeMoved: Bool { self.clock.mode != "running" || !self.clock.ages.isEmpty }

    /// Returns by how many milliseconds credentials of a time were aged since.
    /// - Parameter issued: milliseconds of the sandbox's time.
    func age(since issued: Int64) -> Int64 {
        self.clock.ages.reduce(0) { sum, age in
            guard let declared = Timestamp(iso8601: age.declared), declared.milliseconds >= issued / 1000 * 1000,
                let seconds = Int64(age.age.dropFirst(2).dropLast())
            else { return sum }
            return sum + seconds * 1000
        }
    }

    /// How time differs from real time.
    var timeDescription: String {
        let mode =
            switch self.clock.mode {
            case "frozen": "It stands still at \(clockText)."
            case "set": "It runs from another date."
            default: ""
            }
        let aged = self.clock.ages.map { Self.words($0.age) }.joined(separator: ", ")
        return [mode, aged.isEmpty ? "" : "What was issued before is older by \(aged)."].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns a duration such as `PT3900S` as `1 h 5 min`.
    private static func words(_ duration: String) -> String {
        guard let seconds = Int64(duration.dropFirst(2).dropLast()) else { return duration }
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")].filter { $0.0 != 0 }
        return parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    /// The ARN of the first AWS account's root user.
    var root: String? { self.accounts.first { $0.vendor == "aws" }?.root }
}
