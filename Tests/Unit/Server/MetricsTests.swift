import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("Metrics")
struct MetricsTests {
    @Test("count requests by service, class of status and duration")
    func counts() throws {
        let metrics = RequestMetrics()
        metrics.record(.s3, status: 200, duration: .microseconds(100), received: nil, sent: 5)
        metrics.record(.s3, status: 204, duration: .microseconds(101), received: 7, sent: nil)
        metrics.record(.s3, status: 503, duration: .seconds(11), received: nil, sent: nil)
        metrics.record(.s3, status: 0, duration: .zero, received: nil, sent: nil)
        metrics.record(.sts, status: 403, duration: .milliseconds(3), received: -1, sent: nil)
        let totals = metrics.totals
        #expect(totals.map(\.service) == [.s3, .sts])
        let counts = try #require(totals.first?.counts)
        #expect(counts.byClass == [1, 0, 2, 0, 0, 1])
        // A bound belongs to its bucket, and the last bucket has none.
        #expect(counts.cumulative.prefix(2) == [2, 3])
        #expect(counts.cumulative.suffix(2) == [3, 4])
        #expect((counts.received, counts.sent) == (7, 5))
        #expect(counts.duration == .microseconds(11_000_201))
    }

    @Test("are the sum of what all threads counted")
    func threads() async {
        let metrics = RequestMetrics()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { metrics.record(.oss, status: 200, duration: .milliseconds(1), received: 1, sent: 2) }
                }
            }
        }
        let counts = metrics.totals.first?.counts
        #expect(counts?.byClass[2] == 8000)
        #expect(counts?.cumulative.last == 8000)
        #expect(counts?.received == 8000)
        #expect(counts?.sent == 16_000)
    }

    @Test("are escaped, and differ between the two formats in the names of counters", arguments: [false, true])
    func exposition(isOpenMetrics: Bool) {
        var exposition = Exposition(isOpenMetrics: isOpenMetrics)
        exposition.begin("a_total", .counter, "Say \"a\\b\"\n.")
        exposition.add("a_total", ["x": "\"\\\n"], "1")
        exposition.add("b", .gauge, "B.", 2)
        let text = exposition.finish()
        let sample = #"a_total{x="\"\\\n"} 1"# + "\n"
        if isOpenMetrics {
            #expect(text == #"# HELP a Say \"a\\b\"\n."# + "\n# TYPE a counter\n" + sample + "# HELP b B.\n# TYPE b gauge\nb 2\n# EOF\n")
        } else {
            #expect(
                text == ##"# HELP a_total Say "a\\b"\n."## + "\n# TYPE a_total counter\n" + sample + "# HELP b B.\n# TYPE b gauge\nb 2\n")
        }
    }

    @Test(
        "distinguish few services",
        arguments: [
            (.s3, "s3"), (.website, "s3"), (.consolePages, "console"), (.consoleEntrance, "console"), (.control, "control"),
            (.identityProvider, "identity"), (.unavailable, "unavailable"), (.forwarded, "forwarded"),
            (.organizations, "organizations"), (.accountManagement, "account"), (.identityPools, "cognito"),
            (.userPools, "cognito"),
        ] as [(Endpoint, String)])
    func services(endpoint: Endpoint, label: String) { #expect(endpoint.service.label == label) }

    @Test(
        "count a form for the service of its version",
        arguments: [
            ("Action=GetCallerIdentity&Version=2011-06-15", .sts), ("Action=ListUsers&Version=2010-05-08", .iam),
            ("Action=AssumeRole&Version=2015-04-01", .alibaba), ("Action=ListUsers&Version=2015-05-01", .alibaba),
            ("Action=GetUser&Version=2019-08-15", .alibaba), ("Action=X", .s3), ("%GG", .s3),
        ] as [(String, MeteredService)])
    func forms(body: String, service: MeteredService) async throws {
        let requests = RequestMetrics()
        try await DoorOfATest.run(observers: RequestObservers(requests: requests)) { test in
            _ = try await test.send(.post, "/", body, fields: [.contentType: RouteRow.form])
        }
        #expect(requests.totals.map(\.service) == [service])
    }

    @Test("describe this process")
    func process() {
        let process = ProcessStatistics()
        #if os(Linux)
            #expect(process.residentMemory ?? 0 > 1 << 20)
            #expect(process.virtualMemory ?? 0 > process.residentMemory ?? 0)
            #expect(process.openDescriptors ?? 0 >= 3)
            #expect(process.threads ?? 0 >= 1)
            #expect(process.start ?? 0 > 1_600_000_000)
        #endif
        #expect(process.cpu ?? -1 >= 0)
    }
}
