import Fixtures
import HTTPTypes
import Testing

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Fault rules")
struct FaultsTests {
    private let call = FaultableCall(
        service: "s3", action: "GetObject", caller: "arn:aws:iam::000000000000:user/ann",
        resources: ["/box/a.txt", "arn:aws:s3:::box/a.txt"])

    private func throttling(_ change: (inout FaultRule) -> Void = { _ in }) -> FaultRule {
        var rule = FaultRule(failure: .init(code: "Throttling"))
        change(&rule)
        return rule
    }

    private static let cases: [(rule: FaultRule, strikes: Bool)] = [
        (FaultRule(), true), (FaultRule(service: "s3"), true), (FaultRule(service: "S*"), true), (FaultRule(service: "sts"), false),
        (FaultRule(action: "GetObject"), true), (FaultRule(action: "getobject"), true), (FaultRule(action: "Get*"), true),
        (FaultRule(action: "Get"), false), (FaultRule(action: "Put*"), false),
        (FaultRule(caller: "arn:aws:iam::*:user/ann"), true), (FaultRule(caller: "arn:aws:iam::*:user/ANN"), false),
        (FaultRule(caller: "arn:aws:iam::*:role/*"), false), (FaultRule(resource: "arn:aws:s3:::box/*"), true),
        (FaultRule(resource: "/box/?.txt"), true), (FaultRule(resource: "arn:aws:s3:::box"), false),
        (FaultRule(service: "s3", action: "Get*", resource: "*/b.txt"), false),
    ]

    @Test("apply to calls that match every pattern", arguments: cases)
    func patterns(rule: FaultRule, strikes: Bool) {
        let faults = Faults()
        var rule = rule
        rule.failure = .init(code: "Throttling")
        _ = faults.add(rule)
        #expect(faults.apply(call).count == (strikes ? 1 : 0))
    }

    @Test("with a caller or a resource do not apply to calls without one")
    func unknown() {
        let faults = Faults()
        _ = faults.add(throttling { $0.caller = "*" })
        _ = faults.add(throttling { $0.resource = "*" })
        #expect(faults.apply(FaultableCall(service: "sts", action: "GetCallerIdentity")).isEmpty)
    }

    @Test("apply as often as `times` says, and then no longer", arguments: [1, 3])
    func times(count: Int) {
        let faults = Faults()
        #expect(!faults.isArmed)
        _ = faults.add(throttling { $0.times = count })
        let strikes = (0..<5).map { _ in faults.isArmed && !faults.apply(call).isEmpty }
        #expect(strikes == (0..<5).map { $0 < count })
        #expect(!faults.isArmed)
        #expect(faults.all.map(\.struck) == [count])
        #expect(faults.all.map(\.isLive) == [false])
    }

    @Test("can apply without limit")
    func always() {
        let faults = Faults()
        _ = faults.add(throttling { $0.times = nil })
        for _ in 0..<100 { #expect(faults.apply(call).count == 1) }
        #expect(faults.isArmed)
    }

    @Test("with one seed apply to the same calls, as often as the probability says")
    func probability() {
        func strikes(seed: UInt64) -> [Bool] {
            let faults = Faults()
            _ = faults.add(
                throttling {
                    $0.times = nil; $0.probability = 0.3; $0.seed = seed
                })
            return (0..<1000).map { _ in !faults.apply(call).isEmpty }
        }
        let first = strikes(seed: 7)
        #expect(first == strikes(seed: 7))
        #expect(first != strikes(seed: 8))
        #expect((230...370).contains(first.count { $0 }))
    }

    @Test("add up their latencies, up to the first that ends the call")
    func order() {
        let faults = Faults()
        let late = faults.add(FaultRule(latency: .seconds(1), times: nil))
        let first = faults.add(throttling())
        let second = faults.add(throttling())
        #expect(faults.apply(call).map(\.id) == [late.id, first.id])
        #expect(faults.apply(call).map(\.id) == [late.id, second.id])
        #expect(faults.apply(call).map(\.id) == [late.id])
    }

    @Test("are removed one by one or all together")
    func removal() {
        let faults = Faults()
        let first = faults.add(throttling())
        let second = faults.add(throttling())
        #expect(first.id != second.id)
        #expect(faults.remove(first.id))
        #expect(!faults.remove(first.id))
        #expect(faults.all.map(\.id) == [second.id])
        faults.removeAll()
        #expect(faults.all.isEmpty)
        #expect(!faults.isArmed)
        #expect(faults.add(throttling()).id != second.id)
    }

    @Test("are removed by a reset")
    func reset() async throws {
        try await withSandbox { cloud async throws in
            _ = cloud.faults.add(throttling())
            try await cloud.reset()
            #expect(!cloud.faults.isArmed)
            #expect(cloud.faults.all.isEmpty)
        }
    }

    @Test(
        "have patterns that match whole texts",
        arguments: [
            ("", "", true), ("", "a", false), ("*", "", true), ("a*c", "abc", true), ("a*c", "ac", true), ("a*c", "abcd", false),
            ("*b*", "abc", true), ("a?c", "abc", true), ("a?c", "ac", false), ("*a*a*", "banana", true), ("?", "ü", true),
            ("**", "x", true), ("*.txt", "a.txt.txt", true),
        ])
    func wildcards(pattern: String, text: String, fits: Bool) {
        #expect(Wildcard(pattern).matches(text) == fits)
    }

    @Test(
        "have the status that each service defines for a code",
        arguments: [
            ("SlowDown", .s3, 503), ("ExpiredToken", .s3, 400), ("ExpiredToken", .query, 403), ("Throttling", .query, 400),
            ("RequestLimitExceeded", .query, 503), ("IDPCommunicationError", .query, 400), ("SlowDown", .query, 503),
            ("InternalError", .s3, 500),
        ] as [(String, FaultCatalogue.Family, Int)])
    func catalogue(code: String, family: FaultCatalogue.Family, status: Int) {
        #expect(FaultCatalogue.entry(code, in: family)?.status.code == status)
    }
}
