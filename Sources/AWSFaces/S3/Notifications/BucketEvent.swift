import Cloud
import Cryptography
import WireFormats

/// Something that has happened in a bucket, as messages tell it.
struct BucketEvent: Sendable {
    /// The object that it happened to.
    struct Object: Sendable {
        var key: String
        var size: Int64?
        /// Without quotes.
        var entityTag: String?
        /// As on the wire; nothing in a bucket that never kept versions.
        var versionID: String?
        /// Grows with the events of a key.
        var sequence: Int64
    }

    /// Who did it, by what request.
    struct Cause: Sendable {
        /// `AWS:AIDA…`
        var principal: String
        var sourceIP: String
        var requestID: String
        var hostID: String
        /// What EventBridge calls it: `PutObject`, `DeleteObject`, `Lifecycle Expiration`.
        var reason: String
        /// The account of the requester, or the service.
        var requester: String
    }

    var name: EventName
    var time: Timestamp
    /// The region that the bucket is in.
    var region: String
    var bucket: String
    /// The account that owns the bucket.
    var account: String
    var object: Object
    var cause: Cause

    /// The message for topics, queues and functions. (S3 User Guide, "Event message structure".)
    func message(configurationID: String) -> JSONValue {
        var described: JSONObject = ["key": .string(Self.formEncoded(object.key))]
        if name.tellsState, let size = object.size { described["size"] = .integer(size) }
        if let tag = object.entityTag { described["eTag"] = .string(tag) }
        if let version = object.versionID { described["versionId"] = .string(version) }
        if name.tellsState { described["sequencer"] = .string(sequencer) }
        return [
            "Records": [
                [
                    "eventVersion": .string(name.messageVersion), "eventSource": "aws:s3", "awsRegion": .string(region),
                    "eventTime": .string(time.iso8601Milliseconds), "eventName": .string(name.rawValue),
                    "userIdentity": ["principalId": .string(cause.principal)],
                    "requestParameters": ["sourceIPAddress": .string(cause.sourceIP)],
                    "responseElements": [
                        "x-amz-request-id": .string(cause.requestID), "x-amz-id-2": .string(cause.hostID),
                    ],
                    "s3": [
                        "s3SchemaVersion": "1.0", "configurationId": .string(configurationID),
                        "bucket": [
                            "name": .string(bucket),
                            "ownerIdentity": ["principalId": .string(Self.customerID(of: account))],
                            "arn": .string("arn:aws:s3:::\(bucket)"),
                        ],
                        "object": .object(described),
                    ],
                ]
            ]
        ]
    }

    /// Digits that compare as text as the events come one after another. (ibid., `sequencer`.)
    var sequencer: String {
        var digits = String(UInt64(clamping: object.sequence), radix: 16, uppercase: true)
        digits = String(repeating: "0", count: 18 - digits.utf8.count) + digits
        return digits
    }

    /// A key as the messages spell it: escaped as in a form, the slashes left.
    static func formEncoded(_ key: String) -> String {
        percentEncoded(key, keepingSlash: true).split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
    }

    /// An account as Amazon's retail identity names it, which the messages have kept.
    static func customerID(of account: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let digits = SHA256.hash("customer id \(account)").prefix(13).map { alphabet[Int($0 & 31)] }
        return "A" + String(decoding: digits, as: UTF8.self)
    }
}
