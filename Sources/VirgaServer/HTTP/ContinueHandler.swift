import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110 section 10.1.1), so that a client sends its body at once.
///
/// A request that was sent before the answers to earlier ones are complete is told when they are: an interim answer must not
/// stand in the middle of another.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Requests that have begun and whose answers have not ended.
    private var unanswered = 0
    /// Whether the newest request waits to be told.
    private var isExpected = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            unanswered += 1
            isExpected = head.headerFields[.expect]?.lowercased() == "100-continue"
            tell(context)
        } else {
            // Whoever sends a body without being told waits no longer.
            isExpected = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        context.write(data, promise: promise)
        if case .end = part {
            unanswered -= 1
            tell(context)
        }
    }

    private func tell(_ context: ChannelHandlerContext) {
        guard isExpected, unanswered == 1 else { return }
        isExpected = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
}
