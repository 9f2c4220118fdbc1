import Calls
import ControlDocuments
import WireFormats

/// The steps of the workshop as a checklist for the student whose sandbox it is.
struct StudentSteps {
    let progress: Document<ProgressMembers>

    /// Returns the progress of the student who has a sandbox; `nil` if none has it.
    /// - Parameter process: calls the control API of the process, which a student may not. Nothing about other students is returned.
    static func progress(in sandbox: String, _ process: ControlClient) async -> Document<ProgressMembers>? {
        guard sandbox != "default" else { return nil }
        let students = await process.get("/class").document(ClassMembers.self).students
        return students.first { $0.student.sandbox == sandbox }?.progress
    }

    var html: HTML {
        let reached = progress.steps
        let items = StudentTile.allSteps.map { step, _ -> HTML in
            let isReached = reached.contains(step)
            let (title, hint) = Self.task(step)
            let (style, sign): (HTML, HTML) = isReached ? (" class=\"reached\"", "✓") : ("", "○")
            return """
                <li\(style)><strong><span aria-hidden="true">\(sign)</span> \(title)</strong><span class="sr"> \(isReached ? "(done)" : "(not yet)")</span> \
                <span class="soft">\(hint)</span></li>

                """
        }
        let count = StudentTile.allSteps.count { reached.contains($0.0) }
        return """
            <section class="card" aria-labelledby="your-steps"><h2 id="your-steps">Your steps: \(String(count)) of \(String(StudentTile.allSteps.count))</h2>
            <ol class="tasks">
            \(items)</ol></section>

            """
    }

    /// What to do for a step, and where.
    private static func task(_ step: String) -> (title: String, hint: String) {
        switch step {
        case "login": ("Log in", "In Playground, log in as one of the people.")
        case "credentials": ("Get credentials", "In step 2 of the walk, exchange the token at STS.")
        case "read": ("Read an object", "In step 3 of the walk, read a file of your folder.")
        case "refused": ("Be refused", "Try to read a file of another person, and find the statement that decided.")
        case "write": ("Write an object", "Write a file to your folder.")
        case "policy": ("Change a policy", "Change the trust policy or the permissions in the walk, and save.")
        case "broken": ("Break something", "Run an experiment of Break it, such as an expired token.")
        default: (step, "")
        }
    }
}
