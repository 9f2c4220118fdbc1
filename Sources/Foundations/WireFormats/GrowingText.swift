/// A buffer for UTF-8 text that is being written: the first `end` bytes are text, the rest is room, which is checked once per append.
struct GrowingText: Sendable {
    private var storage: [UInt8]
    private var end = 0

    /// Creates an empty buffer.
    /// - Parameter capacity: the approximate size of the text in bytes.
    init(capacity: Int) { storage = Self.room(max(capacity, 64)) }

    /// The text so far.
    var bytes: [UInt8] { Array(storage[..<end]) }

    /// The byte that was written last, or `nil` if there is none.
    var last: UInt8? { end > 0 ? storage[end - 1] : nil }

    /// Calls `body` with the text so far, without copying it.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    }

    /// Appends what `write` writes, which must be at most `count` bytes.
    @inline(__always)
    mutating func append(atMost count: Int, _ write: (inout Room) -> Void) {
        if storage.count - end < count { storage += Self.room(max(storage.count, count)) }
        end += storage.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            var room = Room(start + end)
            write(&room)
            return room.count
        }
    }

    /// Returns uninitialized bytes. Clearing them would waste time: only bytes that have been written are read.
    private static func room(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { $1 = count }
    }

    /// A region of the buffer that is large enough for the bytes to be written.
    struct Room {
        private let start: UnsafeMutableRawPointer
        private(set) var count = 0

        fileprivate init(_ start: UnsafeMutableRawPointer) { self.start = start }

        @inline(__always)
        mutating func put(_ byte: UInt8) {
            start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }

        @inline(__always)
        mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let base = bytes.baseAddress else { return }
            (start + count).copyMemory(from: base, byteCount: bytes.count)
            count += bytes.count
        }

        /// Writes a decimal number, which takes up to 20 bytes.
        mutating func put(decimal number: Int64) {
            if number < 0 { put(0x2D) }
            var rest = number.magnitude
            var length = 1
            while rest >= 10 {
                rest /= 10
                length += 1
            }
            rest = number.magnitude
            for place in (count..<count + length).reversed() {
                start.storeBytes(of: 0x30 + UInt8(rest % 10), toByteOffset: place, as: UInt8.self)
                rest /= 10
            }
            count += length
        }

        /// Writes bytes in lower-case hexadecimal.
        mutating func put(hexOf bytes: [UInt8]) {
            for byte in bytes {
                // Both digits at once. Letters are 39 places after the digits that they follow.
                let digits = UInt16(byte >> 4) | UInt16(byte & 15) << 8
                let letters = (digits &+ 0x0606) >> 4 & 0x0101
                start.storeBytes(of: (digits &+ 0x3030 &+ letters &* 0x27).littleEndian, toByteOffset: count, as: UInt16.self)
                count += 2
            }
        }

        mutating func put(_ text: StaticString) {
            put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
    }
}
