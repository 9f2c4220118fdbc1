import ObjectServing
import WireFormats

/// The query parameters of a listing. (OSS API Reference, "ListObjects".)
extension ListingParameters {
    private static let longestText = 1024
    private static let texts = ["prefix", "delimiter", "marker", "start-after", "key-marker"]

    /// Parses the query.
    /// - Parameters:
    ///   - limitName: the name of the parameter that limits the size of a page.
    ///   - standard: the default size of a page.
    /// - Throws: `InvalidArgument`.
    init(_ query: FormFields, limitName: String, standard: Int) throws(OSSError) {
        let limit = try Self.limit(query[limitName], name: limitName, standard: standard)
        for name in Self.texts {
            guard let text = query[name], text.utf8.count > Self.longestText else { continue }
            throw .invalidArgument("The length of \(name) is invalid.", name: name, value: text)
        }
        let encoding: KeyEncoding
        switch query["encoding-type"] {
        case nil, "": encoding = .plain
        case let name? where name.lowercased() == "url": encoding = .percent
        case let other?: throw .invalidArgument("Invalid Encoding Method specified in Request", name: "encoding-type", value: other)
        }
        self.init(
            prefix: query["prefix"] ?? "", delimiter: query["delimiter"].flatMap { $0.isEmpty ? nil : $0 }, encoding: encoding,
            limit: limit)
    }

    /// Parses the maximum size of a page, which is at least 1.
    static func limit(_ text: String?, name: String, standard: Int = 100, most: Int = 1000) throws(OSSError) -> Int {
        guard let text, !text.isEmpty else { return standard }
        guard let number = Int(digits: text), (1...most).contains(number) else {
            throw .invalidArgument("Argument \(name) must be an integer between 1 and \(most).", name: name, value: text)
        }
        return number
    }
}
