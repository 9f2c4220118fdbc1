import Synchronization
package import WireFormats

/// The setting that makes the journal capture headers and bodies. It is off by default, and costs one atomic load per request then.
package final class JournalCapture: Sendable {
    /// What is captured, and until when.
    package struct Setting: Sendable, Equatable {
        /// The bytes to keep of each body.
        package var bodyLimit: Int
        /// When the capture ends, in real time.
        package var until: Timestamp

        package init(bodyLimit: Int, until: Timestamp) {
            self.bodyLimit = bodyLimit
            self.until = until
        }
    }

    private let isOn = Atomic<Bool>(false)
    private let stored = Mutex<Setting?>(nil)

    init() {}

    /// Returns the current setting; `nil` if nothing is captured.
    /// - Parameter now: the real time. It is read only while the capture is on.
    package func setting(at now: @autoclosure () -> Timestamp = .now()) -> Setting? {
        guard isOn.load(ordering: .relaxed) else { return nil }
        let now = now()
        return stored.withLock { stored in
            if let setting = stored, setting.until <= now { stored = nil }
            if stored == nil { isOn.store(false, ordering: .relaxed) }
            return stored
        }
    }

    /// Starts, changes or ends the capture.
    package func set(_ setting: Setting?) {
        stored.withLock { stored in
            stored = setting
            isOn.store(setting != nil, ordering: .relaxed)
        }
    }
}

/// The captured headers and bodies of one exchange.
///
/// A class, because bodies may still arrive or be sent when the journal has the entry already.
package final class CapturedExchange: Sendable {
    /// A header as sent.
    package struct Field: Sendable, Equatable {
        /// The name of the header.
        package var name: String
        /// The value of the header.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The beginning of a body.
    package struct Body: Sendable, Equatable {
        /// The first bytes, up to the limit.
        package var start: [UInt8] = []
        /// How many bytes passed so far.
        package var total: Int64 = 0

        package init() {}
    }

    /// A request or a response.
    package struct Message: Sendable, Equatable {
        /// The headers, in their order.
        package var fields: [Field] = []
        /// The body.
        package var body = Body()

        package init() {}
    }

    /// Which message of the exchange.
    package enum Direction: Sendable {
        case request, response
    }

    private struct State {
        var request = Message()
        var response = Message()
        var reserved = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the bytes to keep of each body.
    package init(limit: Int) { self.limit = limit }

    /// The request as far as it was captured.
    package var request: Message { state.withLock { $0.request } }

    /// The response as far as it was captured.
    package var response: Message { state.withLock { $0.response } }

    /// Stores the headers of a message.
    package func note(_ fields: [Field], of direction: Direction) {
        state.withLock { state in
            switch direction {
            case .request: state.request.fields = fields
            case .response: state.response.fields = fields
            }
        }
    }

    /// Stores the next bytes of a body, as far as the limit allows.
    package func append(_ bytes: some Collection<UInt8>, to direction: Direction) {
        state.withLock { state in
            switch direction {
            case .request: state.request.body.append(bytes, limit: limit)
            case .response: state.response.body.append(bytes, limit: limit)
            }
        }
    }

    /// Counts bytes of a body that will be appended later.
    /// - Parameter length: the length of the body; `nil` if it is unknown.
    package func reserve(_ length: Int?) { state.withLock { $0.reserved += min(length ?? limit, limit) } }

    /// The size in bytes, with those that are reserved.
    var cost: Int {
        let state = state.withLock { $0 }
        let bodies = state.request.body.start.count + state.response.body.start.count + state.reserved
        return (state.request.fields + state.response.fields).reduce(512 + bodies) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
    }
}

extension CapturedExchange.Body {
    fileprivate mutating func append(_ bytes: some Collection<UInt8>, limit: Int) {
        total += Int64(bytes.count)
        start += bytes.prefix(limit - start.count)
    }
}
