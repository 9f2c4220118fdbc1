import Cloud
import Federation
import Fixtures
import Logging
import ObjectServing
import Testing
import WireFormats

@testable import S3Face

@Suite("Event notifications to queues that another server has")
struct ForwardedNotificationTests {
    private static let queue = "arn:aws:sqs:us-east-1:000000000000:q"

    private static func configuration(_ queue: String = queue) -> String {
        """
        <NotificationConfiguration><QueueConfiguration><Id>id</Id><Queue>\(queue)</Queue><Event>s3:ObjectCreated:*</Event>\
        </QueueConfiguration></NotificationConfiguration>
        """
    }

    /// Runs a test with a face that may deliver to queues, unless there is an obstacle.
    private func run(
        _ obstacle: ForwardedTargets.Obstacle?, _ test: @escaping @Sendable (S3Sandbox, AsyncStream<EventParcel>) async throws -> Void
    ) async throws {
        try await S3Sandbox.run { s3 in
            let forwarded = ForwardedTargets(has: { $0.hasPrefix("arn:aws:sqs:") }, obstacle: { _, _ in obstacle })
            let outbox = EventOutbox(targets: [:], forwarded: forwarded, logger: Logger(label: "test"))
            let sandbox = S3Sandbox(
                cloud: s3.cloud,
                face: S3Face(authenticator: Authenticator(cloud: s3.cloud), events: outbox, logger: Logger(label: "test")))
            let (parcels, add) = AsyncStream<EventParcel>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await outbox.deliver { parcel in
                        add.yield(parcel)
                        return true
                    }
                }
                defer { group.cancelAll() }
                try await test(sandbox, parcels)
            }
        }
    }

    @Test("are sent with the bucket, whose ARN and account policies compare")
    func allowed() async throws {
        try await run(nil) { s3, parcels in
            try await s3.configure("notification", Self.configuration())
            var iterator = parcels.makeAsyncIterator()
            let next = await iterator.next()
            let parcel = try #require(next)
            #expect(parcel.url == Self.queue)
            #expect(parcel.source == EventSource(bucket: "files", account: "000000000000", region: "us-east-1"))
            #expect(parcel.source?.arn == "arn:aws:s3:::files")
            #expect(try JSONValue(parsing: parcel.body)["Event"]?.stringValue == "s3:TestEvent")
        }
    }

    static let obstacles: [(ForwardedTargets.Obstacle, String)] = [
        (.missing, "The destination queue does not exist"),
        (.forbidden, "Permissions on the destination queue do not allow S3 to publish notifications from this bucket"),
        (.unreachable("connection refused"), "Virga could not reach the server of the queue: connection refused"),
    ]

    @Test("need a queue whose policy allows S3 to deliver", arguments: obstacles)
    func refused(_ obstacle: ForwardedTargets.Obstacle, _ message: String) async throws {
        try await run(obstacle) { s3, _ in
            let answer = try await s3.putConfiguration("notification", Self.configuration())
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(answer.detail("ArgumentName1") == Self.queue)
            #expect(answer.detail("ArgumentValue1") == message)
        }
    }

    @Test("need a queue in the region of the bucket")
    func otherRegion() async throws {
        try await run(nil) { s3, _ in
            let answer = try await s3.putConfiguration("notification", Self.configuration("arn:aws:sqs:eu-west-1:000000000000:q"))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
        }
    }
}
