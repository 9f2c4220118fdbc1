import Cryptography
package import ObjectStore
package import WireFormats

/// Something that has happened in a bucket, as messages tell it.
package struct BucketEvent: Sendable {
    /// The object that it happened to.
    package struct Object: Sendable {
        /// The key.
        package var key: String
        /// The size in bytes, or `nil` if the object is gone.
        package var size: Int64?
        /// Without quotes.
        package var entityTag: String?
        /// As on the wire; nothing while the bucket keeps no versions.
        package var versionID: String?
        /// Grows with the events of a key.
        package var sequence: Int64
        /// The archived object that a restoration copies, and the copy.
        package var restoredCopy: RestoredCopy?

        package init(key: String, size: Int64? = nil, entityTag: String? = nil, versionID: String? = nil, sequence: Int64) {
            self.key = key
            self.size = size
            self.entityTag = entityTag
            self.versionID = versionID
            self.sequence = sequence
        }
    }

    /// A copy of an archived object.
    package struct RestoredCopy: Sendable {
        /// When the copy ends.
        package var end: Timestamp
        /// Of the archived object.
        package var storageClass: String

        package init(end: Timestamp, storageClass: String) {
            self.end = end
            self.storageClass = storageClass
        }
    }

    /// Who did it, by what request.
    package struct Cause: Sendable {
        /// `AWS:AIDA…`
        package var principal: String
        /// The address of the client.
        package var sourceIP: String
        /// The ID of the request.
        package var requestID: String
        /// The second ID of the request (`x-amz-id-2`).
        package var hostID: String
        /// The account of the requester, or the service.
        package var requester: String
        /// `X-Amzn-Trace-Id` of the request, which deliveries carry on.
        package var trace: String?

        /// What S3 does of its own accord: its name stands for the requester and its address.
        package static let service = "s3.amazonaws.com"

        package init(
            principal: String, sourceIP: String, requestID: String, hostID: String, requester: String, trace: String? = nil
        ) {
            self.principal = principal
            self.sourceIP = sourceIP
            self.requestID = requestID
            self.hostID = hostID
            self.requester = requester
            self.trace = trace
        }
    }

    /// What happened.
    package var name: EventName
    /// When it happened.
    package var time: Timestamp
    /// The region that the bucket is in.
    package var region: String
    /// The name of the bucket.
    package var bucket: String
    /// The account that owns the bucket.
    package var account: String
    /// The object that it happened to.
    package var object: Object
    /// Who caused it.
    package var cause: Cause

    /// What has happened to an object of a bucket.
    package init(_ name: EventName, of object: Object, in bucket: Bucket, at time: Timestamp, by cause: Cause) {
        self.name = name
        self.time = time
        region = bucket.regionName
        self.bucket = bucket.name
        account = bucket.account
        self.object = object
        self.cause = cause
    }

    /// The message for topics, queues and functions. (S3 User Guide, "Event message structure".)
    package func message(configurationID: String) -> JSONValue {
        var described: JSONObject = ["key": .string(Self.formEncoded(object.key))]
        if name.tellsState, let size = object.size { described["size"] = .integer(size) }
        if let tag = object.entityTag { described["eTag"] = .string(tag) }
        if let version = object.versionID { described["versionId"] = .string(version) }
        if name.tellsState { described["sequencer"] = .string(sequencer) }
        var record: JSONObject = [
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
        if name == .objectRestoreCompleted, let copy = object.restoredCopy {
            record["glacierEventData"] = [
                "restoreEventData": [
                    "lifecycleRestorationExpiryTime": .string(copy.end.iso8601Milliseconds),
                    "lifecycleRestoreStorageClass": .string(copy.storageClass),
                ]
            ]
        }
        return ["Records": [.object(record)]]
    }

    /// Digits that compare as text as the events come one after another. (ibid., `sequencer`.)
    package var sequencer: String {
        var digits = String(UInt64(clamping: object.sequence), radix: 16, uppercase: true)
        digits = String(repeating: "0", count: 18 - digits.utf8.count) + digits
        return digits
    }

    /// A key as the messages spell it: escaped as in a form, the slashes left.
    static func formEncoded(_ key: String) -> String {
        percentEncoded(key, keepingSlash: true).split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
    }

    /// An account as Amazon's retail identity names it, which the messages have kept.
    package static func customerID(of account: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let digits = SHA256.hash("customer id \(account)").prefix(13).map { alphabet[Int($0 & 31)] }
        return "A" + String(decoding: digits, as: UTF8.self)
    }
}
