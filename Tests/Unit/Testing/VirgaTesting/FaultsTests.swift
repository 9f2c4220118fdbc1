import Fixtures
import Testing
import VirgaTesting

@Suite("Errors on demand")
struct FaultsTests {
    @Test("strike as many requests as they should, and are counted")
    func times() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            let fault = try await cloud.faults.add(service: "s3", action: "Put*", error: "SlowDown", times: 2)
            #expect(fault.isActive)
            #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 503)
            #expect(try await OpenBucket.get("key", at: cloud.endpoint) == nil)
            #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 503)
            #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 200)
            let listed = try #require(try await cloud.faults.list().first)
            #expect((listed.id, listed.matched, listed.applied, listed.isActive) == (fault.id, 2, 2, false))
        }
    }

    @Test("apply until they are removed")
    func removal() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            let fault = try await cloud.faults.add(Fault(error: .code("Teapot", status: 418, message: "Short and stout"), times: .always))
            #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 418)
            try await cloud.faults.remove(fault)
            #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 200)
            let error = await #expect(throws: CloudError.self) { try await cloud.faults.remove(fault) }
            #expect(error?.code == .unknownFault)
            try await cloud.faults.add(error: "SlowDown", times: .always)
            try await cloud.faults.removeAll()
            #expect(try await cloud.faults.list().isEmpty)
        }
    }

    @Test("drop connections, and apply to one caller alone")
    func connection() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            try await cloud.faults.add(caller: .role("app"), connection: .request, times: .always)
            #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 200)
            // The client repeats a request whose connection was closed once.
            try await cloud.faults.add(connection: .request, times: .always)
            await #expect(throws: (any Error).self) { try await OpenBucket.put("text", "key", at: cloud.endpoint) }
        }
    }

    @Test(
        "are rejected with the reason if they are not valid",
        arguments: [
            (Fault(service: "s3"), "The rule has no effect. Add error:, connection: or latency:."),
            (
                Fault(error: "SlowDwon"),
                "The error code 'SlowDwon' is unknown. Correct it, or add its status: .code(\"SlowDwon\", status: 400)."
            ),
            (Fault(error: "SlowDown", connection: .body), "'error' and 'connection' cannot be combined. Add two rules."),
            (Fault(error: "SlowDown", times: 0), "'times' must be 1 or more, or .always."),
            (Fault(error: .code("A", status: 200)), "The status of an error must be from 400 to 599."),
            (Fault(latency: .seconds(3601)), "'latency' must be at least zero and at most an hour."),
            (Fault(error: "SlowDown", probability: 0), "'probability' must be more than 0 and at most 1."),
            (
                Fault(error: .code("A B", status: 400)),
                "An error code must be printable ASCII without spaces, quotation marks and backslashes."
            ),
        ])
    func invalid(fault: Fault, message: String) async throws {
        try await withCloud { cloud async throws in
            let error = await #expect(throws: CloudError.self) { try await cloud.faults.add(fault) }
            #expect(error == nil || error?.message == message)
            #expect(error?.code == .invalidArgument)
            #expect(try await cloud.faults.list().isEmpty)
        }
    }
}
