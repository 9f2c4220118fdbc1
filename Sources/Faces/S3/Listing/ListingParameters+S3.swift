import Cloud
import Federation
import ObjectServing
import ObjectStore
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

        /// Refuses a negative number, for which S3 has three texts. (brekkylab/backlot#192, versity/versitygw#1809.)
        func check(_ parameters: ListingParameters) throws(S3Error) {
            let number = parameters.requested
            guard number < 0 else { return }
            switch self {
            case .versions: throw S3Error(.invalidArgument, "max-keys cannot be negative", ["ArgumentName": name])
            case .keys: throw .notInRange(number, "maxKeys")
            case .uploads, .parts: throw .notInRange(number, name)
            }
        }
    }

    /// Parses the query. Whether the limit is negative is checked with ``PageLimit/check(_:)``, because S3 does it last.
    ///
    /// S3 repeats the limit as requested, even if it is greater than 1,000. (brekkylab/backlot, measured 2026-09-14.)
    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields, _ page: PageLimit) throws(S3Error) {
        let query = fields.query
        let number = Int(try S3Number.parse(query[page.name], name: page.name) ?? 1000)
        let encodingName = query["encoding-type"]
        self.init(
            prefix: query["prefix"] ?? "", delimiter: query["delimiter"].flatMap { $0.isEmpty ? nil : $0 },
            encoding: try Self.encoding(encodingName, fields.dialect), limit: max(0, min(number, 1000)),
            requested: fields.dialect == .aws ? number : min(number, 1000), encodingName: encodingName ?? "url")
    }

    /// Parses `encoding-type`, in any case. (brekkylab/backlot, measured in S3.)
    static func encoding(_ name: String?, _ dialect: Dialect) throws(S3Error) -> KeyEncoding {
        guard let name else { return .plain }
        guard name == "url" || dialect == .aws && name.lowercased() == "url" else {
            throw .invalidArgument("Invalid Encoding Method specified in Request", name: "encoding-type", value: name)
        }
        return dialect == .ceph ? .percent : .form
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

    /// Returns the part number after which a listing of parts continues; 0 if there is none.
    /// - Parameter name: the header or parameter that carries it.
    static func partNumberMarker(_ text: String?, name: String) throws(S3Error) -> Int {
        let number = Int(try S3Number.parse(text, name: name) ?? 0)
        guard number >= 0 else { throw .notInRange(number, name) }
        return number
    }
}

/// A number in a query or header.
enum S3Number {
    /// Parses a number of 32 bits; `nil` if it is absent or empty.
    /// - Throws: `InvalidArgument`.
    static func parse(_ text: String?, name: String) throws(S3Error) -> Int32? {
        guard let text, !text.isEmpty else { return nil }
        guard let number = Int32(decimal: text) else {
            throw .invalidArgument("Provided \(name) not an integer or within integer range", name: name, value: text)
        }
        return number
    }
}

extension S3Error {
    fileprivate static func notInRange(_ number: Int, _ name: String) -> S3Error {
        .invalidArgument("Argument \(name) must be an integer between 0 and 2147483647", name: name, value: String(number))
    }
}

extension S3Request {
    /// Returns a bucket whose contents the caller may list, and the parameters of the listing.
    func listed<Input: S3Input>(_ name: String, by action: S3Action, _: Input.Type) throws(S3Error) -> (bucket: Bucket, input: Input) {
        let bucket = try bucket(name)
        try authorize(action, on: bucket)
        return (bucket, try input())
    }
}
