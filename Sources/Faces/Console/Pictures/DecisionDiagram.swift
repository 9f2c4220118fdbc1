import Calls
import ControlDocuments
import WireFormats

/// A decision as a picture: the stages of the evaluation in their order, how far the request came, and the statement that decided.
struct DecisionDiagram {
    /// A stage of the control API's `stages`.
    struct Stage {
        var name: String
        var policies: [String]
        var outcome: String

        /// The two lines of its title.
        var title: (String, String) {
            switch name {
            case "explicit deny": ("Explicit deny", "in any policy")
            case "identity-based policy": ("Identity", "policies")
            case "resource-based policy": ("Resource", "policy and ACL")
            case "permissions boundary": ("Permissions", "boundary")
            case "session policy": ("Session", "policies")
            case "role trust policy": ("Trust policy", "of the role")
            default: (name, "")
            }
        }

        var state: PictureState {
            switch outcome {
            case "denies": .refused
            case "unreached": .waiting
            default: .reached
            }
        }

        var words: String {
            switch outcome {
            case "allows": "✓ allows"
            case "silent": name == "explicit deny" ? "✓ none applies" : "says nothing"
            case "absent": name == "explicit deny" ? "✓ no Deny" : "no policy"
            case "denies": "✗ denies"
            default: "not reached"
            }
        }
    }

    /// The statement that decided.
    struct Deciding {
        var title: String
        /// The values of the policy and of the request, if an element did not match.
        var comparison: (wanted: String, found: String)?
    }

    let id: String
    let action: String
    let isAllowed: Bool
    let stages: [Stage]
    let deciding: Deciding?

    static let width = 920
    static let gap = 22
    /// The most bytes of a value that are shown with policy variables.
    private static let longestValue = 100
    private static let (top, boxHeight) = (6, 86)
    /// Where the names of the policies begin, and what one takes.
    private static let (policiesY, policyHeight, mostPolicies) = (top + boxHeight + 18, 17, 3)

    /// - Parameters:
    ///   - decision: a decision as `GET /_virga/journal/<id>` returns it.
    ///   - id: unique in the page.
    /// - Returns: `nil` if no stage is known.
    init?(decision: Document<DecisionMembers>, id: String) {
        let stages = (decision.stages ?? []).map { Stage(name: $0.stage, policies: $0.policies, outcome: $0.outcome) }
        // The root user of the account: there was nothing to evaluate.
        guard stages.contains(where: { !$0.policies.isEmpty || $0.outcome == "denies" }) else { return nil }
        self.id = id
        self.stages = stages
        action = decision.action
        isAllowed = decision.decision == "allowed"
        deciding = Self.deciding(decision.statements, stages, isAllowed)
    }

    // MARK: The statement that decided

    private static func deciding(_ statements: [Document<StatementMembers>], _ stages: [Stage], _ isAllowed: Bool) -> Deciding? {
        let effect = isAllowed ? "Allow" : "Deny"
        let decisive = statements.first { $0.applies && $0.effect == effect }
        if let decisive { return Deciding(title: "Decided by \(name(decisive))") }
        guard let stop = stages.first(where: { $0.state == .refused }) else { return nil }
        // No statement allows: the one that came closest says what is missing.
        let own = statements.filter { $0.effect == "Allow" && stop.policies.contains($0.policy) }
        guard let closest = own.max(by: { rank($0) < rank($1) }), let mismatch = closest.mismatch else {
            return Deciding(title: "No \(stop.name) allows it")
        }
        var wanted = mismatch.policy.joined(separator: ", ")
        // A long value with policy variables is shown as it was resolved.
        if wanted.utf8.count > Self.longestValue, let arrow = wanted.firstRange(of: " → ") { wanted = String(wanted[arrow.upperBound...]) }
        let found = mismatch.request?.joined(separator: ", ")
        return Deciding(
            title: "\(mismatch.element) does not match: \(name(closest))", comparison: (wanted, found ?? "not present"))
    }

    /// How far a statement matched, by the element that did not.
    private static func rank(_ statement: Document<StatementMembers>) -> Int {
        let element = statement.mismatch?.element ?? ""
        if element.hasSuffix("Action") { return 0 }
        if element.hasSuffix("Principal") { return 1 }
        return element.hasSuffix("Resource") ? 2 : 3
    }

    private static func name(_ statement: Document<StatementMembers>) -> String {
        let sid = statement.sid.map { " “\($0)”" } ?? ""
        return "statement \(statement.statement)\(sid) (\(statement.effect)) of \(statement.policy)"
    }

    // MARK: The picture

    var boxWidth: Int { min((Self.width - 8 - stages.count * Self.gap) / (stages.count + 1), 170) }

    func x(of index: Int) -> Int { 4 + index * (boxWidth + Self.gap) }

