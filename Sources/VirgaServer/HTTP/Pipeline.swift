import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS

extension ChannelPipeline.SynchronousOperations {
    /// Adds the handlers of an HTTP/1.1 connection.
    func addHTTP1(_ responder: Responder, isSecure: Bool) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = 80 << 10
        limits.maxHeaderFieldCount = 1000
        try addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits)))
        try addHandler(
            ConversationHandler(version: .http1, responder: responder, isSecure: isSecure, executor: EventLoopExecutor(loop: eventLoop)))
    }

    /// Adds TLS, and the handlers of the negotiated protocol. (RFC 7301.)
    func addTLS(_ context: NIOSSLContext, _ responder: Responder) throws {
        let end = TLSEnd()
        let boundEnd = NIOLoopBound(end, eventLoop: eventLoop)
        try addHandler(NIOSSLServerHandler(context: context))
        try addHandler(end)
        try addHandler(
            ApplicationProtocolNegotiationHandler { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    switch result {
                    case .negotiated("h2"):
                        boundEnd.value.stage = .http2
                        try channel.pipeline.syncOperations.addHTTP2(responder)
                    default:
                        boundEnd.value.stage = .http1
                        try channel.pipeline.syncOperations.addHTTP1(responder, isSecure: true)
                    }
                }
            })
    }

    /// Adds the handlers of an HTTP/2 connection, with one conversation for each stream. (RFC 9113.)
    private func addHTTP2(_ responder: Responder) throws {
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
        stream.outboundBufferSizeHighWatermark = 512 << 10
        stream.outboundBufferSizeLowWatermark = 256 << 10
        let streams = OpenStreams(drain: responder.drain)
        _ = try configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: connection, streamConfiguration: stream,
            streamDelegate: OpenStreams.Delegate(streams, on: eventLoop)
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                try channel.pipeline.syncOperations.addHandler(
                    ConversationHandler(version: .http2, responder: responder, isSecure: true, executor: executor))
            }
        }
        try addHandler(streams)
    }

    /// The bytes that a client may send ahead on one stream.
    private static var streamWindow: Int { 1 << 20 }
}
