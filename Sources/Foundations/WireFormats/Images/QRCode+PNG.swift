extension QRCode {
    /// Returns the code as a PNG image, black on white, with the margin that readers need.
    /// - Parameter scale: the side of a module in pixels.
    package func png(scale: Int = 4) -> [UInt8] {
        let margin = 4
        let side = (size + 2 * margin) * scale
        return PNG.image(width: side, height: side) { x, y in
            let (column, row) = (x / scale - margin, y / scale - margin)
            let isInside = (0..<size).contains(column) && (0..<size).contains(row)
            return isInside && isDark(column, row)
        }
    }
}
