import ObjectServing
import WireFormats

/// One request in the access log of an OSS bucket. (OSS User Guide, "Logging", "Log format".)
///
/// Fields that are unknown or do not apply are `nil`.
struct OSSLogRecord: Hashable, Sendable {
    var remoteIP: String?
    var time: Timestamp
    /// The request line, such as `GET /key HTTP/1.1`.
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
    /// The size of the request in bytes, including its header fields.
    var requestLength: Int64
    /// The account that owns the bucket.
    var owner: String
    /// The number of bytes by which the request changed the size of the bucket.
    var sizeChange: Int64?
    var storageClass: String?
    /// The requested storage class of a copy.
    var targetStorageClass: String?

    /// The record as a line, without a line break.
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
            // Whether the request is from a CDN.
            quoted(nil), quoted(storageClass), quoted(targetStorageClass),
            // The region in which transfer acceleration received the request.
            quoted(nil),
        ]
        return fields.joined(separator: " ")
    }
}
