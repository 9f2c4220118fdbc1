import Testing
import WireFormats

@testable import Cloud

@Suite("Used identifiers")
struct UsedIdentifiersTests {
    private let identifiers = UsedIdentifiers { origin in
        switch origin {
        case .knownClients: .init(source: 4, all: 8)
        case .openClients: .init(source: 2, all: 4)
        case .proofs, .challenges, .providerStates: .init(source: 3, all: 3)
        }
    }

    private func take(
        _ identifier: String, of source: String = "a", _ origin: UsedIdentifiers.Origin = .openClients, until end: Int64 = 100,
        now: Int64 = 0
    ) -> UsedIdentifiers.Answer {
        identifiers.take(identifier, of: source, origin, until: Timestamp(seconds: end), now: Timestamp(seconds: now))
    }

    @Test("are rejected until they expire, each for its source")
    func again() {
        #expect(take("x") == .new)
        #expect(take("x") == .used)
        #expect(take("x", now: 100) == .used)
        #expect(take("x", of: "b") == .new)
        #expect(take("x", .knownClients) == .new)
        #expect(take("x", until: 200, now: 101) == .new)
        #expect(take("x", now: 101) == .used)
    }

    @Test("of one source do not keep out those of others, and are never forgotten while they are valid")
    func ofOneSource() {
        #expect(take("1") == .new)
        #expect(take("2", until: 50) == .new)
        #expect(take("3") == .tooMany)
        #expect(take("1") == .used)
        #expect(take("3", of: "b") == .new)
        #expect(take("3", now: 51) == .new)
        #expect(take("1", now: 51) == .used)
        #expect(take("4", now: 51) == .tooMany)
    }

    @Test("of one origin do not keep out those of others")
    func ofOneOrigin() {
        for source in ["a", "b"] {
            for identifier in ["1", "2"] { #expect(take(identifier, of: source) == .new) }
        }
        #expect(take("1", of: "c") == .tooMany)
        #expect(take("1", of: "c", .knownClients) == .new)
        #expect(take("1", of: "c", .proofs) == .new)
        #expect(take("1", of: "c", now: 101) == .new)
    }

    @Test("of openly registered clients have a limit for each client, and those of known clients a higher one")
    func usual() {
        let limit = UsedIdentifiers.Limit.usual
        #expect(limit(.openClients).source < limit(.openClients).all)
        #expect(limit(.knownClients).source > limit(.openClients).source)
    }
}
