import Calls
import WireFormats

/// "As code": the walk so far as programs that run.
struct CodeExport {
    let page: WalkPage

    var html: HTML {
        let programs = page.walk.course.programs(of: page)
        guard !programs.isEmpty else { return "" }
        let blocks = programs.enumerated().map { index, program in
            (title: program.name, content: Parts.code(program.code, id: "code-\(index)", label: "\(program.name) code"))
        }
        return """
            <section class="step" id="code" aria-labelledby="code-title"><h2 id="code-title">As code</h2>
            <p class="soft">The programs contain the secrets of this walk, and work until its token expires.</p>
            \(Parts.tabs(blocks, name: "program", label: "Language"))</section>

            """
    }

    /// A string of Python, JavaScript and JSON.
    static func quoted(_ text: String) -> String { JSONValue.string(text).serialized() }

    /// A word of a POSIX shell.
    static func shell(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
