import SQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a listing treats the keys it meets: by a prefix they must have and a delimiter that rolls them up.
/// All comparisons are of UTF-8 bytes. S3 User Guide, "Organizing objects using prefixes".
struct KeyRollup {
    enum Place: Equatable {
        /// The key lacks the prefix; no later key has it.
        case beyondPrefix
        case entry
        /// The key belongs to the common prefix that is so many bytes of it.
        case commonPrefix(length: Int)
    }

    private let prefix: [UInt8]
    private let delimiter: [UInt8]

    init(prefix: String, delimiter: String?) {
        self.prefix = Array(prefix.utf8)
        self.delimiter = Array((delimiter ?? "").utf8)
    }

    /// The least key, or what could be one, at which a listing after `marker` begins.
    func start(after marker: String?) -> [UInt8] {
        let marker = Array((marker ?? "").utf8)
        if marker.isEmpty || marker.lexicographicallyPrecedes(prefix) { return prefix }
        // Past a common prefix as a whole; past a key to what follows it directly.
        if marker.withUnsafeBytes(place) == .commonPrefix(length: marker.count) { return Self.successor(ofKeysWith: marker) }
        return marker + [0]
    }

    /// Of keys that come in order, starting with ``start(after:)``.
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

    /// Walks the rows of a listing, which come in the order of their keys, until the page is full or the prefix ends.
    /// - Parameters:
    ///   - rows: bound, and not stepped yet.
    ///   - column: the place of the key in a row.
    ///   - limit: the number of entries that the page can have.
    ///   - seek: binds the key at which the rows go on after a common prefix.
    ///   - commonPrefix: takes a common prefix as an entry.
    ///   - entry: takes a row as an entry.
    /// - Returns: whether there are more entries than the page can have.
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

    /// The least sequence of bytes above every key that begins with `prefix`.
    static func successor(ofKeysWith prefix: [UInt8]) -> [UInt8] {
        // UTF-8 has no byte 0xff, so the last byte can always be raised.
        guard let last = prefix.last else { return [0xff] }
        var successor = prefix
        if last < 0xff { successor[successor.count - 1] = last + 1 }
        return successor
    }
}
