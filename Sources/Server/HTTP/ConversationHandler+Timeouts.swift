import NIOCore
import WireFormats

/// The timeouts of a connection or stream. Timers run only while they could be needed, and are not moved by each request: a timer that finds
/// that something happened in the meantime starts again for the rest of the time.
struct ConversationTimeouts {
    let limits: ConnectionLimits
    /// When data arrived last, or a response ended.
    var lastActivity = NIODeadline.now()
    /// When the head began that is not complete yet.
    var headBegan: NIODeadline?
    /// Whether a part of a message arrived since the last end of a read.
    var hasReceived = false
    /// When a response began to wait for the client to read.
    var waitsSince: NIODeadline?
    /// The bytes that the connection could not send, when a timer looked last.
    fileprivate var buffered: Int?
    fileprivate var idleTimer: Scheduled<Void>?
    fileprivate var headTimer: Scheduled<Void>?
    fileprivate var bodyTimer: Scheduled<Void>?
    fileprivate var endTimer: Scheduled<Void>?

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// Stops all timers, which would keep a closed connection in memory.
    mutating func end() {
        for timer in [idleTimer, headTimer, bodyTimer, endTimer] { timer?.cancel() }
        (idleTimer, headTimer, bodyTimer, endTimer) = (nil, nil, nil, nil)
    }
}

extension ConversationHandler {
    /// Starts the idle timer of an HTTP/1.1 connection. Connections of HTTP/2 have their own, see ``OpenStreams``.
    func startIdleTimer(after time: TimeAmount? = nil) {
        guard conversation.version == .http1, let loop = context?.eventLoop else { return }
        let handler = NIOLoopBound(self, eventLoop: loop)
        timeouts.idleTimer = loop.scheduleTask(in: time ?? .seconds(timeouts.limits.idle)) { handler.value.idleTimerFired() }
    }

    private func idleTimerFired() {
        let limit = TimeAmount.seconds(timeouts.limits.idle)
        if let since = timeouts.waitsSince, NIODeadline.now() - since >= limit {
            return hasProgressed() ? startIdleTimer() : abort()
        }
        let rest = conversation.isAnswering ? limit : limit - (NIODeadline.now() - timeouts.lastActivity)
        guard rest <= .nanoseconds(0) else { return startIdleTimer(after: rest) }
        if conversation.isIdle { perform(conversation.quiesce()) } else { abort() }
    }

    /// Returns whether the connection has sent something since the last call. A slow client may need long for one buffer.
    private func hasProgressed() -> Bool {
        let buffered = try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)
        defer { timeouts.buffered = buffered }
        return buffered != timeouts.buffered
    }

    /// Starts the timer of a connection that closes after everything has been sent, which never happens if the client does not read.
    func startEndTimer() {
        guard let context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        timeouts.endTimer = context.eventLoop.scheduleTask(in: .seconds(timeouts.limits.idle)) {
            if handler.value.hasProgressed() {
                handler.value.startEndTimer()
            } else {
                handler.value.context?.channel.pipeline.closeAtOnce()
            }
        }
    }

    /// Handles the end of a read.
    func noteRead() {
        timeouts.lastActivity = .now()
        guard !timeouts.hasReceived else {
            (timeouts.hasReceived, timeouts.headBegan) = (false, nil)
            return
        }
        // Bytes without a part of a message are the beginning of a head.
        guard conversation.version == .http1, conversation.isIdle, timeouts.headBegan == nil, let loop = context?.eventLoop else { return }
        let began = timeouts.lastActivity
        timeouts.headBegan = began
        let handler = NIOLoopBound(self, eventLoop: loop)
        timeouts.headTimer?.cancel()
        timeouts.headTimer = loop.scheduleTask(in: .seconds(timeouts.limits.head)) {
            guard handler.value.timeouts.headBegan == began else { return }
            handler.value.perform(handler.value.conversation.headTimedOut())
        }
    }

    /// Starts the timer of a body that is still arriving.
    func startBodyTimer(after time: TimeAmount? = nil) {
        guard timeouts.bodyTimer == nil, let loop = context?.eventLoop else { return }
        let handler = NIOLoopBound(self, eventLoop: loop)
        timeouts.bodyTimer = loop.scheduleTask(in: time ?? .seconds(timeouts.limits.body)) { handler.value.bodyTimerFired() }
    }

    private func bodyTimerFired() {
        timeouts.bodyTimer = nil
        guard context != nil, conversation.isReceivingContent || conversation.isDiscarding else { return }
        let limit = TimeAmount.seconds(timeouts.limits.body)
        // While the face does not read, the client need not send.
        let rest = conversation.awaitsContent ? limit - (NIODeadline.now() - timeouts.lastActivity) : limit
        guard rest <= .nanoseconds(0) else { return startBodyTimer(after: rest) }
        // Nothing needs the rest of a discarded body.
        if conversation.isDiscarding { abort() } else { perform(conversation.contentTimedOut()) }
    }
}
