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
    private let begun = ContinuousClock.now

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

    /// Waits until the limit allows the given number of bytes since it was created.
    func wait(until count: Int64) async throws {
        try await Task.sleep(until: begun + .microseconds(Double(count) * 8_000_000 / Double(bitsPerSecond)), clock: .continuous)
    }
}

extension OSSRequest {
    /// Returns the limit that the request specifies; `nil` if it specifies none.
    /// - Throws: `InvalidArgument`.
    func trafficLimit() throws(OSSError) -> TrafficLimit? {
        guard let text = headers.value(of: .ossTrafficLimit) ?? query["x-oss-traffic-limit"] else { return nil }
        return try TrafficLimit(text)
    }
}

extension ResponseBody {
    /// Creates a body with the content of an object or a range of it, sent within a bandwidth limit.
    init(_ stored: StoredObject, _ range: Range<Int64>?, at limit: TrafficLimit) {
        let length = range.map { Int64($0.count) } ?? stored.record.size
        let pieces = stored.bytes(in: range)
        self.init(contentLength: Int(length)) { writer in
            var sent: Int64 = 0
            for try await var piece in pieces {
                while let slice = piece.readSlice(length: min(limit.stride, piece.readableBytes)), slice.readableBytes > 0 {
                    sent += Int64(slice.readableBytes)
                    try await limit.wait(until: sent)
                    try await writer.write(slice)
                }
            }
            try await writer.finish(nil)
        }
    }
}
