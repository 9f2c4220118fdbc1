import Calls

extension QRCode {
    /// The light modules around a symbol. (ISO/IEC 18004:2015 section 6.3.8.)
    private static let margin = 4

    /// A picture that readers accept in both color schemes.
    /// - Parameter label: describes it for screen readers.
    func html(label: String) -> HTML {
        let side = String(size + 2 * Self.margin)
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while x < size, self[x, y] { x += 1 }
                if x > start { path += "M\(start + Self.margin) \(y + Self.margin)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        return """
            <svg class="pic qr" viewBox="0 0 \(side) \(side)" role="img" aria-label="\(label)" shape-rendering="crispEdges">\
            <rect width="\(side)" height="\(side)" fill="#fff"/><path fill="#000" d="\(path)"/></svg>

            """
    }
}
