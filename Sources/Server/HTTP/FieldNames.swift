import Directory
import HTTPTypes
import WireFormats

/// The names of common request headers, so that a connection does not validate and lowercase them each time.
///
/// They are lower-case constants, which are copied without reference counting. The table index is computed from the length and the first
/// and last letter, without hashing.
enum FieldNames {
    /// The meaning of a header for the message and its connection.
    enum Role {
        case host
        case contentLength
        case expect
        case upgrade
        case cookie
        case transferEncoding
        case other
    }

    private struct Known {
        let name: HTTPField.Name
        let role: Role

        /// Returns whether a name equals this one, ignoring case.
        func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            let isEqual = name.canonicalName.utf8.withContiguousStorageIfAvailable { text in
                guard text.count == bytes.count else { return false }
                for index in 0..<text.count where FieldNames.lowered(bytes[index]) != text[index] { return false }
                return true
            }
            return isEqual ?? false
        }
    }

    static let names: [(text: String, role: Role)] = [
        ("host", .host), ("user-agent", .other), ("accept", .other), ("accept-encoding", .other), ("connection", .other),
        ("content-length", .contentLength), ("content-type", .other), ("content-md5", .other), ("expect", .expect),
        ("authorization", .other), ("range", .other), ("if-match", .other), ("if-none-match", .other),
        ("if-modified-since", .other), ("if-unmodified-since", .other), ("transfer-encoding", .transferEncoding), ("cookie", .cookie),
        ("upgrade", .upgrade), ("origin", .other), ("x-amz-date", .other), ("x-amz-content-sha256", .other),
        ("x-amz-security-token", .other), ("amz-sdk-invocation-id", .other), ("amz-sdk-request", .other),
        ("x-amz-checksum-mode", .other), ("x-amz-decoded-content-length", .other), ("content-encoding", .other),
        ("x-amz-trailer", .other), ("x-amz-sdk-checksum-algorithm", .other), ("x-amz-checksum-crc32", .other),
    ]

    private static let places: [Known?] = {
        var places: [Known?] = Array(repeating: nil, count: 256)
        for (text, role) in names {
            guard let name = HTTPField.Name(text), let place = text.utf8.withContiguousStorageIfAvailable(place(of:)) else { continue }
            places[place] = Known(name: name, role: role)
        }
        return places
    }()

    /// - Returns: `nil` if the text is not a header name.
    static func name(_ text: String) -> (name: HTTPField.Name, role: Role)? {
        var text = text
        let known = text.withUTF8 { bytes -> (HTTPField.Name, Role)? in
            guard !bytes.isEmpty, let known = places[place(of: bytes)], known.matches(bytes) else { return nil }
            return (known.name, known.role)
        }
        return known ?? HTTPField.Name(text).map { ($0, .other) }
    }

    /// Returns the table index of a name. It is different for each of the names above; a test verifies that.
    static func place(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        (bytes.count &+ Int(lowered(bytes[0])) &* 10 &+ Int(lowered(bytes[bytes.count - 1]))) & 255
    }

    @inline(__always)
    private static func lowered(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}
