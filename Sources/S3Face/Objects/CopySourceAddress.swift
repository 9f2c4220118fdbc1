import HTTPTypes
import WireFormats

/// What `x-amz-copy-source` names: an object, and perhaps a version of it. (S3 API Reference, CopyObject.)
struct CopySourceAddress: Hashable {
    var bucket: String
    var key: String
    var version: String?

    /// Reads `bucket/key`, with or without a slash before it, encoded as in a form: a plus sign is a space. `?versionId=` may
    /// follow. Of a whole URL, which S3 takes as well (observed of it), the path counts and the host does not.
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
        guard let slash = address.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            throw Self.fault("Invalid copy source object key")
        }
        bucket = String(address[..<slash])
        key = String(Substring(address.utf8[slash...].dropFirst()))
        guard !bucket.isEmpty else { throw Self.fault("Invalid copy source bucket name") }
        guard !key.isEmpty else { throw Self.fault("Invalid copy source object key") }
    }

    /// What follows the authority of an `http` or `https` URL; `nil` for any other text.
    private static func pathOfURL(_ text: String) -> Substring? {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard ["http", "https"].contains(String(Substring(scheme)).lowercased()) else { return nil }
        let rest = text.utf8[scheme.endIndex...]
        guard rest.starts(with: "://".utf8) else { return nil }
        return Substring(rest.dropFirst(3).drop { $0 != UInt8(ascii: "/") })
    }

    private static func fault(_ message: String) -> S3Error {
        // The service repeats the name of the header where other answers have its value.
        .invalidArgument(message, name: "x-amz-copy-source", value: "x-amz-copy-source")
    }
}

extension Substring {
    /// The first place of a text of ASCII characters.
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
