import Calls

extension Parts {
    /// Parts of a page of which one is shown at a time.
    ///
    /// The tabs are radio buttons: they work without a script, and with the arrow keys. A browser that lacks `:has` shows all parts.
    /// - Parameters:
    ///   - parts: the title and the content of each part. The first part is shown at first.
    ///   - name: distinguishes the tabs from others on the page.
    ///   - label: names the choice for screen readers.
    static func tabs(_ parts: [(title: String, content: HTML)], name: String, label: String) -> HTML {
        let tabs = parts.enumerated().map { index, part -> HTML in
            let checked: HTML = index == 0 ? " checked" : ""
            return """
                <label class="tab"><input type="radio" name="\(name)" value="\(String(index))" autocomplete="off"\(checked)>\(part.title)</label>
                <div class="panel">\(part.content)</div>

                """
        }
        return "<div class=\"tabs\" role=\"group\" aria-label=\"\(label)\">\n\(tabs)</div>\n"
    }
}
