import NIOCore
import WireFormats

/// Ends an HTTP/2 connection whose client sends far more WINDOW_UPDATE frames than the server sends frames. The handler of the protocol limits
/// the other frames without a use, but not these, and keeps those of a stream until the stream is read.
///
/// A client sends one or two for a frame that it received. (RFC 9113 section 6.9.)
final class WindowUpdateLimit: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    /// The updates without a sent frame: a client may open all its streams first, and change the windows of each.
    private static let allowance = 2000
    /// The further updates for each write of a frame.
    private static let perWrite = 10
    private static let windowUpdate: UInt8 = 8
    private static let headerLength = 9
    /// The length of the text that a client sends first. (RFC 9113 section 3.4.)
    private static let prefaceLength = 24

    private let onFlood: () -> Void
    private var left = allowance
    /// The bytes until the next header of a frame.
    private var rest = prefaceLength
    /// The bytes of the present header so far, and the length of its frame.
    private var position = 0
    private var length = 0

    /// - Parameter onFlood: called once, on the event loop; closes the connection. Further bytes are ignored.
    init(onFlood: @escaping () -> Void) { self.onFlood = onFlood }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard left >= 0 else { return }
        left -= unwrapInboundIn(data).withUnsafeReadableBytes { countUpdates(in: $0) }
        guard left >= 0 else { return onFlood() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if left >= 0 { left += Self.perWrite }
        context.write(data, promise: promise)
    }

    /// Returns the number of WINDOW_UPDATE frames that begin in the next bytes. (RFC 9113 section 4.1.)
    private func countUpdates(in bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var index = 0
        while index < bytes.count {
            guard rest == 0 else {
                let skipped = min(rest, bytes.count - index)
                rest -= skipped
                index += skipped
                continue
            }
            if position < 3 {
                length = length << 8 | Int(bytes[index])
            } else if position == 3, bytes[index] == Self.windowUpdate {
                count += 1
            }
            position += 1
            index += 1
            if position == Self.headerLength { (rest, position, length) = (length, 0, 0) }
        }
        return count
    }
}
