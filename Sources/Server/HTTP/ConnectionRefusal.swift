import NIOCore
import WireFormats

/// Answers a connection beyond the limit and closes it. A TLS connection is closed without a response.
final class ConnectionRefusal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long the client has to read the response.
    private static let lingering = TimeAmount.seconds(2)

    private let most: Int
    private let isSecure: Bool

    init(most: Int, isSecure: Bool) {
        self.most = most
        self.isSecure = isSecure
    }

    func channelActive(context: ChannelHandlerContext) {
        guard !isSecure else { return context.close(promise: nil) }
        let text = "This server accepts at most \(most) connections at once (--connections).\n"
        let answer =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n"
            + "Retry-After: 1\r\nConnection: close\r\n\r\n\(text)"
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            // The client's request is still arriving. Closing now would reset the connection before the response is read.
            channel.close(mode: .output, promise: nil)
        }
        context.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed || event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
    }
}
