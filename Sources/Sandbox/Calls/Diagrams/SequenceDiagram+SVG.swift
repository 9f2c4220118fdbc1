import WireFormats

extension SequenceDiagram {
    /// Returns the picture for a page whose stylesheet has the rules of ``DiagramStyle``.
    /// - Parameters:
    ///   - title: what it shows.
    ///   - entries: the URL of the pages of journal entries, up to the number.
    package func html(title: String, entries: String) -> HTML { picture(title, entries, attributes: "", style: "") }

    /// Returns the picture as the text of a file that stands alone.
    /// - Parameters:
    ///   - title: what it shows.
    ///   - entries: the URL of the pages of journal entries, up to the number.
    package func file(title: String, entries: String) -> String {
        let size: HTML = " xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.width)\" height=\"\(height)\""
        let style = HTML(stringLiteral: "<style>\(DiagramStyle.file)</style>\n")
        return picture(title, entries, attributes: size, style: style).text
    }

    private func picture(_ title: String, _ entries: String, attributes: HTML, style: HTML) -> HTML {
        """
        <svg\(attributes) class="pic" viewBox="0 0 \(Self.width) \(height)" role="group" aria-labelledby="sequence-title sequence-text">
        <title id="sequence-title">\(DiagramText.shown(title))</title><desc id="sequence-text">\(summary)</desc>
        \(style)<rect class="back" width="\(Self.width)" height="\(height)"/>
        \(lifelines.map(line))\(rows.map { row($0, entries) })\(lifelines.map(head))\(leftOutSentence.map(note) ?? "")</svg>

        """
    }

    private func line(_ lifeline: Lifeline) -> HTML {
        "<path class=\"life\" d=\"M\(lifeline.x) 58V\(height - 8)\"/>\n"
    }

    private func head(_ lifeline: Lifeline) -> HTML {
        let hasDetail = !lifeline.detail.isEmpty
        let place = lifeline.width - 10
        let detail: HTML =
            hasDetail
            ? DiagramText.label(lifeline.detail, x: lifeline.x, y: 46, width: place, size: Self.detailSize, anchor: .middle, kind: "soft")
            : ""
        return """
            <rect class="box" x="\(lifeline.x - lifeline.width / 2)" y="10" width="\(lifeline.width)" height="48" rx="7"/>\
            \(DiagramText.label(lifeline.party.title, x: lifeline.x, y: hasDetail ? 30 : 39, width: place, anchor: .middle, font: .bold))\(detail)

            """
    }

    private func note(_ text: String) -> HTML {
        "\(DiagramText.label(text, x: 8, y: 78, width: Self.width - 16, size: 12, kind: "soft over"))\n"
    }

    private func row(_ row: Row, _ entries: String) -> HTML {
        let step = row.step
        let hasFailed = step.hasFailed
        let kind = hasFailed ? "bad" : "good"
        let clock = String(step.time.dropFirst(11).prefix(12))
        let time = DiagramText.label(clock, x: 8, y: row.y + 4, width: Self.timeWidth, size: 12, kind: "soft")
        let outcome = step.status == 0 ? "cut off" : "\(step.status)\(step.error.map { " \($0)" } ?? "")"
        let reason: HTML =
            row.hasReason
            ? DiagramText.label(
                step.reason ?? "", x: row.textX, y: row.y + 17, width: Self.width - row.textX - 8, size: 12, kind: "bad over") : ""
        return """
            <a href="\(entries)\(String(step.number))">\(time)\
            \(DiagramText.label(row.label, x: row.textX, y: row.y - 7, width: row.textWidth, kind: "name over"))\
            <path class="\(hasFailed ? "bad" : "soft")" d="\(arrow(row))" fill="none" stroke="currentColor" \
            stroke-width="\(hasFailed ? 2 : 1)"/>\
            \(DiagramText.label("\(hasFailed ? "✗" : "✓") \(outcome)", x: Self.outcomeX, y: row.y + 4, width: Self.outcomeWidth, kind: kind))\
            \(reason)</a>

            """
    }

    /// The line of a row with its head: a tip, or a cross where the request failed.
    private func arrow(_ row: Row) -> String {
        let (from, to, y) = (row.from, row.to, row.y)
        let back = to > from ? -1 : 1
        guard row.step.hasFailed else {
            return "M\(from) \(y)H\(to)m\(8 * back) -4L\(to) \(y)l\(8 * back) 4"
        }
        // The cross stands before the lifeline: the request came no further.
        let end = to + 16 * back
        return "M\(from) \(y)H\(end)M\(end - 6) \(y - 6)l12 12m0 -12l-12 12"
    }
}
