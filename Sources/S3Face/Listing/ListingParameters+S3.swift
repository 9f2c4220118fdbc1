import Federation
import ObjectServing
import WireFormats

extension ListingParameters {
    /// Parses the query.
    /// - Parameter limitName: the name of the parameter that limits the size of a page.
    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields, limitName: String) throws(S3Error) {
        let query = fields.query
        let limit = try Self.limit(query[limitName], name: limitName)
        let encoding: KeyEncoding
        switch query["encoding-type"] {
        case nil: encoding = .plain
        case "url": encoding = fields.dialect == .ceph ? .percent : .form
        case let other?:
            throw .invalidArgument("Invalid Encoding Method specified in Request", name: "encoding-type", value: other)
        }
        self.init(
            prefix: query["prefix"] ?? "", delimiter: query["delimiter"].flatMap { $0.isEmpty ? nil : $0 }, encoding: encoding,
            limit: limit)
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

    /// Parses the maximum size of a page; 1,000 if it is absent or greater.
    static func limit(_ text: String?, name: String) throws(S3Error) -> Int {
        guard let text, !text.isEmpty else { return 1000 }
        guard let number = Int32(decimal: text) else {
            throw .invalidArgument("Provided \(name) not an integer or within integer range", name: name, value: text)
        }
        guard number >= 0 else {
            throw .invalidArgument("Argument \(name) must be an integer between 0 and 2147483647", name: name, value: text)
        }
        return min(Int(number), 1000)
    }

    /// Returns the part number after which a listing of parts continues; 0 if there is none.
    /// - Parameter name: the header or parameter that carries it.
    static func partNumberMarker(_ text: String?, name: String) throws(S3Error) -> Int {
        guard let text, !text.isEmpty else { return 0 }
        guard let number = Int32(decimal: text) else {
            throw .invalidArgument("Provided \(name) not an integer or within integer range", name: name, value: text)
        }
        guard number >= 0 else {
            throw .invalidArgument("Argument \(name) must be an integer between 0 and 2147483647", name: name, value: text)
        }
        return Int(number)
    }
}
