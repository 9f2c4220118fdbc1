import NIOCore
import NIOSSL

/// Closes connections over TLS that the client, or the process, ends at a time when no request needs an answer.
///
/// A client of HTTP/1.1 may end its direction and still read answers. One of HTTP/2 that has ended its direction cannot read for
/// long, since it cannot open the window any more, and before the handshake is over nothing can be answered. In both states the
/// end of the client's direction is the end of the connection.
final class TLSEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    enum Stage {
        case handshake
        case http1
        case http2
    }

    var stage = Stage.handshake

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        switch (event, stage) {
        case (ChannelEvent.inputClosed, .handshake), (is ChannelShouldQuiesceEvent, .handshake): context.channel.pipeline.closeAtOnce()
        case (ChannelEvent.inputClosed, .http2): context.channel.close(promise: nil)
        default: break
        }
    }

    /// A client that is gone without a word (`uncleanShutdown`) confirms nothing, and neither does one that broke TLS.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        if error is NIOSSLError || error is BoringSSLError { context.channel.pipeline.closeAtOnce() }
    }
}
