import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The errors on demand of the console")
struct FaultPanelTests {
    @Test("are listed with their calls, their effect and how often they were applied")
    func list() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /faults"] = [
                "faults": [
                    [
                        "id": "f1", "name": "slow", "service": "s3", "caller": "bob", "error": ["code": "SlowDown", "status": 503],
                        "times": 2, "met": 3, "struck": 2, "live": false,
                    ],
                    [
                        "id": "f2", "connection": "answer", "latency_ms": 500, "times": "always", "probability": 0.5, "seed": 7, "met": 0,
                        "struck": 0, "live": true,
                    ],
                ]
            ]
            let text = try await console.send(.get, "/time").text
            #expect(text.contains("<strong><bdi>slow</bdi></strong>"))
            #expect(text.contains("<bdi>s3 by bob</bdi>"))
            #expect(text.contains("<bdi>error SlowDown (503)</bdi>"))
            #expect(text.contains(">2 of 2</td>"))
            #expect(text.contains("used up"))
            #expect(text.contains("<bdi>every call</bdi>"))
            #expect(
                text.contains(
                    "the request is processed, and the response is lost, the response is 500 ms late, by a chance of 50 %"))
            #expect(text.contains(">0, always</td>"))
        }
    }

    @Test("have the codes of services with the same codes together")
    func codes() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            let throttling: JSONValue = [["code": "Throttling", "status": 400, "message": "Rate exceeded"]]
            console.answers["GET /faults/catalogue"] = [
                "services": [
                    ["name": "sts", "codes": throttling],
                    ["name": "s3", "codes": [["code": "SlowDown", "status": 503, "message": "Reduce your request rate."]]],
                    ["name": "iam", "codes": throttling],
                ]
            ]
            let text = try await console.send(.get, "/time").text
            #expect(text.contains("<optgroup label=\"sts, iam\">"))
            #expect(text.contains("<optgroup label=\"s3\">"))
            #expect(text.contains("(503)</option>"))
        }
    }
}
