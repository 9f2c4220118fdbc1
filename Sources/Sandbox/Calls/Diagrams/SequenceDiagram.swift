import WireFormats

/// Requests of the journal as a sequence diagram: a lifeline for each party, an arrow for each request, a cross where one was refused.
package struct SequenceDiagram: Sendable {
    /// The most arrows.
    package static let mostArrows = 100

    /// The width of the picture. All coordinates are pixels of it.
    static let width = 960
    /// The places left and right of the lifelines, for the time and the outcome.
    private static let (left, right) = (104, 216)
    private static let headHeight = 58
    private static let rowHeight = 40
    /// What a row with the reason of a failure needs more.
    private static let reasonHeight = 18

    /// A party with its vertical line.
    struct Lifeline: Equatable {
        var party: DiagramParty
        /// The faces of the party, such as the names of providers.
        var detail: String
        /// The middle.
        var x: Int
        /// The width of the box at its top.
        var width: Int
    }

    /// An arrow, with the texts above and below.
    struct Row {
        var step: JournalStep
        /// The place of the arrow.
        var y: Int
        var from: Int
        var to: Int
        var label: String
        /// The place of the label and the reason, and how wide they may be.
        var textX: Int
        var textWidth: Int
        var hasReason: Bool
    }

    let lifelines: [Lifeline]
    let rows: [Row]
    let height: Int
    /// How many requests have no arrow.
    package let leftOut: Int

    /// Lays out requests.
    /// - Parameters:
    ///   - steps: the requests, the oldest first. The newest ones get the arrows.
    ///   - earlier: how many requests before them were left out already.
    package init(_ steps: [JournalStep], earlier: Int = 0) {
        let shown = Array(steps.suffix(Self.mostArrows))
        leftOut = earlier + steps.count - shown.count
        let parties = Set(shown.flatMap { [$0.sender, $0.receiver] })
        let present = DiagramParty.allCases.filter { parties.contains($0) }
        let pitch = (Self.width - Self.left - Self.right) / max(present.count, 1)
        let providers = Self.faces(of: .provider, in: shown)
        var places: [DiagramParty: Int] = [:]
        for (index, party) in present.enumerated() { places[party] = Self.left + pitch / 2 + index * pitch }
        let boxWidth = min(pitch - 12, 150)
        lifelines = present.map { party in
            Lifeline(party: party, detail: Self.detail(of: party, in: shown, width: boxWidth - 10), x: places[party] ?? 0, width: boxWidth)
        }
        var y = Self.headHeight + 12
        rows = shown.map { step in
            let hasReason = step.hasFailed && step.reason != nil
            y += Self.rowHeight
            let (from, to) = (places[step.sender] ?? Self.left, places[step.receiver] ?? Self.left)
            // Labels begin inside their arrow and may be longer than it.
            let textX = min(from, to) + 8
            let row = Row(
                step: step, y: y, from: from, to: to, label: Self.label(of: step, namesFace: providers.count > 1), textX: textX,
                textWidth: Self.width - Self.right - textX, hasReason: hasReason)
            if hasReason { y += Self.reasonHeight }
            return row
        }
        height = y + 24
    }

    private static func label(of step: JournalStep, namesFace: Bool) -> String {
        var label = step.name
        if namesFace, step.receiver == .provider { label = "\(step.face) \(label)" }
        if let resource = step.shortResource, step.receiver != .provider { label += " \(resource)" }
        return label
    }

    private static func faces(of party: DiagramParty, in steps: [JournalStep]) -> [String] {
        var faces: [String] = []
        for step in steps where step.receiver == party && !faces.contains(step.face) { faces.append(step.face) }
        return faces
    }

    /// Returns the names of the faces, or how many there are.
    private static func detail(of party: DiagramParty, in steps: [JournalStep], width: Int) -> String {
        let faces = faces(of: party, in: steps)
        let names = faces.joined(separator: ", ")
        return faces.count > 1 && DiagramText.width(of: names, size: detailSize) > Double(width) ? "\(faces.count) of them" : names
    }

    static let detailSize = 12

    /// The picture in words: how many requests, between which parties, and how many failed.
    var summary: String {
        let failed = rows.count { $0.step.hasFailed }
        let parties = lifelines.map(\.party.title).joined(separator: ", ")
        let requests = rows.count == 1 ? "1 request" : "\(rows.count) requests"
        return "\(requests) between \(parties), from top to bottom; \(failed) failed.\(leftOutSentence.map { " \($0)" } ?? "")"
    }

    /// What the picture leaves out; `nil` if it is nothing.
    package var leftOutSentence: String? {
        switch leftOut {
        case 0: nil
        case 1: "1 earlier request was left out."
        default: "\(leftOut) earlier requests were left out."
        }
    }

    static let (outcomeX, outcomeWidth) = (width - right + 12, right - 16)
    static let timeWidth = left - 12
}
