import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS
import WireFormats

extension ChannelPipeline.SynchronousOperations {
    /// Adds the handlers of an HTTP/1.1 connection.
    func addHTTP1(_ responder: Responder, isSecure: Bool, _ limits: ConnectionLimits) throws {
        var sizes = NIOHTTPDecoderLimitConfiguration()
        sizes.maxHeaderListSize = 80 << 10
        sizes.maxHeaderFieldCount = 1000
        try addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: sizes)))
        let executor = EventLoopExecutor(loop: eventLoop)
        try addHandler(
            ConversationHandler(version: .http1, responder: responder, isSecure: isSecure, executor: executor, limits: limits))
    }

    /// Adds TLS, and the handlers of the negotiated protocol. (RFC 7301.)
    func addTLS(_ context: NIOSSLContext, _ responder: Responder, _ limits: ConnectionLimits) throws {
        let end = TLSEnd(timeout: .seconds(limits.head))
        let boundEnd = NIOLoopBound(end, eventLoop: eventLoop)
        try addHandler(NIOSSLServerHandler(context: context))
        try addHandler(end)
        try addHandler(
            ApplicationProtocolNegotiationHandler { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    switch result {
                    case .negotiated("h2"):
                        boundEnd.value.stage = .http2
                        try channel.pipeline.syncOperations.addHTTP2(responder, limits)
                    default:
                        boundEnd.value.stage = .http1
                        try channel.pipeline.syncOperations.addHTTP1(responder, isSecure: true, limits)
                    }
                }
            })
    }

    /// Adds the handlers of an HTTP/2 connection, with one conversation for each stream. (RFC 9113.)
    private func addHTTP2(_ responder: Responder, _ limits: ConnectionLimits) throws {
        let executor = EventLoopExecutor(loop: eventLoop)
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 256),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 80 << 10),
            HTTP2Setting(parameter: .initialWindowSize, value: Self.streamWindow),
        ]
        connection.targetWindowSize = 4 * Self.streamWindow
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = Self.streamWindow
        let share = ConnectionShare()
        let boundShare = NIOLoopBound(share, eventLoop: eventLoop)
        let streams = OpenStreams(drain: responder.drain)
        try addHandler(WindowUpdateLimit(onFlood: { streams.endFlood() }))
        _ = try configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: connection, streamConfiguration: stream,
            streamDelegate: OpenStreams.Delegate(streams, on: eventLoop)
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(StreamAuthority())
                try channel.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                try channel.pipeline.syncOperations.addHandler(
                    ConversationHandler(
                        version: .http2, responder: responder, isSecure: true, executor: executor, limits: limits,
                        share: boundShare.value))
            }
        }
        try addHandler(
            IdleStreams(
                timeout: .seconds(limits.idle), isIdle: { streams.isIdle },
                resetStalled: { share.resetStalled(since: .now() - .seconds(limits.idle)) }))
        try addHandler(streams)
    }

    /// The bytes that a client may send ahead on one stream.
    private static var streamWindow: Int { 1 << 20 }
}
