import Cloud
import Cryptography
import Federation
import Fixtures
import HTTPTypes
import Logging
import ObjectStore
import Synchronization
import Testing
import WireFormats

@testable import ObjectServing
@testable import S3Face

@Suite("Event notifications")
struct NotificationTests {
    static let queue = "arn:aws:sqs:us-east-1:000000000000:q"
    static let topic = "arn:aws:sns:us-east-1:000000000000:t"
    static let bus = "arn:aws:events:us-east-1:000000000000:event-bus/default"

    static func read(_ inner: String) throws -> NotificationConfiguration {
        try NotificationConfiguration(
            XMLElement(parsing: Array("<NotificationConfiguration>\(inner)</NotificationConfiguration>".utf8))
                .holding(NotificationConfiguration.schema), makeID: { "made" })
    }

    static func queue(
        _ events: [String] = ["s3:ObjectCreated:*"], id: String = "", arn: String = queue, rules: [(String, String)] = []
    ) -> String {
        let filter = rules.map { "<FilterRule><Name>\($0)</Name><Value>\($1)</Value></FilterRule>" }.joined()
        return "<QueueConfiguration>\(id.isEmpty ? "" : "<Id>\(id)</Id>")<Queue>\(arn)</Queue>"
            + events.map { "<Event>\($0)</Event>" }.joined()
            + (rules.isEmpty ? "" : "<Filter><S3Key>\(filter)</S3Key></Filter>") + "</QueueConfiguration>"
    }

    static let refused: [(document: String, code: S3Error.Code, message: String?)] = [
        (queue([]), .malformedXML, nil), ("<Mailbox/>", .malformedXML, nil),
        (queue(arn: "invalid-queue"), .invalidArgument, "The ARN could not be parsed"),
        (queue(arn: topic), .invalidArgument, "The ARN could not be parsed"),
        (queue(arn: queue + ".fifo"), .invalidArgument, "FIFO SQS queues are not supported."),
        (
            queue(id: "a") + queue(["s3:ObjectCreated:Put"], id: "b"), .invalidArgument,
            "Configurations overlap. Configurations on the same bucket cannot share a common event type."
        ),
        (queue(["s3:ObjectEaten:*"]), .invalidArgument, "A specified event is not supported for notifications."),
        (queue(["s3:*"]), .invalidArgument, "A specified event is not supported for notifications."),
        (queue(rules: [("INVALID", "a")]), .invalidArgument, "filter rule name must be either prefix or suffix"),
        (
            queue(rules: [("prefix", "a"), ("Prefix", "b")]), .invalidArgument,
            "Cannot specify more than one prefix rule in a filter."
        ),
        (
            queue(id: "a", rules: [("suffix", ".a")]) + queue(id: "a", rules: [("suffix", ".b")]), .invalidArgument,
            "Same ID used for multiple configurations. IDs must be unique"
        ),
        (
            queue(id: "a", rules: [("prefix", "im")]) + queue(["s3:ObjectCreated:Put"], id: "b", rules: [("prefix", "images")]),
            .invalidArgument,
            "Configuration is ambiguously defined. Cannot have overlapping suffixes in two rules if the prefixes are overlapping for the same event type."
        ),
    ]

    @Test("refuse configurations as S3 does", arguments: 0..<refused.count)
    func refusals(_ index: Int) throws {
        let (document, code, message) = Self.refused[index]
        let error = try #require(throws: S3Error.self) { try Self.read(document) }
        #expect(error.code == code, "\(document)")
        #expect(error.message == message ?? code.message, "\(document)")
    }

    @Test("are filtered by event type and by prefix and suffix of the key")
    func matching() throws {
        let destination = try Self.read(
            Self.queue(["s3:ObjectRemoved:*"], rules: [("Prefix", "images/"), ("suffix", ".jpg")])
        ).destinations[0]
        #expect(destination.wants(.objectRemovedDelete, of: "images/a.jpg"))
        #expect(!destination.wants(.objectCreatedPut, of: "images/a.jpg"))
        #expect(!destination.wants(.objectRemovedDelete, of: "images/a.png"))
        #expect(!destination.wants(.objectRemovedDelete, of: "a.jpg"))
        #expect(destination.id == "made")
        let apart = Self.queue(id: "a", rules: [("suffix", ".a")]) + Self.queue(id: "b", rules: [("suffix", ".b")])
        #expect(try Self.read(apart).destinations.count == 2)
    }

