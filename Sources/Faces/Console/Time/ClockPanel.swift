import Calls
import ControlDocuments
import WireFormats

/// The time of the sandbox, and the buttons that move it.
struct ClockPanel {
    let visit: Visit
    let info: CloudInfo
    let clock: Document<ClockMembers>
    let refusal: ConsoleRefusal?

    private static let steps = [("PT5M", "+5 min"), ("PT1H5M", "+1 h 5 min"), ("P1D", "+1 day")]

    var html: HTML {
        let steps = Self.steps.map { duration, title -> HTML in
            """
            <form method="post" action="\(TimeRoom.path)/age">\(visit.formToken)<input type="hidden" name="for" value="\(duration)">\
            <button>\(title)</button></form>

            """
        }
        return """
            <section class="card lead" aria-labelledby="clock-title"><h2 id="clock-title">The clock</h2>
            \(refusal.map(Parts.refusalBox) ?? "")
            <dl class="facts">
            <div><dt>Sandbox time</dt><dd><strong>\(Self.text(clock.now))</strong></dd></div>
            <div><dt>Real time</dt><dd>\(Self.text(clock.wall))</dd></div>
            <div><dt>State</dt><dd>\(state)</dd></div>
            \(ages)</dl>
            <h3>Let time pass</h3>
            <p class="soft">Everything that was issued so far gets older: tokens, sessions, presigned URLs, objects.</p>
            <div class="row">\(steps)</div>
            <form method="post" action="\(TimeRoom.path)/age" class="row">\(visit.formToken)<label for="for">Another duration</label>\
            <input id="for" name="for" value="\(refusal == nil ? "" : visit.form.first("for") ?? "")" placeholder="PT15M" autocomplete="off" required><button>Pass</button></form>
            <h3>Move the clock</h3>
            <div class="row">\(freeze)
            <form method="post" action="\(TimeRoom.path)/set" class="row">\(visit.formToken)<label for="date">Date (UTC)</label>\
            <input id="date" name="date" type="datetime-local" step="1" value="\(String(info.now.prefix(19)))" required><button>Set</button></form>
            <form method="post" action="\(Visit.path("/clock"))">\(visit.formToken)<input type="hidden" name="back" value="\(TimeRoom.path)">\
            <button\(info.isTimeMoved ? "" : " disabled")>Resume real time</button></form></div>
            </section>

            """
    }

    private static func text(_ text: String) -> HTML {
        "<time datetime=\"\(text)\">\(String(text.prefix(19)).replacing("T", with: " "))</time> UTC"
    }

    private var state: HTML {
        switch clock.mode {
        case "frozen": "stands still"
        case "set": "runs, \(difference)"
        default: "runs with real time"
        }
    }

    /// How far the sandbox's time is from real time.
    private var difference: String {
        guard let now = Timestamp(iso8601: clock.now), let wall = Timestamp(iso8601: clock.wall) else { return "from another date" }
        let milliseconds = now.milliseconds - wall.milliseconds
        let distance = InspectionWords.distance(milliseconds: Int64(milliseconds.magnitude)).dropFirst("in ".count)
        return "\(distance) \(milliseconds < 0 ? "behind" : "ahead of") real time"
    }

    private var ages: HTML {
        let ages = clock.ages
        guard !ages.isEmpty else { return "" }
        let lines = ages.suffix(10).map { age -> HTML in
            "<li>What was issued before \(Self.text(age.declared)) is older by \(Self.words(age.age))</li>\n"
        }
        return "<div><dt>Passed</dt><dd><ul class=\"plain\">\n\(lines)</ul></dd></div>\n"
    }

    /// A duration such as `PT3900S` in words.
    private static func words(_ duration: String) -> String {
        guard let seconds = Int64(duration.dropFirst(2).dropLast()) else { return duration }
        let parts = [(seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")].filter {
            $0.0 != 0
        }
        return parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    private var freeze: HTML {
        let (action, title) = info.isFrozen ? ("run", "Let it run on") : ("freeze", "Freeze")
        return "<form method=\"post\" action=\"\(TimeRoom.path)/\(action)\">\(visit.formToken)<button>\(title)</button></form>"
    }
}
