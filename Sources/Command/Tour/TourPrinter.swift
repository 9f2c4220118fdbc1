/// Prints the tour: a heading for each section, a line for each request, and notes.
struct TourPrinter: Sendable {
    func title(_ text: String) {
        Output.line("")
        Output.line(text)
        Output.line(String(repeating: "═", count: text.count))
    }

    func section(_ text: String) {
        Output.line("")
        Output.line("── \(text) " + String(repeating: "─", count: max(4, 92 - text.count)))
    }

    func request(_ method: String, _ target: String, _ status: Int, _ meaning: String = "") {
        let line = "  \(method) \(target)"
        let gap = String(repeating: " ", count: max(2, 64 - line.count))
        Output.line("\(line)\(gap)\(status)\(meaning.isEmpty ? "" : "  \(meaning)")")
    }

    func note(_ text: String) { Output.line("      \(text)") }

    /// Prints an error with the decision behind it.
    func refusal(_ code: String?, _ message: String?, trace: [String] = []) {
        Output.line("    ✗ \(code ?? "no error code"): \(message ?? "")")
        for line in trace { Output.line("      │ \(line)") }
    }
}
