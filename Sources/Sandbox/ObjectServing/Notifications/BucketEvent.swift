import Cryptography
package import ObjectStore
package import WireFormats

/// An event in a bucket, as described in messages.
package struct BucketEvent: Sendable {
    /// The object of an event.
    package struct Object: Sendable {
        /// The key.
        package var key: String
        /// The size in bytes, or `nil` if the object is gone.
        package var size: Int64?
        /// The ETag without quotes.
        package var entityTag: String?
        /// The version ID; `nil` if versioning was never enabled.
        package var versionID: String?
        /// Increases with each event of a key.
        package var sequence: Int64
        /// The restored copy, for the events of a restoration.
        package var restoredCopy: RestoredCopy?

        package init(key: String, size: Int64? = nil, entityTag: String? = nil, versionID: String? = nil, sequence: Int64) {
            self.key = key
            self.size = size
            self.entityTag = entityTag
            self.versionID = versionID
            self.sequence = sequence
        }
    }

    /// A restored copy of an archived object.
    package struct RestoredCopy: Sendable {
        /// The expiration time of the copy.
        package var end: Timestamp
        /// The storage class of the archived object.
        package var storageClass: String

        package init(end: Timestamp, storageClass: String) {
            self.end = end
            self.storageClass = storageClass
        }
    }

    /// The caller and the request that caused an event.
    package struct Cause: Sendable {
        /// The principal, such as `AWS:AIDA…`.
        package var principal: String
        /// The address of the client.
        package var sourceIP: String
        /// The ID of the request.
        package var requestID: String
        /// The second ID of the request (`x-amz-id-2`).
        package var hostID: String
        /// The account of the requester, or the service.
        package var requester: String
        /// The `X-Amzn-Trace-Id` of the request, which is included in deliveries.
        package var trace: String?

        /// The name of the service. It replaces the requester and the address in events that S3 causes itself.
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

    /// The name of the event.
    package var name: EventName
    /// The time of the event.
    package var time: Timestamp
    /// The region that the bucket is in.
    package var region: String
    /// The name of the bucket.
    package var bucket: String
    /// The account that owns the bucket.
    package var account: String
    /// The object of the event.
    package var object: Object
    /// The cause of the event.
    package var cause: Cause

    /// Creates an event about an object of a bucket.
    package init(_ name: EventName, of object: Object, in bucket: Bucket, at time: Timestamp, by cause: Cause) {
        self.name = name
        self.time = time
        region = bucket.regionName
        self.bucket = bucket.name
        account = bucket.account
        self.object = object
        self.cause = cause
    }

    /// The bucket, as the policies of destinations see it.
    var source: EventSource { EventSource(bucket: bucket, account: account, region: region) }

    /// The message for topics, queues and functions. (S3 User Guide, "Event message structure".)
    package func message(configurationID: String) -> JSONValue {
        var described: JSONObject = ["key": .string(Self.formEncoded(object.key))]
        if name.includesState, let size = object.size { described["size"] = .integer(size) }
        if let tag = object.entityTag { described["eTag"] = .string(tag) }
        if let version = object.versionID { described["versionId"] = .string(version) }
        if name.includesState { described["sequencer"] = .string(sequencer) }
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

    /// Digits whose order as text is the order of the events. (ibid., `sequencer`.)
    package var sequencer: String {
        var digits = String(UInt64(clamping: object.sequence), radix: 16, uppercase: true)
        digits = String(repeating: "0", count: 18 - digits.utf8.count) + digits
        return digits
    }

    /// Returns a key in form encoding, except for slashes, as in messages.
    static func formEncoded(_ key: String) -> String {
        percentEncoded(key, keepingSlash: true).split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
    }

    /// Returns the Amazon customer ID of an account, which messages still contain.
    package static func customerID(of account: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let digits = SHA256.hash("customer id \(account)").prefix(13).map { alphabet[Int($0 & 31)] }
        return "A" + String(decoding: digits, as: UTF8.self)
    }
}
