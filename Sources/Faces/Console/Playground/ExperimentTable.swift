import Calls
import WireFormats

/// "Break it": a table of experiments with the expected and the actual code.
struct ExperimentTable {
    /// How many experiments are not folded.
    private static let shown = 5

    let page: WalkPage

    private var walk: Walk { page.walk }

    var html: HTML {
        let experiments = walk.course.experiments(in: walk)
        guard !experiments.isEmpty else { return "" }
        let further = experiments.dropFirst(Self.shown)
        let isOpen: HTML = further.contains { walk.results[$0.id] != nil } ? " open" : ""
        return """
            <section class="step" id="break" aria-labelledby="break-title"><h2 id="break-title">Break it</h2>
            <p>Each experiment does one thing wrong. A correct service answers with the expected code.</p>
            \(table(experiments.prefix(Self.shown)))
            \(further.isEmpty ? "" : "<details class=\"fold\"\(isOpen)><summary>\(String(further.count)) more experiments</summary>\n\(table(further))</details>\n" as HTML)
            </section>

            """
    }

    private func table(_ experiments: ArraySlice<Experiment>) -> HTML {
        """
        <div class="scroll">
        <table class="tries"><thead><tr><th scope="col">What is wrong</th><th scope="col">Expected</th><th scope="col">Actual</th><th scope="col">Run</th></tr></thead>
        <tbody>
        \(experiments.map(row))</tbody></table></div>
        """
    }

    private func row(_ experiment: Experiment) -> HTML {
        let result = walk.results[experiment.id]
        let actual: HTML =
            result.map { result -> HTML in
                let link: HTML =
                    result.number.map { number -> HTML in " <a href=\"\(Visit.path("/journal/\(number)"))\">why</a>" } ?? ""
                let outcome =
                    result.isAsExpected
                    ? Outcome(kind: "good", sign: "✓", word: result.actual) : Outcome(kind: "bad", sign: "✗", word: result.actual)
                return """
                    \(Parts.outcome(outcome))\(result.isAsExpected ? "" : " not as expected")\(link)<p class="soft">\(Parts.name(result.message, limit: 300))</p>
                    """
            } ?? "<span class=\"soft\">not run</span>"
        return """
            <tr id="try-\(experiment.id)"><th scope="row">\(experiment.title)</th><td data-label="Expected"><code>\(Self.code(experiment.expected.joined(separator: " or ")))</code></td>\
            <td data-label="Actual">\(actual)</td><td><form method="post" action="\(page.action("break"))">\(page.visit.formToken)\
            <input type="hidden" name="experiment" value="\(experiment.id)"><button class="small" aria-label="Run: \(experiment.title)">Run</button></form></td></tr>

            """
    }

    /// A code, which breaks after its dots.
    private static func code(_ text: String) -> HTML {
        let parts = text.split(separator: ".").map { part -> HTML in "\(String(part))" }
        return parts.dropFirst().reduce(parts.first ?? "") { "\($0).<wbr>\($1)" }
    }
}
