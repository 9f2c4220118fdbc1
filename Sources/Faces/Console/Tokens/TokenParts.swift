import Calls
import WireFormats

extension Parts {
    /// A token that is folded until the user opens it. The three parts of a signed JWT have a color each. (RFC 7515 section 7.1.)
    /// - Parameters:
    ///   - id: unique in the page.
    ///   - label: names the token for screen readers.
    static func token(_ text: String, id: String, label: String) -> HTML {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, text.utf8.count <= 20_000, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return secret(text, id: id, label: label)
        }
        return """
            <details class="fold"><summary>Show \(label)</summary>
            <div class="code"><pre id="\(id)" class="jwt" tabindex="0" role="region" aria-label="\(label)">\
            <span class="one">\(parts[0])</span>.<span class="two">\(parts[1])</span>.<span class="three">\(parts[2])</span></pre>\
            <button type="button" class="copy small" data-copy="\(id)" aria-label="Copy \(label)" hidden>Copy</button></div></details>

            """
    }
}
