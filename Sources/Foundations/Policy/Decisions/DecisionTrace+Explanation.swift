import WireFormats

extension DecisionTrace {
    /// Why the request was denied, on one line with the action and the resource; nil if it is allowed.
    package var reason: String? {
        decision.reason(action: request.action).map { "\(request.action) on \(request.resource) \($0)" }
    }

    /// The trace in plain English: the request, a line for each statement, the decision.
    package var explanation: [String] {
        var lines = ["\(request.principal) asks for \(request.action) on \(request.resource)"]
        if entries.isEmpty { lines.append("no policy has a statement") }
        lines += entries.map(\.explanation)
        if let reason = decision.reason(action: request.action) {
            lines.append("denied \(reason)")
        } else {
            lines.append("allowed")
        }
        return lines
    }
}

extension DecisionTrace.Entry {
    /// The entry as one line.
    package var explanation: String {
        let statement =
            "\(type.rawValue) \"\(policy)\", statement \(sid.map { "\"\($0)\"" } ?? "\(index + 1)") (\(isDeny ? "Deny" : "Allow"))"
        guard let mismatch else { return "\(statement): applies" }
        return "\(statement): does not apply: \(mismatch.explanation)"
    }
}

extension DecisionTrace.Mismatch {
    /// The mismatch as a phrase.
    package var explanation: String {
        let values = found.map { $0.count == 1 ? "\"\($0[0])\"" : Self.list($0) } ?? "no such key"
        return "\(element): policy has \(Self.list(wanted)), request has \(values)"
    }

    private static func list(_ values: [String]) -> String {
        "[" + values.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
}
