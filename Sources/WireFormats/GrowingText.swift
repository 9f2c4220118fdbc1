/// UTF-8 in the making: the text in its first `end` bytes, and room for more, so that each piece costs one look at the room.
struct GrowingText: Sendable {
    private var storage: [UInt8]
    private var end = 0

    /// - Parameter capacity: bytes that the text will have, roughly.
    init(capacity: Int) { storage = Self.room(max(capacity, 64)) }

    /// The text so far.
    var bytes: [UInt8] { Array(storage[..<end]) }

    /// The byte that was written last.
    var last: UInt8? { end > 0 ? storage[end - 1] : nil }

    /// Lends the text so far without copying it.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    }

    /// Appends what `write` writes, which must not be more than `count` bytes.
    @inline(__always)
    mutating func append(atMost count: Int, _ write: (inout Room) -> Void) {
        if storage.count - end < count { storage += Self.room(max(storage.count, count)) }
        end += storage.withUnsafeMutableBytes { bytes in
            var room = Room(UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
            write(&room)
            return room.count
        }
    }

    /// Bytes that are not worth the time to be cleared: none is read that has not been written.
    private static func room(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { $1 = count }
    }

    /// Room that is large enough for what is written into it.
    struct Room {
        private let room: UnsafeMutableRawBufferPointer
        private(set) var count = 0

        fileprivate init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

        @inline(__always)
        mutating func put(_ byte: UInt8) {
            room[count] = byte
            count += 1
        }

        @inline(__always)
        mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
            UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
            count += bytes.count
        }

        mutating func put(_ text: StaticString) {
            put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
    }
}
