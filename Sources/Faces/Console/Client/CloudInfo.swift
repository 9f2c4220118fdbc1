import HTTPTypes
import WireFormats

/// What `GET /_virga/info` returns, which every page shows in part.
struct CloudInfo: Sendable {
    let json: JSONValue

    /// - Throws: ``ConsoleRefusal`` if the control API refuses the call.
    init(_ client: ControlClient) async throws {
        let answer = await client.get("/info")
        if var refusal = answer.refusal {
            refusal.status = .forbidden
            throw refusal
        }
        json = answer.json
    }

    init(json: JSONValue) { self.json = json }

    var sandbox: String { json["sandbox"]?.stringValue ?? "default" }
    var now: String { json["clock"]?["now"]?.stringValue ?? "" }
    var generation: Int64 { json["generation"]?.integerValue ?? 0 }
    var faults: Int { Int(json["faults"]?.integerValue ?? 0) }

    /// The time as `2026-11-26 00:09:30`.
    var clockText: String { String(now.prefix(19)).replacing("T", with: " ") }

    /// The milliseconds of the sandbox's time.
    var nowMilliseconds: Int64 { Timestamp(iso8601: now)?.milliseconds ?? 0 }

    var isFrozen: Bool { json["clock"]?["mode"]?.stringValue == "frozen" }
    private var ages: [JSONValue] { json["clock"]?["ages"]?.arrayValue ?? [] }
    var isTimeMoved: Bool { json["clock"]?["mode"]?.stringValue ?? "running" != "running" || !ages.isEmpty }

    /// Returns by how many milliseconds credentials of a time were aged since.
    /// - Parameter issued: milliseconds of the sandbox's time.
    func age(since issued: Int64) -> Int64 {
        ages.reduce(0) { sum, age in
            guard let declared = age["declared"]?.stringValue.flatMap({ Timestamp(iso8601: $0) }),
                declared.milliseconds >= issued / 1000 * 1000,
                let duration = age["age"]?.stringValue, let seconds = Int64(duration.dropFirst(2).dropLast())
            else { return sum }
            return sum + seconds * 1000
        }
    }

    /// How time differs from real time.
    var timeDescription: String {
        let mode =
            switch json["clock"]?["mode"]?.stringValue {
            case "frozen": "It stands still at \(clockText)."
            case "set": "It runs from another date."
            default: ""
            }
        let aged = ages.compactMap { $0["age"]?.stringValue }.map(Self.words).joined(separator: ", ")
        return [mode, aged.isEmpty ? "" : "What was issued before is older by \(aged)."].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns a duration such as `PT3900S` as `1 h 5 min`.
    private static func words(_ duration: String) -> String {
        guard let seconds = Int64(duration.dropFirst(2).dropLast()) else { return duration }
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")].filter { $0.0 != 0 }
        return parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    /// Returns a number of the member `counts`.
    func count(_ name: String) -> Int64 { json["counts"]?[name]?.integerValue ?? 0 }

    /// Returns the objects of an array.
    func list(_ name: String) -> [JSONValue] { json[name]?.arrayValue ?? [] }

    /// Returns the texts of an array.
    func texts(_ name: String) -> [String] { list(name).compactMap(\.stringValue) }

    /// The ARN of the first AWS account's root user.
    var root: String? {
        list("accounts").first { $0["vendor"]?.stringValue == "aws" }?["root"]?.stringValue
    }
}