    private var policyLines: Int { stages.map { min($0.policies.count, Self.mostPolicies) }.max() ?? 0 }

    /// Where the panel of the statement begins.
    var panelY: Int { Self.policiesY + policyLines * Self.policyHeight + 4 }

    var height: Int {
        guard let deciding else { return panelY }
        return panelY + (deciding.comparison == nil ? 40 : 88)
    }

    var html: HTML {
        let picture: HTML = """
            <svg class="pic" viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="\(id)-picture \(id)-text">
            <title id="\(id)-picture">The evaluation of \(action.visible)</title><desc id="\(id)-text">\(summary.visible)</desc>
            \(stages.indices.map(stage))\(end)\(panel)</svg>

            """
        return Picture.frame(picture, label: "The evaluation of \(action.visible) as a picture")
    }

    /// The picture in words.
    var summary: String {
        let parts = stages.map { stage in
            "\(stage.name): \(stage.words)\(stage.policies.isEmpty ? "" : " (\(stage.policies.joined(separator: ", ")))")"
        }
        let decision = isAllowed ? "The request is allowed." : "The request is denied."
        return "\(parts.joined(separator: "; ")). \(decision)\(deciding.map { " \($0.title)." } ?? "")"
    }

    private func stage(_ index: Int) -> HTML {
        let stage = stages[index]
        let (x, place, top) = (x(of: index), boxWidth - 16, Self.top)
        let isQuiet = stage.outcome == "absent" || stage.outcome == "silent"
        let kind = isQuiet && stage.state == .reached ? "soft" : stage.state.text
        let arrow = index == 0 ? "" : Picture.arrow(from: x - Self.gap + 1, to: x - 2, y: top + Self.boxHeight / 2, way(to: index))
        let policies = stage.policies.prefix(Self.mostPolicies).enumerated().map { line, policy -> HTML in
            let isRest = line == Self.mostPolicies - 1 && stage.policies.count > Self.mostPolicies
            let text = isRest ? "and \(stage.policies.count - line) more" : policy
            return DiagramText.label(text, x: x + 2, y: Self.policiesY + line * Self.policyHeight, width: boxWidth, size: 11, kind: "soft")
        }
        return """
            \(arrow)<rect class="\(isQuiet && stage.state == .reached ? "box" : stage.state.box)" x="\(x)" y="\(top)" width="\(boxWidth)" \
            height="\(Self.boxHeight)" rx="8"/>\
            \(DiagramText.label(stage.title.0, x: x + 8, y: top + 22, width: place, font: .bold))\
            \(DiagramText.label(stage.title.1, x: x + 8, y: top + 40, width: place, size: 12))\
            \(DiagramText.label(stage.words, x: x + 8, y: top + 70, width: place, kind: kind, font: stage.state == .refused ? .bold : .plain))\(policies)

            """
    }

    /// Whether the request came from the stage before.
    private func way(to index: Int) -> PictureState {
        index < stages.count && stages[index].state == .waiting ? .waiting : .reached
    }

    /// The last box: the request is allowed, or came no further than the stage that denied it.
    private var end: HTML {
        let (x, top) = (x(of: stages.count), Self.top)
        let state: PictureState = isAllowed ? .reached : .refused
        return """
            \(Picture.arrow(from: x - Self.gap + 1, to: x - 2, y: top + Self.boxHeight / 2, isAllowed ? .reached : .waiting))\
            <rect class="\(state.box)" x="\(x)" y="\(top)" width="\(boxWidth)" height="\(Self.boxHeight)" rx="8"/>\
            \(DiagramText.label(isAllowed ? "✓ Allowed" : "✗ Denied", x: x + boxWidth / 2, y: top + 49, width: boxWidth - 16, size: 15, anchor: .middle, kind: state.text, font: .bold))

            """
    }

    private var panel: HTML {
        guard let deciding else { return "" }
        let (y, room) = (panelY, Self.width - 8)
        let title = DiagramText.label(deciding.title, x: 16, y: y + 23, width: room - 24, font: .bold)
        let box: HTML = "<rect class=\"box\" x=\"4\" y=\"\(y)\" width=\"\(room)\" height=\"\(height - y - 4)\" rx=\"8\"/>\(title)"
        guard let (wanted, found) = deciding.comparison else { return "\(box)\n" }
        func line(_ label: String, _ value: String, _ y: Int, _ kind: String) -> HTML {
            """
            \(DiagramText.label(label, x: 16, y: y, width: 104, size: 12, kind: "soft"))\
            \(DiagramText.label(value, x: 124, y: y, width: room - 132, size: 12, kind: kind, font: .mono))
            """
        }
        return """
            \(box)\(line("in the policy", wanted, y + 47, ""))\
            \(line("in the request", found, y + 69, "bad"))

            """
    }
}