    /// The structure as in the S3 User Guide, "Event message structure".
    @Test("describe the event")
    func message() async throws {
        try await S3Sandbox.run { s3 in
            let bucket = try #require(s3.cloud.objects.bucket(named: "files"))
            check(
                BucketEvent(
                    .objectCreatedPut, of: BucketEvent.Object(key: "a b/ü+", size: 5, entityTag: "ee", versionID: "v", sequence: 255),
                    in: bucket, at: Timestamp(milliseconds: 0),
                    by: BucketEvent.Cause(principal: "AWS:x", sourceIP: "::1", requestID: "R", hostID: "H", requester: "0")))
        }
    }

    private func check(_ event: BucketEvent) {
        let record = event.message(configurationID: "c")["Records"]?.arrayValue?.first
        #expect(record?["eventVersion"] == "2.1")
        #expect(record?["eventName"] == "ObjectCreated:Put")
        #expect(record?["eventTime"] == "1970-01-01T00:00:00.000Z")
        #expect(record?["eventSource"] == "aws:s3")
        #expect(record?["userIdentity"]?["principalId"] == "AWS:x")
        #expect(record?["responseElements"]?["x-amz-request-id"] == "R")
        #expect(record?["s3"]?["configurationId"] == "c")
        #expect(record?["s3"]?["bucket"]?["arn"] == "arn:aws:s3:::files")
        #expect(
            record?["s3"]?["object"]
                == ["key": "a+b/%C3%BC%2B", "size": 5, "eTag": "ee", "versionId": "v", "sequencer": "0000000000000000FF"])
        #expect(event.busMessage()?["detail"]?["object"]?["key"] == "a b/ü+")
        #expect(event.busMessage()?["detail"]?["source-ip-address"] == "::1")
        var own = event
        own.cause.requester = BucketEvent.Cause.service
        #expect(own.busMessage()?["detail"]?["requester"] == "s3.amazonaws.com")
        #expect(own.busMessage()?["detail"]?["source-ip-address"] == nil)
        #expect(event.busMessage()?["detail-type"] == "Object Created")
        #expect(event.busMessage()?["detail"]?["reason"] == "PutObject")
    }

    @Test("are delivered in order, repeated if a destination refuses them, and wrapped for topics")
    func delivery() async throws {
        try await run { s3, received in
            try await s3.configure(
                "notification",
                "<NotificationConfiguration><TopicConfiguration><Topic>\(Self.topic)</Topic><Event>s3:ObjectTagging:*</Event></TopicConfiguration>\(Self.queue(["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]))</NotificationConfiguration>"
            )
            for key in ["a", "b"] { try await s3.put(key, "x") }
            _ = try await s3.send(.delete, "/files/a")
            let tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"
            _ = try await s3.putConfiguration("tagging", tags)
            let body = Array(tags.utf8)
            _ = try await s3.send(.put, "/files/b?tagging", ["Content-MD5": MD5.hash(body).base64], body: body)
            let parcels = await received.wait(for: 6)
            let queued = try parcels.filter { $0.url == "http://queue" }.map { try JSONValue(parsing: $0.body) }
            #expect(queued.first?["Event"] == "s3:TestEvent")
            let records = queued.dropFirst().compactMap { $0["Records"]?.arrayValue?.first }
            #expect(
                records.map { $0["eventName"]?.stringValue } == [
                    "ObjectCreated:Put", "ObjectCreated:Put", "ObjectRemoved:Delete",
                ])
            #expect(records.map { $0["s3"]?["object"]?["key"]?.stringValue } == ["a", "b", "a"])
            let topical = try #require(parcels.last { $0.url == "http://topic" })
            #expect(topical.fields.contains { $0.name == "x-amz-sns-topic-arn" && $0.value == Self.topic })
            let envelope = try JSONValue(parsing: topical.body)
            #expect(envelope["Type"] == "Notification")
            #expect(envelope["Subject"] == "Amazon S3 Notification")
            let inner = try JSONValue(parsing: envelope["Message"]?.stringValue ?? "")
            #expect(inner["Records"]?.arrayValue?.first?["eventName"] == "ObjectTagging:Put")
        }
    }

    @Test("describe a restored copy, without a version if the bucket has none")
    func restoration() async throws {
        try await run { s3, received in
            try await s3.configure(
                "notification",
                "<NotificationConfiguration>\(Self.queue(["s3:ObjectRestore:*", "s3:ObjectCreated:*"]))</NotificationConfiguration>")
            for status in ["Enabled", "Suspended"] {
                let versioning = "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
                #expect(try await s3.send(.put, "/files?versioning", body: Array(versioning.utf8)).status == 200)
                try await s3.put("a", "x", ["x-amz-storage-class": "GLACIER"])
            }
            let restore = "<RestoreRequest><Days>1</Days></RestoreRequest>"
            #expect(try await s3.send(.post, "/files/a?restore", body: Array(restore.utf8)).status == 202)
            let records = try await received.wait(for: 5).dropFirst().compactMap {
                try JSONValue(parsing: $0.body)["Records"]?.arrayValue?.first
            }
            #expect(
                records.map { $0["eventName"]?.stringValue } == [
                    "ObjectCreated:Put", "ObjectCreated:Put", "ObjectRestore:Post", "ObjectRestore:Completed",
                ])
            #expect(records.map { $0["s3"]?["object"]?["versionId"] != nil } == [true, false, false, false])
            #expect(records.map { $0["glacierEventData"] != nil } == [false, false, false, true])
            let restored = records.last?["glacierEventData"]?["restoreEventData"]
            #expect(restored?["lifecycleRestoreStorageClass"] == "GLACIER")
            #expect(restored?["lifecycleRestorationExpiryTime"]?.stringValue?.hasSuffix("T00:00:00.000Z") == true)
            let owner = try #require(records.last?["s3"]?["bucket"]?["ownerIdentity"]?["principalId"]?.stringValue)
            #expect(records.last?["userIdentity"]?["principalId"] == .string("AmazonCustomer:\(owner)"))
            #expect(records.last?["requestParameters"]?["sourceIPAddress"] == "s3.amazonaws.com")
        }
    }

    /// Recorded from AWS, and in the S3 User Guide, "EventBridge event message structure".
    @Test("notify EventBridge of a restore that a client initiates and S3 completes")
    func restorationOnBus() async throws {
        try await run { s3, received in
            try await s3.configure(
                "notification", "<NotificationConfiguration><EventBridgeConfiguration/></NotificationConfiguration>")
            try await s3.put("a", "x", ["x-amz-storage-class": "GLACIER"])
            let restore = "<RestoreRequest><Days>1</Days></RestoreRequest>"
            #expect(try await s3.send(.post, "/files/a?restore", body: Array(restore.utf8)).status == 202)
            let details = try await received.wait(for: 3).dropFirst().compactMap { try JSONValue(parsing: $0.body)["detail"] }
            #expect(details.map { $0["source-storage-class"] } == ["GLACIER", "GLACIER"])
            #expect(details.map { $0["object"]?["sequencer"] == nil } == [true, true])
            #expect(details.map { $0["restore-expiry-time"] != nil } == [false, true])
            #expect(details.map { $0["requester"] } == ["000000000000", "s3.amazonaws.com"])
        }
    }

    @Test("name a version that remains after versioning is suspended, but not the null version")
    func suspendedVersions() async throws {
        try await run { s3, received in
            try await s3.configure(
                "notification",
                "<NotificationConfiguration>\(Self.queue(["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]))</NotificationConfiguration>"
            )
            func keepVersions(_ status: String) async throws {
                let versioning = "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
                #expect(try await s3.send(.put, "/files?versioning", body: Array(versioning.utf8)).status == 200)
            }
            try await keepVersions("Enabled")
            let version = try #require(try await s3.put("a", "x")["x-amz-version-id"])
            try await keepVersions("Suspended")
            try await s3.put("a", "y")
            #expect(try await s3.send(.delete, "/files/a?versionId=\(version)").status == 204)
            let records = try await received.wait(for: 4).dropFirst().compactMap {
                try JSONValue(parsing: $0.body)["Records"]?.arrayValue?.first
            }
            #expect(records.map { $0["s3"]?["object"]?["versionId"] } == [.string(version), nil, .string(version)])
        }
    }

    @Test("contain the trace header of the request that caused them")
    func trace() async throws {
        try await run { s3, received in
            try await s3.configure("notification", "<NotificationConfiguration>\(Self.queue())</NotificationConfiguration>")
            try await s3.put("a", "x", ["X-Amzn-Trace-Id": "Root=1-2-3"])
            let parcel = try #require(await received.wait(for: 2).last)
            #expect(parcel.fields.contains { $0.name == "X-Amzn-Trace-Id" && $0.value == "Root=1-2-3" })
        }
    }

    /// minio/minio#2472.
    @Test("name the events that two configurations without a filter share")
    func sharedEvents() throws {
        let removed = ["s3:ObjectRemoved:*"]
        let error = try #require(throws: S3Error.self) {
            try Self.read(Self.queue(removed, id: "a") + Self.queue(removed, id: "b"))
        }
        #expect(error.details.first { $0.name == "ArgumentName" }?.value == "Event")
        #expect(error.details.first { $0.name == "ArgumentValue" }?.value == "s3:ObjectRemoved:*, s3:ObjectRemoved:*")
    }

    /// cloud-custodian/cloud-custodian#1720.
    @Test("refuse an unknown destination of another region than the bucket's")
    func regions() async throws {
        try await run { s3, _ in
            let queue = Self.queue(arn: "arn:aws:sqs:us-west-2:000000000000:q")
            let answer = try await s3.putConfiguration(
                "notification", "<NotificationConfiguration>\(queue)</NotificationConfiguration>")
            #expect(answer.code == "InvalidArgument")
            #expect(
                answer.detail("Message")
                    == "The notification destination service region is not valid for the bucket location constraint")
        }
    }

    @Test("refuse an unknown destination, unless its validation is skipped")
    func destinations() async throws {
        try await run { s3, _ in
            let document = "<NotificationConfiguration>\(Self.queue(arn: Self.queue + "2"))</NotificationConfiguration>"
            let answer = try await s3.putConfiguration("notification", document)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(answer.detail("Message") == "Unable to validate the following destination configurations")
            #expect(answer.detail("ArgumentName1") == Self.queue + "2")
            #expect(answer.detail("ArgumentValue1") == "The destination queue does not exist")
            try await s3.configure("notification", document, ["x-amz-skip-destination-validation": "true"])
            #expect(try await s3.send(.get, "/files?notification").xml.child("QueueConfiguration") != nil)
            try await s3.configure("notification", "<NotificationConfiguration/>")
            #expect(try await s3.send(.get, "/files?notification").xml.children.isEmpty)
        }
    }

    @Test("are queued up to a capacity")
    func bound() async throws {
        try await S3Sandbox.run { s3 in
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let outbox = EventOutbox(targets: [Self.queue: "http://queue"], logger: logger, pauses: [])
            let bucket = try #require(s3.cloud.objects.bucket(named: "files"))
            for _ in 0..<10_001 { outbox.send(["a": 1], to: Self.queue, isTopic: false, at: s3.cloud.clock.now, of: bucket.id) }
            let received = Received()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await outbox.deliver { received.take($0) } }
                _ = await received.wait(for: 10_000)
                group.cancelAll()
            }
            #expect(received.count == 10_000)
        }
    }

    @Test("refuse an unknown function as one that cannot be invoked")
    func missingFunction() async throws {
        try await run { s3, _ in
            let arn = "arn:aws:lambda:us-east-1:000000000000:function:my-lambda"
            let answer = try await s3.putConfiguration(
                "notification",
                """
                <NotificationConfiguration><CloudFunctionConfiguration><Id>id</Id><CloudFunction>\(arn)</CloudFunction>\
                <Event>s3:ObjectCreated:*</Event></CloudFunctionConfiguration></NotificationConfiguration>
                """)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(answer.detail("ArgumentName1") == "\(arn), null")
            #expect(answer.detail("ArgumentValue1") == "Not authorized to invoke function [\(arn)]")
        }
    }

    /// Runs a test with a face whose events arrive in `received`. Each destination refuses its first message.
    private func run(_ test: @escaping @Sendable (S3Sandbox, Received) async throws -> Void) async throws {
        try await S3Sandbox.run { s3 in
            let outbox = EventOutbox(
                targets: [Self.queue: "http://queue", Self.topic: "http://topic", Self.bus: "http://bus"], logger: Logger(label: "test"),
                pauses: [.milliseconds(1)])
            let sandbox = S3Sandbox(
                cloud: s3.cloud,
                face: S3Face(authenticator: Authenticator(cloud: s3.cloud), events: outbox, logger: Logger(label: "test")))
            let received = Received(refusesFirst: true)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await outbox.deliver { received.take($0) } }
                defer { group.cancelAll() }
                try await test(sandbox, received)
            }
        }
    }
}

