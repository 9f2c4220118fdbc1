/// A small cache of statements, keyed by the address of their text. Constants of the program never move.
///
/// An entry also holds the text, so that no other text can be allocated at the same address.
struct RecentStatements {
    private struct Place {
        var address: UnsafePointer<UInt8>
        var count: Int
        var text: String
        var statement: CachedStatement
    }

    /// A power of two, several times the number of statements that a connection uses constantly.
    private static let count = 128
    private var places: [Place?] = Array(repeating: nil, count: Self.count)

    /// The cached statement of a text, if no more than one other text has taken its places since it was set.
    subscript(text: String) -> CachedStatement? {
        get {
            guard let (address, count) = Self.address(of: text) else { return nil }
            let index = Self.index(of: address)
            return statement(at: index, address, count) ?? statement(at: Self.neighbour(of: index), address, count)
        }
        set {
            guard let newValue, let (address, count) = Self.address(of: text) else { return }
            let index = Self.index(of: address)
            // If two texts in use have the same index, both stay cached.
            if let older = places[index], older.address != address { places[Self.neighbour(of: index)] = older }
            places[index] = Place(address: address, count: count, text: text, statement: newValue)
        }
    }

    private func statement(at index: Int, _ address: UnsafePointer<UInt8>, _ count: Int) -> CachedStatement? {
        guard let place = places[index], place.address == address, place.count == count else { return nil }
        return place.statement
    }

    private static func neighbour(of index: Int) -> Int { index ^ 1 }

    private static func index(of address: UnsafePointer<UInt8>) -> Int {
        // String storage is aligned to 16 bytes; strings allocated together have adjacent addresses.
        let bits = UInt(bitPattern: address)
        return Int(truncatingIfNeeded: bits >> 4 ^ bits >> 11) & (count - 1)
    }

    /// Returns `nil` for texts of up to 15 bytes, which are stored inside the `String` value itself.
    private static func address(of text: String) -> (UnsafePointer<UInt8>, Int)? {
        let count = text.utf8.count
        guard count > 15, let address = text.utf8.withContiguousStorageIfAvailable({ $0.baseAddress }) ?? nil else { return nil }
        return (address, count)
    }
}
