import GatewayFace
import Testing
import WireFormats

@Suite("Shard iterators of Kinesis")
struct ShardIteratorsTests {
    private static let mine = GatewayOfATest.arn("kinesis:@:stream/mine")

    private static func order(_ operation: String, _ members: JSONObject, key: String = "ann-key") -> GatewayOfATest.Order {
        var order = GatewayOfATest.Order.json(
            "kinesis", "Kinesis_20131202.\(operation)", JSONValue.object(members).serialized(), version: "1.1")
        order.key = key
        return order
    }

    /// Answers as a server whose iterators have the names of their streams.
    private static func answer(_ order: UpstreamOrder) throws -> UpstreamAnswer {
        let document = try JSONValue(parsing: order.body)
        if let name = document["StreamName"]?.stringValue { return .json(["ShardIterator": .string("first of \(name)")]) }
        let iterator = document["ShardIterator"]?.stringValue ?? ""
        return .json(["Records": [], "NextShardIterator": .string("next of \(iterator)"), "MillisBehindLatest": 0])
    }

    private static func makeIterator(_ test: GatewayOfATest, of stream: String, key: String = "ann-key") async throws -> Int {
        let members: JSONObject = ["StreamName": .string(stream), "ShardId": "shardId-0", "ShardIteratorType": "LATEST"]
        return try await test.send(order("GetShardIterator", members, key: key)).status
    }

    private static func read(
        _ test: GatewayOfATest, _ iterator: String, beside stream: String? = nil, key: String = "ann-key"
    ) async throws -> Int {
        var members: JSONObject = ["ShardIterator": .string(iterator)]
        if let stream { members["StreamARN"] = .string(stream) }
        return try await test.send(order("GetRecords", members, key: key)).status
    }

    @Test("G12: records are read with the permission on the stream of the iterator, whatever is beside it")
    func decidesOnTheirStream() async throws {
        let statement = GatewayOfATest.allow("kinesis:*", Self.mine)
        try await GatewayOfATest.run(statement, answer: { try Self.answer($0) }) { test async throws in
            #expect(try await Self.makeIterator(test, of: "mine") == 200)
            #expect(try await Self.read(test, "first of mine") == 200)
            #expect(try await Self.read(test, "next of first of mine", beside: Self.mine) == 200)
            #expect(try await Self.read(test, "next of next of first of mine") == 200)
            #expect(try await Self.makeIterator(test, of: "others") == 400)
            #expect(try await Self.makeIterator(test, of: "others", key: "test") == 200)
            let count = test.upstream.orders.count
            #expect(try await Self.read(test, "first of others") == 400)
            #expect(try await Self.read(test, "first of others", beside: Self.mine) == 400)
            #expect(try await Self.read(test, "unknown", beside: Self.mine) == 400)
            #expect(test.upstream.orders.count == count)
            #expect(try await Self.read(test, "unknown", key: "test") == 200)
            // It is not known whether the next iterator is of the stream that was written, or of the unknown one.
            #expect(try await Self.read(test, "unknown", beside: Self.mine, key: "test") == 200)
            #expect(try await Self.read(test, "next of unknown", beside: Self.mine) == 400)
            #expect(test.rules.budget.held == 0)
        }
    }

    @Test("G12: the newest iterators are remembered, each at its server")
    func remembers() {
        let iterators = ShardIterators(capacity: 2)
        for name in ["a", "b", "b", "c"] { iterators.note(name, of: "stream/\(name)", at: "http://moto:5000") }
        #expect(iterators.stream(of: "a", at: "http://moto:5000") == nil)
        #expect(iterators.stream(of: "b", at: "http://moto:5000") == "stream/b")
        #expect(iterators.stream(of: "c", at: "http://moto:5000") == "stream/c")
        #expect(iterators.stream(of: "c", at: "http://other:5000") == nil)
        iterators.note("d", of: "stream/d", at: "http://moto:5000")
        #expect(iterators.stream(of: "b", at: "http://moto:5000") == nil)
        #expect(iterators.stream(of: "d", at: "http://moto:5000") == "stream/d")
    }
}
