extension String {
    /// Whether XML allows every character of the text: no control characters except tab and line ends. (XML 1.0, section 2.2.)
    package var isXMLText: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20..<0xFFFE, 0x10000...: true
            default: false
            }
        }
    }
}
