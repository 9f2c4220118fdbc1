import WireFormats

/// Writes metrics in one of the two text formats of Prometheus. (Prometheus, "Exposition formats"; OpenMetrics 1.0.)
struct Exposition {
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// Whether the format is OpenMetrics.
    let isOpenMetrics: Bool
    private(set) var text = ""

    init(isOpenMetrics: Bool) { self.isOpenMetrics = isOpenMetrics }

    /// Begins a family of samples.
    /// - Parameter name: the name; a counter's ends with `_total`.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        // In OpenMetrics, the suffix belongs to the sample and not to the family.
        let family = isOpenMetrics && kind == .counter ? String(name.dropLast("_total".count)) : name
        text += "# HELP \(family) \(Self.escaped(help, quotes: isOpenMetrics))\n# TYPE \(family) \(kind.rawValue)\n"
    }

    /// Adds a sample.
    mutating func add(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.key)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// Adds a family of one sample.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        begin(name, kind, help)
        add(name, [:], "\(value)")
    }

    /// Adds a family of one sample in seconds.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, seconds: Double) {
        begin(name, kind, help)
        add(name, [:], "\(seconds)")
    }

    /// Returns the whole document.
    consuming func finish() -> String { isOpenMetrics ? text + "# EOF\n" : text }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

extension Duration {
    /// The number of seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