/// The events that the destinations of a test received.
private final class Received: Sendable {
    private struct State {
        var parcels: [EventParcel] = []
        /// The destinations that have refused a message, if each refuses its first.
        var known: Set<String>?
        var waiter: (count: Int, continuation: CheckedContinuation<[EventParcel], Never>)?
    }

    private let state: Mutex<State>

    init(refusesFirst: Bool = false) { state = Mutex(State(known: refusesFirst ? [] : nil)) }

    var count: Int { state.withLock { $0.parcels.count } }

    func take(_ parcel: EventParcel) -> Bool {
        let isTaken = state.withLock { state in
            guard state.known?.insert(parcel.url).inserted != true else { return false }
            state.parcels.append(parcel)
            return true
        }
        resumeWaiter()
        return isTaken
    }

    /// Waits for a number of events.
    func wait(for count: Int) async -> [EventParcel] {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiter = (count, continuation) }
            resumeWaiter()
        }
    }

    private func resumeWaiter() {
        let answer = state.withLock { state -> (CheckedContinuation<[EventParcel], Never>, [EventParcel])? in
            guard let waiter = state.waiter, state.parcels.count >= waiter.count else { return nil }
            state.waiter = nil
            return (waiter.continuation, state.parcels)
        }
        if let (continuation, parcels) = answer { continuation.resume(returning: parcels) }
    }
}
