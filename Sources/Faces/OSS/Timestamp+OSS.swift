import WireFormats

extension Timestamp {
    /// The time as in OSS documents: whole seconds with milliseconds that are always zero. (oss2 parses no other format.)
    var ossText: String { Timestamp(seconds: seconds).iso8601Milliseconds }
}
