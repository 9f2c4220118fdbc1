import Synchronization
import WireFormats

/// A cache with a fixed number of slots, in which a hash gives each value two places. A value that finds both taken replaces the older one.
///
/// It is in this module, because the compiler does not specialize generic types of another one. A lookup in a `BoundedCache` takes four times
/// as long, and every signed request needs two.
final class SlotCache<Value: Sendable>: Sendable {
    private let slots: Mutex<[Value?]>
    /// One less than the number of slots, which is a power of two.
    private let mask: Int

    /// - Parameter capacity: the number of values; rounded up to a power of two, and at least 2.
    init(capacity: Int) {
        var count = 2
        while count < capacity { count *= 2 }
        slots = Mutex(Array(repeating: nil, count: count))
        mask = count - 1
    }

    /// Returns the value with a hash that `isSought` confirms; `nil` if it is not cached.
    func value(_ hash: SlotHash, where isSought: (Value) -> Bool) -> Value? {
        slots.withLock { slots in
            let place = hash.value & mask
            if let value = slots[place], isSought(value) { return value }
            if let value = slots[place ^ 1], isSought(value) { return value }
            return nil
        }
    }

    /// Stores a value.
    func insert(_ value: Value, _ hash: SlotHash) {
        slots.withLock { slots in
            let place = hash.value & mask
            if let older = slots[place] { slots[place ^ 1] = older }
            slots[place] = value
        }
    }
}

/// A hash of bytes, eight at a time. Collisions only replace cached values, so it needs no secret.
struct SlotHash {
    private var state: UInt64 = 0

    /// The hash.
    var value: Int { Int(truncatingIfNeeded: state ^ state >> 29) }

    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        combine(UInt64(bytes.count))
        var position = 0
        while position + 8 <= bytes.count {
            combine(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position += 8
        }
        while position < bytes.count {
            combine(UInt64(bytes[position]))
            position += 1
        }
    }

    mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    private mutating func combine(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }
}
