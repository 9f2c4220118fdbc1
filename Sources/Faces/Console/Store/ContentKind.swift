import WireFormats

/// How the content of an object may be shown. Everything that could contain a script is only downloaded.
enum ContentKind: Equatable {
    case text
    /// A type of pixel images.
    case image(String)
    case other

    private static let images = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]
    private static let texts = [
        "application/json", "application/xml", "application/javascript", "application/x-yaml", "application/yaml", "application/toml",
        "application/x-sh", "application/sql", "application/x-ndjson", "application/jsonl",
    ]

    /// - Parameter type: the value of `Content-Type`.
    init(_ type: String) {
        let name = String(type.prefix { $0 != ";" && $0 != "," }).lowercased().filter { $0 != " " && $0 != "\t" }
        if Self.images.contains(name) {
            self = .image(name)
        } else if name.hasPrefix("text/") || Self.texts.contains(name) || name.hasSuffix("+json") {
            self = .text
        } else {
            self = .other
        }
    }

    /// Whether a browser shows the content.
    var isShown: Bool { self != .other }
}
