import HTTPTypes
import WireFormats

/// The object, and optionally its version, in `x-amz-copy-source`. (S3 API Reference, CopyObject.)
struct CopySourceAddress: Hashable {
    var bucket: String
    var key: String
    var version: String?

    /// Parses `bucket/key`, with an optional leading slash and an optional `?versionId=`. It is form-encoded: a plus sign is a space. In a
    /// complete URL, which S3 accepts as well (observed), only the path is used.
    /// - Throws: `InvalidArgument`.
    init(header: String) throws(S3Error) {
        var path = Self.pathOfURL(header) ?? header[...]
        if let mark = path.range(of: "?versionId=") {
            version = String(path[mark.upperBound...])
            path = path[..<mark.lowerBound]
        }
        let spaced = path.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let decoded = percentDecoded(String(decoding: spaced, as: UTF8.self)) else {
            throw Self.fault("Invalid copy source encoding")
        }
        let address = decoded.utf8.first == UInt8(ascii: "/") ? decoded.dropFirst() : decoded[...]
        let slash = address.utf8.firstIndex(of: UInt8(ascii: "/")) ?? address.endIndex
        bucket = String(address[..<slash])
        key = String(Substring(address.utf8[slash...].dropFirst()))
        guard S3Operation.isPlausible(bucketName: bucket) else { throw Self.fault("Invalid copy source bucket name") }
        guard !key.isEmpty else { throw Self.fault("Invalid copy source object key") }
    }

    /// Returns the text after the authority of an `http` or `https` URL; `nil` for other text.
    private static func pathOfURL(_ text: String) -> Substring? {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard ["http", "https"].contains(String(Substring(scheme)).lowercased()) else { return nil }
        let rest = text.utf8[scheme.endIndex...]
        guard rest.starts(with: "://".utf8) else { return nil }
        return Substring(rest.dropFirst(3).drop { $0 != UInt8(ascii: "/") })
    }

    private static func fault(_ message: String) -> S3Error {
        // S3 repeats the name of the header in place of its value.
        .invalidArgument(message, name: "x-amz-copy-source", value: "x-amz-copy-source")
    }
}

extension Substring {
    /// Returns the first range of an ASCII text.
    fileprivate func range(of text: StaticString) -> Range<Index>? {
        text.withUTF8Buffer { text in
            var start = startIndex
            while start < endIndex {
                if utf8[start...].starts(with: text) {
                    return start..<utf8.index(start, offsetBy: text.count)
                }
                start = utf8.index(after: start)
            }
            return nil
        }
    }
}
