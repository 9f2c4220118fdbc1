import NIOCore
import NIOHTTP2

/// The streams of an HTTP/2 connection. When the server stops or is drained, the connection accepts no further stream and closes after the last one.
final class OpenStreams: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private var open: Set<HTTP2StreamID> = []
    /// The newest stream.
    private var last = HTTP2StreamID.rootStream
    private var isEnding = false
    private var context: ChannelHandlerContext?
    private let drain: Drain

    init(drain: Drain) { self.drain = drain }

    var isIdle: Bool { open.isEmpty }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent || event is DrainEvent, !isEnding {
            isEnding = true
            if open.isEmpty {
                close(waits: false)
            } else {
                goAway(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Sends GOAWAY with the last stream that is processed. (RFC 9113 section 6.8.)
    /// The client may retry other requests on another connection.
    private func goAway(_ code: HTTP2ErrorCode = .noError, promise: EventLoopPromise<Void>?) {
        let frame = HTTP2Frame(streamID: .rootStream, payload: .goAway(lastStreamID: last, errorCode: code, opaqueData: nil))
        context?.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    /// Closes the connection once everything before has been sent.
    /// - Parameter waits: whether the client gets time to read. Closing while it still sends would reset the connection.
    private func close(waits: Bool) {
        guard let context else { return }
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { _ in waits ? channel.close(promise: nil) : channel.pipeline.closeAtOnce() }
        goAway(promise: sent)
    }

    /// Closes the connection of a client that floods it, with its streams.
    func endFlood() {
        guard let context else { return }
        isEnding = true
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { _ in channel.pipeline.closeAtOnce() }
        goAway(.enhanceYourCalm, promise: sent)
    }

    fileprivate func began(_ id: HTTP2StreamID) {
        open.insert(id)
        last = max(last, id)
        guard drain.isOn, !isEnding, let context else { return }
        isEnding = true
        // The headers of the stream are still being processed.
        let streams = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { streams.value.goAway(promise: nil) }
    }

    fileprivate func ended(_ id: HTTP2StreamID) {
        open.remove(id)
        guard isEnding, open.isEmpty, let context else { return }
        // The last frame of the stream is not written yet.
        let streams = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { streams.value.close(waits: true) }
    }

    /// Observes streams on the connection's event loop.
    struct Delegate: NIOHTTP2StreamDelegate {
        private let streams: NIOLoopBound<OpenStreams>

        init(_ streams: OpenStreams, on loop: any EventLoop) { self.streams = NIOLoopBound(streams, eventLoop: loop) }

        func streamCreated(_ id: HTTP2StreamID, channel: any Channel) { streams.value.began(id) }

        func streamClosed(_ id: HTTP2StreamID, channel: any Channel) { streams.value.ended(id) }
    }
}
