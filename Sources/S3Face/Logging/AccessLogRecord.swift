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
            owner, bucket, "[\(Self.text(time))]", remoteIP, requester, requestID, operation,
            key.map { percentEncoded($0, keepingSlash: true) }, Self.quoted(requestLine), String(status), errorCode,
            bytesSent.flatMap { $0 == 0 ? nil : String($0) }, objectSize.map(String.init), String(totalMilliseconds),
            String(totalMilliseconds), Self.quoted(referer), Self.quoted(userAgent), versionID, hostID, signatureVersion,
            // The cipher suite.
            nil, authenticationType, host, tlsVersion,
            // The access point, whether an ACL was required, and the region of the source.
            nil, nil, nil,
        ]
        return fields.map { $0 ?? "-" }.joined(separator: " ")
    }

    /// Converts `Wed, 06 Feb 2019 00:00:38 GMT` to `06/Feb/2019:00:00:38 +0000`.
    private static func text(_ time: Timestamp) -> String {
        let parts = time.httpDate.split(separator: " ")
        guard parts.count == 6 else { return time.iso8601 }
        return "\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4]) +0000"
    }

    /// Returns client-supplied text in quotes. Quotes and control characters in it are replaced.
    private static func quoted(_ text: String?) -> String {
        var quoted = "\""
        for scalar in (text ?? "-").unicodeScalars {
            switch scalar {
            case "\"": quoted += "%22"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
