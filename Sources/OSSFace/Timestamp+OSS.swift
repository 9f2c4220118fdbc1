import WireFormats

extension Timestamp {
    /// As the documents of OSS spell it: to the second, with milliseconds that are always none. (oss2 reads nothing else.)
    var ossText: String { Timestamp(seconds: seconds).iso8601Milliseconds }
}
