import Calls
import ControlDocuments
import WireFormats

/// A student in the class view, small enough for forty on a screen.
struct StudentTile {
    /// The steps in the order of the workshop, each with a word for the legend.
    static let allSteps = [
        ("login", "logged in"), ("credentials", "has credentials"), ("read", "read an object"), ("refused", "was refused"),
        ("write", "wrote an object"), ("policy", "changed a policy"), ("broken", "broke something"),
    ]

    let listed: Document<ListedStudentMembers>

    var html: HTML {
        let (student, progress) = (listed.student, listed.progress)
        let sandbox = student.sandbox
        return """
            <li data-sandbox="\(sandbox)"><a href="\(SandboxesRoom.path(of: sandbox))">\(Parts.value(student.name, limit: 40))</a>
            <span class="soft" data-active>\(Self.activity(progress))</span>
            \(Self.steps(progress?.steps ?? []))
            <p class="reason" data-refusal>\(Self.refusal(progress))</p></li>

            """
    }

    /// The steps as numbers, filled if they are reached.
    static func steps(_ reached: [String]) -> HTML {
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

    static func activity(_ progress: Document<ProgressMembers>?) -> String {
        Measures.age(progress?.active).map { "\($0) ago" } ?? "no request yet"
    }

    private static func refusal(_ progress: Document<ProgressMembers>?) -> HTML {
        guard let refusal = progress?.lastRefusal else { return "" }
        return "\(Parts.value("\(refusal.operation): \(refusal.error ?? "refused")", limit: 80))"
    }
}
