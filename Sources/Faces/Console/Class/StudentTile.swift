import Calls
import WireFormats

/// A student in the class view, small enough for forty on a screen.
struct StudentTile {
    /// The steps in the order of the workshop, each with a word for the legend.
    static let allSteps = [
        ("login", "logged in"), ("credentials", "has credentials"), ("read", "read an object"), ("refused", "was refused"),
        ("write", "wrote an object"), ("policy", "changed a policy"), ("broken", "broke something"),
    ]

    let student: JSONValue

    var html: HTML {
        let sandbox = student["sandbox"]?.stringValue ?? ""
        let progress = student["progress"] ?? .null
        return """
            <li data-sandbox="\(sandbox)"><a href="\(SandboxesRoom.path(of: sandbox))">\(Parts.value(student["name"]?.stringValue ?? "", limit: 40))</a>
            <span class="soft" data-active>\(Self.activity(progress))</span>
            \(Self.steps(progress))
            <p class="reason" data-refusal>\(Self.refusal(progress))</p></li>

            """
    }

    /// The steps as numbers, filled if they are reached.
    static func steps(_ progress: JSONValue) -> HTML {
        let reached = progress["steps"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let items = allSteps.enumerated().map { index, step -> HTML in
            let isReached = reached.contains(step.0)
            let style: HTML = isReached ? " class=\"reached\"" : ""
            return """
                <li data-step="\(step.0)"\(style) title="\(step.1)">\(String(index + 1))\
                <span class="sr"> \(step.1): \(isReached ? "yes" : "not yet")</span></li>
                """
        }
        return "<ol class=\"steps\">\(items)</ol>"
    }

    static func activity(_ progress: JSONValue) -> String {
        Measures.age(progress["active"]?.stringValue).map { "\($0) ago" } ?? "no request yet"
    }

    private static func refusal(_ progress: JSONValue) -> HTML {
        guard let refusal = progress["last_refusal"], refusal.objectValue != nil else { return "" }
        return "\(Parts.value("\(refusal["operation"]?.stringValue ?? ""): \(refusal["error"]?.stringValue ?? "refused")", limit: 80))"
    }
}
