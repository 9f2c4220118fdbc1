import WireFormats

extension Conversation {
    /// Whether no request is being received or answered.
    var isIdle: Bool { answer == nil && inbound.isIdle && waiting.isEmpty && phase == .open }

    /// Whether the body of the current request is still arriving.
    var isReceivingContent: Bool {
        if case .content = inbound { true } else { false }
    }

    /// Whether the rest of a body is being discarded.
    var isDiscarding: Bool {
        if case .discarding = inbound { answer == nil } else { false }
    }

    /// Whether nothing but the client delays the body.
    var awaitsContent: Bool { isDiscarding || isReceivingContent && contentHasRoom && answer?.expectsContinue != true }

    /// Handles a head that takes too long.
    mutating func headTimedOut() -> Action { isIdle ? refuse(.sendTimeout) : .nothing }

    /// Handles a body that pauses for too long.
    mutating func contentTimedOut() -> Action {
        answer?.isKeptAlive = false
        inbound = .discarding(0)
        return .timeOutContent
    }
}
