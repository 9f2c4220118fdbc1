import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectStore
import WireFormats

/// The maximum bandwidth of one request's content. (OSS User Guide, "Single-connection bandwidth throttling".)
struct TrafficLimit: Hashable, Sendable {
    /// 100 KB/s to 100 MB/s, in bits per second.
    static let allowed: ClosedRange<Int64> = 819_200...838_860_800

    var bitsPerSecond: Int64

    /// Parses the value of `x-oss-traffic-limit`.
    /// - Throws: `InvalidArgument`.
    init(_ text: String) throws(OSSError) {
        guard let number = Int64(digits: text), Self.allowed.contains(number) else {
            throw .invalidArgument("The traffic limit is out of range.", name: "x-oss-traffic-limit", value: text)
        }
        bitsPerSecond = number
    }

    /// The number of bytes that are sent at once: a tenth of a second's.
    var stride: Int { Int(bitsPerSecond / 80) }

    /// The shortest time in which a number of bytes may be transferred.
    func duration(of count: Int64) -> Duration { .microseconds(Double(count) * 8_000_000 / Double(bitsPerSecond)) }
}

/// One transfer within a bandwidth limit.
struct LimitedTransfer: Sendable {
    /// Waits until an instant.
    typealias Wait = @Sendable (ContinuousClock.Instant) async throws -> Void

    let limit: TrafficLimit
    let wait: Wait
    private let begun = ContinuousClock.now

    /// Begins the transfer.
    init(_ limit: TrafficLimit, wait: @escaping Wait) {
        self.limit = limit
        self.wait = wait
    }

    /// Waits until the limit allows the given number of bytes since the beginning.
    func wait(until count: Int64) async throws { try await wait(begun + limit.duration(of: count)) }
}

extension ResponseBody {
    /// Creates a body with the content of an object or a range of it, sent within a bandwidth limit.
    init(_ stored: StoredObject, _ range: Range<Int64>?, at limit: TrafficLimit, wait: @escaping LimitedTransfer.Wait) {
        let length = range.map { Int64($0.count) } ?? stored.record.size
        let pieces = stored.bytes(in: range)
        self.init(contentLength: Int(length)) { writer in
            let transfer = LimitedTransfer(limit, wait: wait)
            var sent: Int64 = 0
            var iterator = pieces.makeAsyncIterator()
            while sent < length, var piece = try await iterator.next(for: &writer) {
                while let slice = piece.readSlice(length: min(limit.stride, piece.readableBytes)), slice.readableBytes > 0 {
                    sent += Int64(slice.readableBytes)
                    try await transfer.wait(until: sent)
                    try await writer.write(slice)
                }
            }
            try await writer.finish(nil)
        }
    }
}
