import ObjectServing
import WireFormats

/// One request as the access log of a bucket of OSS has it. (OSS User Guide, "Logging", "Log format".)
///
/// `nil` stands for what is unknown or does not apply.
struct OSSLogRecord: Hashable, Sendable {
    var remoteIP: String?
    var time: Timestamp
    /// `GET /key HTTP/1.1`
    var requestLine: String
    var status: Int
    var sentBytes: Int64?
    var totalMilliseconds: Int64
    var referer: String?
    var userAgent: String?
    var host: String
    var requestID: String
    /// The ID of the account, RAM user or role; `nil` for an anonymous caller.
    var requester: String?
    var operation: String?
    var bucket: String
    var key: String?
    var objectSize: Int64?
    var errorCode: String?
    /// Bytes of the request, its header fields included.
    var requestLength: Int64
    /// The account that owns the bucket.
    var owner: String
    /// By how many bytes the request has changed what the bucket holds.
    var sizeChange: Int64?
    var storageClass: String?
    /// The storage class that a copy asks for.
    var targetStorageClass: String?

    /// The record in its line, without the end of it.
    var line: String {
        func number(_ value: Int64?) -> String { value.map(String.init) ?? "-" }
        let quoted = LogText.quoted
        let fields: [String] = [
            // Two reserved fields follow the address.
            remoteIP ?? "-", "-", "-", "[\(LogText.time(time.inChina)) +0800]", quoted(requestLine), String(status), number(sentBytes),
            number(totalMilliseconds), quoted(referer), quoted(userAgent), quoted(host), quoted(requestID),
            // Whether the bucket has a log.
            quoted("true"), quoted(requester), quoted(operation), quoted(bucket),
            quoted(key.map { "/" + percentEncoded($0, keepingSlash: true) }), number(objectSize), number(totalMilliseconds),
            quoted(errorCode), number(requestLength), quoted(owner), number(sizeChange),
            // Whether a CDN asks.
            quoted(nil), quoted(storageClass), quoted(targetStorageClass),
            // The region in which transfer acceleration took the request.
            quoted(nil),
        ]
        return fields.joined(separator: " ")
    }
}
