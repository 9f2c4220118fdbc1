import Federation
import NIOCore
import NIOHPACK
import NIOHTTP2
import WireFormats

/// Makes `:authority` the host of a stream's request. A request whose `Host` differs from it is malformed, as is one whose host is invalid.
/// (RFC 9113 section 8.3.1.)
///
/// The codec behind this handler would prefer `Host`, so that a proxy in front and this server could see different hosts.
final class StreamAuthority: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    /// The error for a request with two hosts.
    struct TwoHosts: Error {}
    /// The error for a request whose host is not a `host[:port]`.
    struct InvalidHost: Error {}

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .headers(var frame) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if let host = frame.headers.first(name: ":authority") ?? frame.headers.first(name: "host"), !Authority.isValid(host) {
            return context.fireErrorCaught(InvalidHost())
        }
        guard let authority = frame.headers.first(name: ":authority"), frame.headers.contains(name: "host") else {
            return context.fireChannelRead(data)
        }
        guard frame.headers["host"].allSatisfy({ $0.lowercasedASCII == authority.lowercasedASCII }) else {
            return context.fireErrorCaught(TwoHosts())
        }
        frame.headers.remove(name: "host")
        context.fireChannelRead(wrapInboundOut(.headers(frame)))
    }
}
