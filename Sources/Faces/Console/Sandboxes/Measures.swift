import WireFormats

/// Sizes and ages in words.
enum Measures {
    /// Returns a size such as `528 KiB`.
    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1024: "\(bytes) B"
        case ..<(1 << 20): "\(bytes >> 10) KiB"
        case ..<(1 << 30): "\(bytes >> 20).\((bytes >> 10 & 1023) * 10 / 1024) MiB"
        default: "\(bytes >> 30).\((bytes >> 20 & 1023) * 10 / 1024) GiB"
        }
    }

    /// Returns the time since a date, such as `12 s` or `3 h`; `nil` for no date.
    static func age(_ date: String?, at now: Timestamp = .now()) -> String? {
        guard let date, let time = Timestamp(iso8601: date) else { return nil }
        let seconds = max(0, (now.milliseconds - time.milliseconds) / 1000)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
