import ObjectServing
import WireFormats

/// One request in the access log of a bucket. (S3 User Guide, "Amazon S3 server access log format".)
///
/// Fields that are unknown or do not apply are `nil`.
struct AccessLogRecord: Hashable, Sendable {
    /// Canonical user ID of the bucket's owner.
    var owner: String
    var bucket: String
    var time: Timestamp
    var remoteIP: String?
    /// A canonical user ID, or the ARN of a user or session; `nil` for an anonymous caller.
    var requester: String?
    var requestID: String
    /// The operation, such as `REST.GET.OBJECT`.
    var operation: String
    var key: String?
    /// The request line, such as `GET /bucket/key HTTP/1.1`.
    var requestLine: String
    var status: Int
    var errorCode: String?
    var bytesSent: Int64?
    var objectSize: Int64?
    var totalMilliseconds: Int64
    var referer: String?
    var userAgent: String?
    var versionID: String?
    var hostID: String
    /// `SigV2` or `SigV4`.
    var signatureVersion: String?
    /// `AuthHeader` or `QueryString`.
    var authenticationType: String?
    var host: String
    var tlsVersion: String?

    /// The record as a line, without a line break.
    var line: String {
        let fields: [String?] = [
            owner, bucket, "[\(LogText.time(time)) +0000]", remoteIP, requester, requestID, operation,
            key.map { percentEncoded($0, keepingSlash: true) }, LogText.quoted(requestLine), String(status), errorCode,
            bytesSent.flatMap { $0 == 0 ? nil : String($0) }, objectSize.map(String.init), String(totalMilliseconds),
            String(totalMilliseconds), LogText.quoted(referer), LogText.quoted(userAgent), versionID, hostID, signatureVersion,
            // The cipher suite.
            nil, authenticationType, host, tlsVersion,
            // The access point, whether an ACL was required, and the region of the source.
            nil, nil, nil,
        ]
        return fields.map { $0 ?? "-" }.joined(separator: " ")
    }
}
