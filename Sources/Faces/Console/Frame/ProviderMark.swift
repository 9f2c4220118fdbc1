import Calls
import Directory
import WireFormats

extension Parts {
    /// The mark of an identity provider: its first letter on the color of its login page.
    static func mark(_ title: String, _ kind: IdentityProvider.Kind = .openIDConnect) -> HTML {
        let letter = title.visible.first { !$0.isWhitespace }.map { String($0).uppercased() } ?? "?"
        return """
            <svg class="pic badge" viewBox="0 0 28 28" aria-hidden="true"><circle cx="14" cy="14" r="14" fill="\(kind.descriptor.accent ?? "#17616b")"/>\
            <text x="14" y="19" text-anchor="middle">\(letter)</text></svg>
            """
    }
}
