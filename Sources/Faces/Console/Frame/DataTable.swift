import Calls

extension Parts {
    /// A table that scrolls inside, and whose rows become lists on small screens. The first cell of a row is its heading.
    /// - Parameters:
    ///   - label: names the table for screen readers.
    ///   - empty: what is shown if there is no row.
    static func table(_ label: String, _ headings: [String], _ rows: [[HTML]], empty: HTML) -> HTML {
        guard !rows.isEmpty else { return "<p class=\"empty\">\(empty)</p>\n" }
        let head = headings.map { heading -> HTML in "<th scope=\"col\">\(heading)</th>" }
        let body = rows.map { row -> HTML in
            let cells = zip(headings, row).enumerated().map { index, cell -> HTML in
                index == 0 ? "<th scope=\"row\">\(cell.1)</th>" : "<td data-label=\"\(cell.0)\">\(cell.1)</td>"
            }
            return "<tr>\(cells)</tr>\n"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(label)"><table class="stack"><thead><tr>\(head)</tr></thead><tbody>
            \(body)</tbody></table></div>

            """
    }

    /// Names with their values.
    static func facts(_ rows: [(name: String, value: HTML)]) -> HTML {
        let lines = rows.map { row -> HTML in "<div><dt>\(row.name)</dt><dd>\(row.value)</dd></div>\n" }
        return "<dl class=\"facts\">\n\(lines)</dl>\n"
    }
}
