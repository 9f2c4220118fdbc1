import NIOCore
import NIOSSL
import WireFormats

/// Closes TLS connections that the client or the process ends while no request needs a response.
///
/// An HTTP/1.1 client may close its direction and still read responses. An HTTP/2 client that has closed its direction can no longer open
/// the flow-control window, and before the handshake completes no response is possible. In both states the connection closes when the
/// client's direction does.
final class TLSEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    enum Stage {
        case handshake
        case http1
        case http2
    }

    var stage = Stage.handshake
    private let timeout: TimeAmount
    private var timer: Scheduled<Void>?

    /// - Parameter timeout: how long the handshake may take.
    init(timeout: TimeAmount) { self.timeout = timeout }

    func handlerAdded(context: ChannelHandlerContext) {
        let end = NIOLoopBound(self, eventLoop: context.eventLoop)
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: timeout) {
            if end.value.stage == .handshake { channel.pipeline.closeAtOnce() }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        switch (event, stage) {
        case (ChannelEvent.inputClosed, .handshake), (is ChannelShouldQuiesceEvent, .handshake): context.channel.pipeline.closeAtOnce()
        case (ChannelEvent.inputClosed, .http2): context.channel.close(promise: nil)
        default: break
        }
    }

    /// Closes the connection after a TLS error or an unclean shutdown; such a client confirms nothing.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        if error is NIOSSLError || error is BoringSSLError { context.channel.pipeline.closeAtOnce() }
    }
}
