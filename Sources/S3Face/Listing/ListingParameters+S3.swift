import Federation
import ObjectServing
import WireFormats

extension ListingParameters {
    /// The parameter that limits the size of a page.
    enum PageLimit {
        case keys, versions, uploads, parts

        var name: String {
            switch self {
            case .keys, .versions: "max-keys"
            case .uploads: "max-uploads"
            case .parts: "max-parts"
            }
        }

        /// Returns the error for a negative number, of which S3 has three texts. (brekkylab/backlot#192, versity/versitygw#1809.)
        func refusal(of number: Int32) -> S3Error {
            switch self {
            case .versions: S3Error(.invalidArgument, "max-keys cannot be negative", ["ArgumentName": name])
            case .keys: .notInRange(number, "maxKeys")
            case .uploads, .parts: .notInRange(number, name)
            }
        }
    }

    /// Parses the query. Whether the limit is negative is checked last.
    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields, _ page: PageLimit) throws(S3Error) {
        let query = fields.query
        let number = try Self.number(query[page.name], name: page.name) ?? 1000
        let encoding: KeyEncoding
        switch query["encoding-type"] {
        case nil: encoding = .plain
        case "url": encoding = fields.dialect == .ceph ? .percent : .form
        case let other?:
            throw .invalidArgument("Invalid Encoding Method specified in Request", name: "encoding-type", value: other)
        }
        guard number >= 0 else { throw page.refusal(of: number) }
        self.init(
            prefix: query["prefix"] ?? "", delimiter: query["delimiter"].flatMap { $0.isEmpty ? nil : $0 }, encoding: encoding,
            limit: min(Int(number), 1000))
    }

    /// Returns the position after which a listing continues: the marker, or the common prefix that contains it.
    func place(of marker: String) -> String {
        guard let delimiter, marker.utf8.starts(with: prefix.utf8) else { return marker }
        let (key, sought) = (Array(marker.utf8), Array(delimiter.utf8))
        var start = prefix.utf8.count
        while start + sought.count <= key.count {
            let end = start + sought.count
            if key[start..<end].elementsEqual(sought) { return String(decoding: key[..<end], as: UTF8.self) }
            start += 1
        }
        return marker
    }

    /// Parses a number; `nil` if it is absent or empty.
    private static func number(_ text: String?, name: String) throws(S3Error) -> Int32? {
        guard let text, !text.isEmpty else { return nil }
        guard let number = Int32(decimal: text) else {
            throw .invalidArgument("Provided \(name) not an integer or within integer range", name: name, value: text)
        }
        return number
    }

    /// Returns the part number after which a listing of parts continues; 0 if there is none.
    /// - Parameter name: the header or parameter that carries it.
    static func partNumberMarker(_ text: String?, name: String) throws(S3Error) -> Int {
        let number = try number(text, name: name) ?? 0
        guard number >= 0 else { throw .notInRange(number, name) }
        return Int(number)
    }
}

extension S3Error {
    fileprivate static func notInRange(_ number: Int32, _ name: String) -> S3Error {
        .invalidArgument("Argument \(name) must be an integer between 0 and 2147483647", name: name, value: String(number))
    }
}
