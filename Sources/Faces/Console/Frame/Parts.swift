import Calls
import WireFormats

/// Parts that several pages show.
enum Parts {
    /// The most characters of a text that a page shows.
    private static let longest = 60_000

    /// A value from outside: control characters are visible, and its direction does not affect the text around it.
    static func value(_ text: String, limit: Int = 400) -> HTML {
        let text = text.count > limit ? String(text.prefix(limit)) + "…" : text
        return "<bdi>\(text.visible)</bdi>"
    }

    /// A name of several parts, such as an ARN: lines break after its slashes and colons.
    static func name(_ text: String, limit: Int = 400) -> HTML {
        let text = text.count > limit ? String(text.prefix(limit)) + "…" : text
        var pieces: [HTML] = []
        var piece = ""
        for character in text.visible.unicodeScalars.lazy.map(Character.init) {
            piece.append(character)
            guard character == "/" || character == ":" else { continue }
            pieces.append("\(piece)<wbr>")
            piece = ""
        }
        return "<bdi>\(pieces)\(piece)</bdi>"
    }

    /// Lines of code with a button that copies them.
    /// - Parameters:
    ///   - id: unique in the page.
    ///   - label: names the block for screen readers.
    static func code(_ text: String, id: String, label: String) -> HTML {
        """
        <div class="code"><pre id="\(id)" tabindex="0" role="region" aria-label="\(label)">\(lines(text))</pre>\
        <button type="button" class="copy small" data-copy="\(id)" aria-label="Copy \(label)" hidden>Copy</button></div>

        """
    }

    /// The calls of the control API, or of a service, with which a program gets what the page shows.
    static func calls(_ text: String) -> HTML {
        "<details class=\"fold\"><summary>API calls of this page</summary>\n\(code(text, id: "call", label: "the calls"))</details>"
    }

    /// A secret, which is folded until the user opens it.
    static func secret(_ text: String, id: String, label: String) -> HTML {
        "<details class=\"fold\"><summary>Show \(label)</summary>\(code(text, id: id, label: label))</details>\n"
    }

    /// Returns a text of several lines without control characters.
    static func lines(_ text: String) -> String {
        let shown = text.count > longest ? String(text.prefix(longest)) : text
        let lines = shown.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line).replacing("\t", with: "    ").visible
        }
        return lines.joined(separator: "\n") + (text.count > longest ? "\n… \(text.count - longest) more characters" : "")
    }

    /// A box for an error.
    static func refusal(_ refusal: ConsoleRefusal) -> HTML {
        """
        <section class="error" role="alert" tabindex="-1" data-focus aria-labelledby="refusal">
        <h1 id="refusal">\(title(of: refusal.code))</h1>
        <p>\(value(refusal.message, limit: 2_000))</p>
        \(advice(for: refusal.code))<p class="soft">Code: <code>\(refusal.code.visible)</code></p>
        <p><a href="\(Visit.path("/"))">Back to Home</a></p>
        </section>

        """
    }

    private static func title(of code: String) -> String {
        switch code {
        case "closed", "control_closed": "The control API is closed"
        case "not_found": "There is no such page"
        default: "That did not work"
        }
    }

    private static func advice(for code: String) -> HTML {
        switch code {
        case "closed", "control_closed":
            """
            <p>Other machines can reach this server, so its console needs a token. Start it with one, or let it listen at loopback only:</p>
            \(Parts.code("virga serve --host 0.0.0.0 --control-token choose-one\nvirga serve", id: "open", label: "the commands"))
            """
        default: ""
        }
    }

    /// A status as word and sign, not only as color.
    static func outcome(_ outcome: Outcome) -> HTML {
        "<span class=\"outcome \(outcome.kind)\"><span aria-hidden=\"true\">\(outcome.sign)</span> \(outcome.word)</span>"
    }

    /// A local time of day in a table.
    static func time(_ text: String) -> HTML {
        "<time datetime=\"\(text)\">\(String(text.dropFirst(11).prefix(12)))</time>"
    }
}
