/// A few statements by the address of their texts: constants of the program lie where they lie.
///
/// It holds the text too, so that no other text can come to lie at the address.
struct RecentStatements {
    private struct Place {
        var address: UnsafePointer<UInt8>
        var count: Int
        var text: String
        var statement: CachedStatement
    }

    /// A power of two, some times as many as a connection has statements that are asked for all the time.
    private static let count = 128
    private var places: [Place?] = Array(repeating: nil, count: Self.count)

    /// The statement of a text, if it was one of the last two to be set at its places.
    subscript(text: String) -> CachedStatement? {
        get {
            guard let (address, count) = Self.address(of: text) else { return nil }
            let index = Self.index(of: address)
            return statement(at: index, address, count) ?? statement(at: Self.neighbour(of: index), address, count)
        }
        set {
            guard let newValue, let (address, count) = Self.address(of: text) else { return }
            let index = Self.index(of: address)
            // Where two texts in use meet, both stay.
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
        // Storage of texts is aligned to 16 bytes; neighbours come from one allocation run.
        let bits = UInt(bitPattern: address)
        return Int(truncatingIfNeeded: bits >> 4 ^ bits >> 11) & (count - 1)
    }

    /// Nothing for texts of up to 15 bytes, which lie in the value itself.
    private static func address(of text: String) -> (UnsafePointer<UInt8>, Int)? {
        let count = text.utf8.count
        guard count > 15, let address = text.utf8.withContiguousStorageIfAvailable({ $0.baseAddress }) ?? nil else { return nil }
        return (address, count)
    }
}
