import Calls
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The servers of forwarded services on the first page")
struct HomeUpstreamTests {
    private static func info(_ upstreams: JSONValue) -> JSONValue {
        [
            "version": "1", "sandbox": "default", "generation": 1,
            "clock": ["now": "2026-01-01T00:00:00.000Z", "mode": "running", "ages": []], "accounts": [], "services": [],
            "upstreams": upstreams, "providers": [], "faults": 0, "counts": [:],
        ]
    }

    @Test("show whether they answer")
    func states() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            let many: JSONValue = ["sqs", "sns", "kms", "ssm", "logs", "events"]
            console.answers["GET /info"] = Self.info([
                ["address": "moto:5000", "services": ["sns", "sqs"], "state": "answering", "error": nil],
                ["address": "kms:4599", "services": ["kms"], "state": "unreachable", "error": "connection <refused>"],
                ["address": "other:1", "services": many, "state": "unused", "error": nil],
            ])
            let text = try await console.send(.get, "/").text
            #expect(text.contains("moto:5000"))
            #expect(text.contains("sns, sqs: answers"))
            #expect(text.contains("kms: does not answer: connection &lt;refused&gt;"))
            #expect(text.contains("6 services: not used yet"))
        }
    }

    @Test("say how to have them")
    func none() async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.get, "/").text.contains("--forward sqs=http://127.0.0.1:5000"))
        }
    }
}
