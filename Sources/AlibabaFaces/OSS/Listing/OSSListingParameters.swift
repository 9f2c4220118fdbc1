import WireFormats

/// What the listings of keys, versions and uploads are asked with alike. (OSS API Reference, "ListObjects".)
struct OSSListingParameters: Equatable {
    private static let longestText = 1024
    private static let texts = ["prefix", "delimiter", "marker", "start-after", "key-marker"]

    var prefix: String
    /// Nothing where keys are not to be rolled up.
    var delimiter: String?
    /// Whether keys are percent-encoded in the answer, so that every one of them can stand in XML.
    var isEncoded: Bool
    /// 1 to 1,000.
    var limit: Int

    /// - Parameters:
    ///   - limitName: the parameter that limits a page.
    ///   - standard: how long a page is where nobody says.
    /// - Throws: `InvalidArgument`.
    init(_ query: FormFields, limitName: String, standard: Int) throws(OSSError) {
        prefix = query["prefix"] ?? ""
        delimiter = query["delimiter"].flatMap { $0.isEmpty ? nil : $0 }
        limit = try Self.limit(query[limitName], name: limitName, standard: standard)
        for name in Self.texts {
            guard let text = query[name], text.utf8.count > Self.longestText else { continue }
            throw .invalidArgument("The length of \(name) is invalid.", name: name, value: text)
        }
        switch query["encoding-type"] {
        case nil, "": isEncoded = false
        case let name? where name.lowercased() == "url": isEncoded = true
        case let other?: throw .invalidArgument("Invalid Encoding Method specified in Request", name: "encoding-type", value: other)
        }
    }

    /// A key, prefix or marker as the answer spells it.
    func spelled(_ text: String) -> String { isEncoded ? percentEncoded(text, keepingSlash: true) : text }

    /// A count from 1 on.
    static func limit(_ text: String?, name: String, standard: Int = 100, most: Int = 1000) throws(OSSError) -> Int {
        guard let text, !text.isEmpty else { return standard }
        guard let number = Int(text), (1...most).contains(number) else {
            throw .invalidArgument("Argument \(name) must be an integer between 1 and \(most).", name: name, value: text)
        }
        return number
    }
}
