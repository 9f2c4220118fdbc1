extension String {
    /// Whether XML has every character of the text: it has no control characters but tab and the ends of lines. (XML 1.0, section 2.2.)
    package var isXMLText: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20..<0xFFFE, 0x10000...: true
            default: false
            }
        }
    }
}
