import Calls
import Cloud
import Federation
import HTTPTypes
import IdentityProviders
import Logging
import NIOCore
import ObjectServing
import ObjectStore
import S3Face
import Seeds
import Synchronization
import Testing
import WireFormats

@testable import ControlFace
@testable import VirgaServer

@Suite("An unexpected error")
struct FailureLogTests {
    @Test("is logged with the request identifier, and its response contains no internals")
    func failure() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in lines }
        let cloud = try await Cloud.open(folder: nil, seeds: [])
        let door = Self.door(cloud, logger)
        // From now on no write succeeds.
        await cloud.close()
        let request = Request(
            method: .post, target: "/_virga/clock", authority: "localhost:4566", headers: [.contentType: "application/json"],
            body: RequestBody(buffer: ByteBuffer(string: #"{"age":"PT1M"}"#)))
        let response = await door.respond(to: request, peer: nil, isSecure: false)
        #expect(response.status == .internalServerError)
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line.message == "A request failed")
        let entry = try #require(cloud.journal.recent(limit: 1) { _ in true }.first)
        #expect(line.metadata["request"] == "\(entry.requestID)")
        #expect(line.metadata["error"]?.description.contains("closed") == true)
        #expect(entry.errorMessage == "Virga failed; its log says why.")
    }

    @Test("is logged for the website endpoint of a bucket too")
    func website() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in lines }
        let cloud = try await Cloud.open(folder: nil, seeds: [])
        var configuration = cloud.newBucketConfiguration
        // The store keeps what the face checked; this text was damaged since.
        configuration.documents[.website] = "<WebsiteConfiguration"
        _ = try await cloud.objects.createBucket(
            named: "pages", account: "000000000000", region: "us-east-1", created: cloud.clock.now, configuration: configuration)
        let door = Self.door(cloud, logger)
        let request = Request(
            method: .get, target: "/index.html", authority: "pages.s3-website.localhost:4566", headers: [:],
            body: RequestBody(buffer: ByteBuffer()))
        let response = await door.respond(to: request, peer: nil, isSecure: false)
        #expect(response.status == .internalServerError)
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line.message == "A request failed")
        #expect(line.metadata["error"] != nil)
        await cloud.close()
    }

    private static func door(_ cloud: Cloud, _ logger: Logger) -> FrontDoor {
        FrontDoor(
            cloud: cloud, names: HostNames(), services: .unreachable(cloud, logger),
            control: ControlServices(access: ControlAccess(token: nil, isLoopback: true)))
    }

    @Test("is not logged if the client has disconnected")
    func cancellation() async throws {
        let cloud = try await Cloud.open(folder: nil, seeds: [])
        let request = Request(method: .get, target: "/", authority: "localhost", headers: [:], body: RequestBody(buffer: ByteBuffer()))
        let call = Call(request: request, peer: nil, isSecure: false, cloud: cloud, names: HostNames())
        call.note(failure: CancellationError())
        #expect(call.failure == nil)
        call.note(failure: ChannelError.eof)
        #expect(call.failure != nil)
        await cloud.close()
    }
}

/// Records the lines of a logger.
private final class Lines: LogHandler {
    struct Line {
        var message: String
        var metadata: Logger.Metadata
    }

    private let lines = Mutex<[Line]>([])
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .warning }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    var all: [Line] { lines.withLock { $0 } }

    func log(event: LogEvent) {
        lines.withLock { $0.append(Line(message: "\(event.message)", metadata: event.metadata ?? [:])) }
    }
}
