import HTTPTypes
import Synchronization
import WireFormats

/// The `Date` header of responses (RFC 9110 section 6.6.1), formatted once a second.
final class DateStamp: Sendable {
    private let latest = Mutex((second: Int64.min, field: HTTPField(name: .date, value: "")))

    func field(at time: Timestamp) -> HTTPField {
        latest.withLock { latest in
            if latest.second != time.seconds { latest = (time.seconds, HTTPField(name: .date, value: time.httpDate)) }
            return latest.field
        }
    }
}
