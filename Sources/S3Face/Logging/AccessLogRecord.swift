import ObjectServing
import WireFormats

/// One request as the access log of a bucket tells of it. (S3 User Guide, "Amazon S3 server access log format".)
///
/// Nothing stands for what is unknown or does not apply.
struct AccessLogRecord: Hashable, Sendable {
    /// Canonical identifier of the bucket's owner.
    var owner: String
    var bucket: String
    var time: Timestamp
    var remoteIP: String?
    /// A canonical identifier, or the ARN of a user or session; `nil` for who has no credentials.
    var requester: String?
    var requestID: String
    /// `REST.GET.OBJECT`
    var operation: String
    var key: String?
    /// `GET /bucket/key HTTP/1.1`
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
    /// `SigV4`
    var signatureVersion: String?
    /// `AuthHeader` or `QueryString`
    var authenticationType: String?
    var host: String
    var tlsVersion: String?

    /// The record in its line, without the end of it.
    var line: String {
        let fields: [String?] = [
            owner, bucket, "[\(LogText.time(time)) +0000]", remoteIP, requester, requestID, operation,
            key.map { percentEncoded($0, keepingSlash: true) }, LogText.quoted(requestLine), String(status), errorCode,
            bytesSent.flatMap { $0 == 0 ? nil : String($0) }, objectSize.map(String.init), String(totalMilliseconds),
            String(totalMilliseconds), LogText.quoted(referer), LogText.quoted(userAgent), versionID, hostID, signatureVersion,
            // The cipher suite.
            nil, authenticationType, host, tlsVersion,
            // The access point, whether a list of access control let the caller in, and the region that the request came from.
            nil, nil, nil,
        ]
        return fields.map { $0 ?? "-" }.joined(separator: " ")
    }
}
