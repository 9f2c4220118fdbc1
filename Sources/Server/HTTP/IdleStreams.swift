import NIOCore

/// Ends an HTTP/2 connection that has had no stream for a time, and one with an error. Resets streams whose client does not read.
///
/// Its handler of the protocol answers an error of the connection with GOAWAY, and leaves the connection open.
final class IdleStreams: ChannelInboundHandler {
    typealias InboundIn = Any

    private let timeout: TimeAmount
    private let isIdle: () -> Bool
    private let resetStalled: () -> Void
    private var lastActivity = NIODeadline.now()
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - isIdle: returns whether the connection has no stream.
    ///   - resetStalled: resets the streams whose client has not read for the time.
    init(timeout: TimeAmount, isIdle: @escaping () -> Bool, resetStalled: @escaping () -> Void) {
        self.resetStalled = resetStalled
        self.timeout = timeout
        self.isIdle = isIdle
    }

    func handlerAdded(context: ChannelHandlerContext) { start(after: timeout, context) }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelReadComplete(context: ChannelHandlerContext) {
        lastActivity = .now()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        // GOAWAY is sent first.
        let channel = context.channel
        context.eventLoop.execute { channel.pipeline.closeAtOnce() }
    }

    private func start(after time: TimeAmount, _ context: ChannelHandlerContext) {
        let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: time) { handler.value.0.fired(handler.value.1) }
    }

    private func fired(_ context: ChannelHandlerContext) {
        resetStalled()
        let rest = isIdle() ? timeout - (NIODeadline.now() - lastActivity) : timeout
        guard rest <= .nanoseconds(0) else { return start(after: rest, context) }
        context.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
}
