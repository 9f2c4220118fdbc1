import Calls
import ControlDocuments
import WireFormats

/// The cells of who can reach what, as rows of a table.
struct ReachTable {
    /// The most bytes of the rows. The others are on the next page.
    private static let mostBytes = 70_000

    let reach: Document<ReachMembers>

    /// The heads of the columns.
    var heads: [HTML] {
        reach.places.map { place in
            let asked = place.key.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "keys of the prefix"
            return """
                <th scope="col">\(Parts.name("\(place.bucket)/\(place.prefix)", limit: 120))\
                <p class="hint">\(place.action.visible): \(Parts.value(asked, limit: 60))</p></th>
                """
        }
    }

    /// As many rows as fit, at least one.
    var rows: [HTML] {
        var rows: [HTML] = []
        var bytes = 0
        for caller in reach.callers {
            let row = row(caller)
            bytes += row.text.utf8.count
            guard rows.isEmpty || bytes <= Self.mostBytes else { break }
            rows.append(row)
        }
        return rows
    }

    /// The numbers of the first rows in a sentence.
    func summary(of count: Int) -> String {
        let words = reach.callers.prefix(count).flatMap(\.cells).map(\.reach)
        let counts = ["allowed", "conditional", "denied"].map { word in "\(words.count { $0 == word }) \(word)" }
        return "\(words.count) cells: \(counts.joined(separator: ", "))."
    }

    private func row(_ caller: Document<ReachCallerMembers>) -> HTML {
        let cells = zip(reach.places, caller.cells).map { place, cell in
            let question = Self.question(caller, place, cell)
            let outcome = Self.outcome(cell.reach)
            return """
                <td class="\(outcome.kind)"><a href="\(PoliciesRoom.path(nil, question))" class="outcome \(outcome.kind)">\
                <span aria-hidden="true">\(outcome.sign)</span> \(outcome.word)</a></td>
                """ as HTML
        }
        return "<tr><th scope=\"row\">\(head(caller))</th>\(cells)</tr>\n"
    }

    private func head(_ caller: Document<ReachCallerMembers>) -> HTML {
        let name = Parts.value(caller.name.isEmpty ? caller.id : caller.name, limit: 120)
        let account = caller.account.map { account -> HTML in " in \(Parts.value(account, limit: 40))" } ?? ""
        guard caller.kind == "person" else {
            let kind = caller.kind == "root" ? "root user" : caller.kind
            let detail: HTML = caller.kind == "anonymous" ? "" : "<p class=\"hint\">\(kind)\(account)</p>"
            return "\(name)\(detail)"
        }
        let roles = caller.ways.prefix(3).map { way in
            let name = way.role.split(separator: "/").last.map(String.init) ?? way.role
            return "\(String(name.prefix(80)))\(way.trust == "conditional" ? " (conditional)" : "")"
        }
        let others = caller.ways.count > roles.count ? " and \(caller.ways.count - roles.count) more" : ""
        let through = roles.isEmpty ? "no role" : "as \(roles.joined(separator: ", "))\(others)"
        return """
            <a href="\(IdentityScene.path("providers", caller.id, "people", caller.name))">\(name)</a>\
            <p class="hint">person at \(Parts.value(caller.id, limit: 80)), \(Parts.value(through, limit: 300))</p>
            """
    }

    /// The question of a cell: who, what and where, with the claims of a person's session.
    static func question(
        _ caller: Document<ReachCallerMembers>, _ place: Document<ReachPlaceMembers>, _ cell: Document<ReachCellMembers>
    ) -> SimulationQuestion {
        var question = SimulationQuestion()
        question.caller = caller.kind == "person" ? cell.through ?? "" : caller.id
        question.actions = [place.action]
        question.resources = [place.resource]
        let way = caller.ways.first { $0.role == cell.through ?? "" }
        for context in [way?.context ?? .null, place.context] {
            for (key, value) in context.objectValue?.members ?? [] where value.stringValue?.isEmpty == false {
                question.context.append((key, value.stringValue ?? ""))
            }
        }
        return question
    }

    private static func outcome(_ reach: String) -> Outcome {
        switch reach {
        case "allowed": Outcome(kind: "good", sign: "✓", word: "allowed")
        case "conditional": Outcome(kind: "warn", sign: "?", word: "conditional")
        default: Outcome(kind: "bad", sign: "✗", word: "denied")
        }
    }
}
