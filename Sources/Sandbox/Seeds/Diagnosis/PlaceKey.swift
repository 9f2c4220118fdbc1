import WireFormats

/// The lookup key of a path such as `accounts[0].name`: an incremental hash, so that the path of each value need not be stored.
struct PlaceKey: Hashable {
    private var first: UInt64 = 0xCBF2_9CE4_8422_2325
    private var second: UInt64 = 0x9E37_79B9_7F4A_7C15
    private(set) var isRoot = true

    init() {}

    init(_ path: String) {
        add(path)
    }

    mutating func add(_ byte: UInt8) {
        isRoot = false
        first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
        second = ((second << 7 | second >> 57) &+ UInt64(byte)) &* 0xD6E8_FEB8_6659_FD93
    }

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }

    /// Returns the key of a member of the object at this path.
    func member(_ name: String) -> PlaceKey {
        var key = self
        if !isRoot { key.add(UInt8(ascii: ".")) }
        key.add(name)
        return key
    }

    /// Returns the key of an element of the list at this path.
    func element(_ index: Int) -> PlaceKey {
        var key = self
        key.add("[\(index)]")
        return key
    }

    /// Returns the keys of the objects and lists that contain the value at `path`, from the outside in.
    static func enclosing(_ path: String) -> [PlaceKey] {
        var keys: [PlaceKey] = []
        var key = PlaceKey()
        for byte in path.utf8 {
            if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") { keys.append(key) }
            key.add(byte)
        }
        return [PlaceKey()] + keys
    }
}
