import Cloud
import Federation
import HTTPTypes
import NIOCore
import Testing

@testable import Calls

@Suite("Errors on demand of a call")
struct CallFaultsTests {
    @Test("delay it, also before an error", arguments: [nil, FaultRule.Failure(code: "SlowDown")])
    func latency(failure: FaultRule.Failure?) async throws {
        let cloud = try await Cloud.open(folder: nil, seeds: [])
        _ = cloud.faults.add(FaultRule(failure: failure, latency: .seconds(3600), times: nil))
        let call = Call(
            request: Request(
                head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/"), body: RequestBody(buffer: ByteBuffer())),
            peer: nil, isSecure: false, cloud: cloud, names: HostNames())
        let (own, inner) = (
            Task { try await call.applyFaults(FaultableCall(service: "s3", action: "GetObject")) },
            Task { _ = try await call.applyFaults(calling: FaultableCall(service: "s3", action: "GetObject")) }
        )
        for waiting in [own, inner] {
            // Only a call that waits can be cancelled.
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        await cloud.close()
    }
}
