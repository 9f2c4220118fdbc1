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

    /// How time differs from real time.
    var timeDescription: String {
        let mode =
            switch json["clock"]?["mode"]?.stringValue {
            case "frozen": "It stands still at \(clockText)."
            case "set": "It runs from another date."
            default: ""
            }
        let aged = ages.compactMap { $0["age"]?.stringValue }.joined(separator: ", ")
        return [mode, aged.isEmpty ? "" : "What was issued before is older by \(aged)."].filter { !$0.isEmpty }.joined(separator: " ")
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
