import SQLite
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The rules by which a listing filters and groups keys: a prefix, and a delimiter for common prefixes.
/// Keys are compared as UTF-8 bytes. (S3 User Guide, "Organizing objects using prefixes".)
struct KeyRollup {
    enum Place: Equatable {
        /// The key does not have the prefix, and no later key has it.
        case beyondPrefix
        case entry
        /// The key belongs to a common prefix of the given length in bytes.
        case commonPrefix(length: Int)
    }

    private let prefix: [UInt8]
    private let delimiter: [UInt8]

    init(prefix: String, delimiter: String?) {
        self.prefix = Array(prefix.utf8)
        self.delimiter = Array((delimiter ?? "").utf8)
    }

    /// Returns the smallest byte sequence at which a listing after `marker` begins.
    func start(after marker: String?) -> [UInt8] {
        let marker = Array((marker ?? "").utf8)
        if marker.isEmpty || marker.lexicographicallyPrecedes(prefix) { return prefix }
        // The listing skips a whole common prefix, or continues directly after a key.
        if marker.withUnsafeBytes(place) == .commonPrefix(length: marker.count) { return Self.successor(ofKeysWith: marker) }
        return marker + [0]
    }

    /// Returns how a key is listed. Keys must be in order, beginning with ``start(after:)``.
    func place(of key: UnsafeRawBufferPointer) -> Place {
        guard key.starts(with: prefix) else { return .beyondPrefix }
        guard let first = delimiter.first else { return .entry }
        var start = prefix.count
        while key.count - start >= delimiter.count, let base = key.baseAddress,
            let found = memchr(base + start, Int32(first), key.count - start)
        {
            let offset = UnsafeRawPointer(found) - base
            if key[offset...].starts(with: delimiter) { return .commonPrefix(length: offset + delimiter.count) }
            start = offset + 1
        }
        return .entry
    }

    /// Visits the rows of a listing, which are ordered by key, until the page is full or the prefix ends.
    /// - Parameters:
    ///   - rows: the statement, with bound parameters and before its first step.
    ///   - column: the column of the key.
    ///   - limit: the maximum number of entries of the page.
    ///   - seek: binds the key at which the rows continue after a common prefix.
    ///   - commonPrefix: adds a common prefix to the page.
    ///   - entry: adds a row to the page.
    /// - Returns: whether there are further entries.
    func walk(
        _ rows: PreparedStatement, key column: Int32, limit: Int, seek: ([UInt8]) throws -> Void,
        commonPrefix: (String) -> Void, entry: (Row) throws -> Void
    ) throws -> Bool {
        var count = 0
        while let row = try rows.step() {
            let place = row.withBlob(column, place)
            if place == .beyondPrefix { return false }
            if count == limit { return true }
            count += 1
            guard case .commonPrefix(let length) = place else {
                try entry(row)
                continue
            }
            let prefix = row.withBlob(column) { Array($0.prefix(length)) }
            commonPrefix(String(decoding: prefix, as: UTF8.self))
            rows.reset()
            try seek(Self.successor(ofKeysWith: prefix))
        }
        return false
    }

    /// Returns the smallest byte sequence that is greater than every key with `prefix`.
    static func successor(ofKeysWith prefix: [UInt8]) -> [UInt8] {
        // UTF-8 has no byte 0xff, so the last byte can always be incremented.
        guard let last = prefix.last else { return [0xff] }
        var successor = prefix
        if last < 0xff { successor[successor.count - 1] = last + 1 }
        return successor
    }
}
