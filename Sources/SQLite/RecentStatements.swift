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

    /// The statement of a text, if it was the last to be set at its place.
    subscript(text: String) -> CachedStatement? {
        get {
            guard let (address, count) = Self.address(of: text), let place = places[Self.index(of: address)],
                place.address == address, place.count == count
            else { return nil }
            return place.statement
        }
        set {
            guard let newValue, let (address, count) = Self.address(of: text) else { return }
            places[Self.index(of: address)] = Place(address: address, count: count, text: text, statement: newValue)
        }
    }

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
