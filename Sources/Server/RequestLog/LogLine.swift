package import Cloud
import NIOCore
package import WireFormats

/// One request in the log: a line of text, with a second line for the reason of an error; or a JSON object.
package struct LogLine: Sendable {
    /// The format of the log.
    package enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// The wall-clock time in a live log; the sandbox's time when the journal is read.
    private var time: String
    private var method: String
    private var path: String
    private var service: String
    private var operation: String?
    private var caller: String?
    private var claimedKey: String?
    private var status: Int
    /// The time until the response head, in tenths of a millisecond; the journal does not store it.
    private var tenths: Int64?
    private var error: String?
    private var reason: String?
    private var requestID: String
    private var sourceIP: String?
    private var scheme: String
    private var trace: TraceParent?
    private var isRefused: Bool
    private var isReported: Bool

    /// - Parameters:
    ///   - time: the time of arrival.
    ///   - duration: the time until the response.
    package init(_ entry: JournalEntry, at time: Timestamp, after duration: Duration) {
        self.time = time.iso8601Milliseconds
        method = entry.method
        path = entry.maskedTarget
        service = entry.face
        operation = entry.operation
        caller = entry.caller
        claimedKey = entry.claimedKey
        status = entry.status
        let (seconds, attoseconds) = duration.components
        tenths = seconds * 10000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
        error = entry.errorCode
        reason = entry.reason
        requestID = entry.requestID
        sourceIP = entry.source
        scheme = entry.isSecure ? "https" : "http"
        trace = entry.trace
        isRefused = entry.isRefused
        isReported = entry.isReported
    }

    /// Creates a line from an entry of `GET /_virga/journal`.
    package init?(json: JSONValue) {
        guard let time = json["time"]?.stringValue, let method = json["method"]?.stringValue, let path = json["target"]?.stringValue,
            let service = json["face"]?.stringValue, let status = json["status"]?.integerValue,
            let requestID = json["request_id"]?.stringValue
        else { return nil }
        self.time = time
        self.method = method
        self.path = path
        self.service = service
        operation = json["operation"]?.stringValue
        caller = json["caller"]?.stringValue
        claimedKey = json["claimed_key"]?.stringValue
        self.status = Int(status)
        error = json["error"]?.stringValue
        reason = json["reason"]?.stringValue
        self.requestID = requestID
        sourceIP = json["source_ip"]?.stringValue
        scheme = json["scheme"]?.stringValue ?? "http"
        if let trace = json["trace_id"]?.stringValue, let span = json["span_id"]?.stringValue,
            let flags = json["trace_flags"]?.stringValue
        {
            self.trace = TraceParent(parsing: "00-\(trace)-\(span)-\(flags)")
        }
        isRefused = json["refused"]?.boolValue ?? false
        isReported = json["reported"]?.boolValue ?? false
    }

    /// Returns the one or two lines, without a final line feed.
    package func text(isColoured: Bool) -> String {
        // Every request has a line, so its parts are appended one by one: an interpolation copies each of them.
        var line = ""
        line.reserveCapacity(192)
        line += Substring(time.utf8.dropFirst("2026-11-23T".utf8.count).dropLast())
        for part in [method, path] {
            line += " "
            line += part.visible
        }
        line += " "
        line += service
        if let operation {
            line += ":"
            line += operation.visible
        }
        line += " "
        line += shortCaller.visible
        line += " "
        let shown = status == 0 ? "closed" : String(status)
        line += isColoured ? "\u{1B}[\(colour)m\(shown)\u{1B}[0m" : shown
        if let tenths {
            line += " "
            line += String(tenths / 10)
            line += "."
            line += String(tenths % 10)
            line += " ms"
        }
        guard isRefused || status >= 500 || reason != nil, error != nil || reason != nil else { return line }
        var second = "    " + (isReported ? "would be denied: " : "")
        second += [error, reason].compactMap { $0?.visible }.joined(separator: ": ")
        if isRefused || status >= 500 { second += " (virga explain \(requestID))" }
        return line + "\n" + (isColoured ? "\u{1B}[2m\(second)\u{1B}[0m" : second)
    }

    /// The line as a JSON object.
    package var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        var json: JSONObject = [
            "time": .string(time), "method": .string(method), "path": .string(path), "service": .string(service),
            "operation": text(operation), "caller": text(caller),
            "claimed_key": text(claimedKey), "reported": .bool(isReported), "status": .integer(Int64(status)),
            "milliseconds": tenths.map { .number(Double($0) / 10) } ?? .null, "error": text(error), "reason": text(reason),
            "request_id": .string(requestID), "source_ip": text(sourceIP), "scheme": .string(scheme),
        ]
        // By the names of OpenTelemetry's log data model for formats other than its own.
        if let trace {
            json["trace_id"] = .string(trace.traceID)
            json["span_id"] = .string(trace.spanID)
            json["trace_flags"] = .string(trace.traceFlags)
        }
        return .object(json)
    }

    /// The caller without the common parts of an ARN.
    private var shortCaller: String {
        guard let caller else { return claimedKey.map { "\($0) (not authenticated)" } ?? "anonymous" }
        // Splits bytes, which is much faster than characters: every request has a line.
        let parts = caller.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 5, omittingEmptySubsequences: false)
        if parts.count == 6, parts[0].elementsEqual("arn".utf8) { return String(Substring(parts[5])) }
        if parts.count == 5, parts[0].elementsEqual("acs".utf8), parts[1].elementsEqual("ram".utf8) { return String(Substring(parts[4])) }
        return caller
    }

    private var colour: Int {
        switch status {
        case 200..<300: 32
        case 300..<400: 36
        case 400..<500: 33
        default: 31
        }
    }
}
