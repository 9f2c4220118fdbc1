import NIOCore
import NIOHPACK
import NIOHTTP2

/// Makes `:authority` the host of a stream's request. A request whose `Host` differs from it is malformed. (RFC 9113 section 8.3.1.)
///
/// The codec behind this handler would prefer `Host`, so that a proxy in front and this server could see different hosts.
final class StreamAuthority: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    /// The error for a request with two hosts.
    struct TwoHosts: Error {}

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .headers(var frame) = unwrapInboundIn(data), let authority = frame.headers.first(name: ":authority"),
            frame.headers.contains(name: "host")
        else { return context.fireChannelRead(data) }
        guard frame.headers["host"].allSatisfy({ $0.lowercased() == authority.lowercased() }) else {
            return context.fireErrorCaught(TwoHosts())
        }
        frame.headers.remove(name: "host")
        context.fireChannelRead(wrapInboundOut(.headers(frame)))
    }
}
