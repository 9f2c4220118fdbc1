import Calls
import Cloud
import Cryptography
import Fixtures
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Testing
import WireFormats

/// A door that takes no customer keys, and records the order of its checks.
private struct TestDoor: ReadingDoor {
    enum Failure: Error, Equatable {
        case denied
        case refused(String)
    }

    var policy = ReadPolicy(archive: .beforeConditions)
    var isAllowed = true
    var readsArchivesDirectly = false

    func permit(_ record: ObjectRecord) throws(Failure) { try permitAbsence() }

    func permitAbsence() throws(Failure) {
        if !isAllowed { throw .denied }
    }

    func readsDirectly(_ storageClass: StorageClass) throws(Failure) -> Bool { readsArchivesDirectly }

    func error(for refusal: ReadRefusal) -> Failure {
        switch refusal {
        case .missing: .refused("missing")
        case .deleteMarker: .refused("delete marker")
        case .customerKey: .refused("customer key")
        case .archived(let storageClass): .refused("archived in \(storageClass.rawValue)")
        case .conditionFailed(let condition): .refused("condition \(condition)")
        case .invalidPartNumber: .refused("part number")
        case .missingPart(_, let count): .refused("one of \(count) parts")
        case .rangeOfPart: .refused("range of part")
        case .unsatisfiableRange(_, let size): .refused("range of \(size)")
        case .store: .refused("store")
        }
    }
}

@Suite("Reading an object")
struct ObjectReadingTests {
    private static func run(
        through door: TestDoor = TestDoor(), storageClass: String? = nil, encryption: ObjectEncryption? = nil,
        _ test: (ObjectReading<TestDoor>) throws -> Void
    ) async throws {
        try await withCloud("{accounts: [{id: '000000000000', buckets: [{name: 'files'}]}]}") { cloud async throws in
            let bucket = try #require(cloud.objects.bucket(named: "files"))
            let writer = cloud.objects.stage(expecting: 10)
            try await writer.append(ByteBuffer(string: "0123456789"))
            var attributes = ObjectAttributes()
            attributes.storageClass = storageClass
            _ = try await cloud.objects.put(
                NewObject(
                    key: "a", attributes: attributes, md5: MD5.hash("0123456789"), owner: bucket.account, modified: cloud.clock.now,
                    properties: ObjectProperties(encryption: encryption)),
                in: bucket.id, body: writer)
            try test(ObjectReading(in: bucket, Call(.get, "/", [:], cloud: cloud), through: door))
        }
    }

    private static let failing = ReadInput([.ifMatch: "\"other\""])

    @Test("asks for permission before it says what is there")
    func permission() async throws {
        try await Self.run(through: TestDoor(isAllowed: false), encryption: ObjectEncryption(scheme: .customer)) { reading in
            #expect(throws: TestDoor.Failure.denied) { try reading.open("a") }
            #expect(throws: TestDoor.Failure.denied) { try reading.head("missing") }
        }
    }

    @Test("refuses missing objects, and customer keys that the door cannot check")
    func refusals() async throws {
        try await Self.run(storageClass: "GLACIER", encryption: ObjectEncryption(scheme: .customer)) { reading in
            #expect(throws: TestDoor.Failure.refused("missing")) { try reading.open("b") }
            #expect(throws: TestDoor.Failure.refused("customer key")) { try reading.open("a") }
            #expect(throws: TestDoor.Failure.refused("customer key")) { try reading.head("a") }
        }
    }

    @Test("refuses archived objects when the door's policy says", arguments: ["GLACIER", "DEEP_ARCHIVE", "DeepColdArchive"])
    func archive(_ storageClass: String) async throws {
        let archived = TestDoor.Failure.refused("archived in \(storageClass)")
        try await Self.run(through: TestDoor(policy: ReadPolicy(archive: .whenOpened)), storageClass: storageClass) { reading in
            #expect(throws: archived) { try reading.open("a") }
        }
        try await Self.run(through: TestDoor(policy: ReadPolicy(archive: .beforeConditions)), storageClass: storageClass) { reading in
            let object = try reading.open("a")
            #expect(throws: archived) { try reading.select(object, Self.failing) }
        }
        try await Self.run(through: TestDoor(policy: ReadPolicy(archive: .afterConditions)), storageClass: storageClass) { reading in
            let object = try reading.open("a")
            #expect(throws: TestDoor.Failure.refused("condition If-Match")) { try reading.select(object, Self.failing) }
            #expect(throws: archived) { try reading.select(object, ReadInput()) }
        }
        try await Self.run(through: TestDoor(policy: ReadPolicy(archive: .never)), storageClass: storageClass) { reading in
            _ = try reading.select(try reading.head("a"), ReadInput())
        }
        try await Self.run(through: TestDoor(readsArchivesDirectly: true), storageClass: storageClass) { reading in
            _ = try reading.select(try reading.open("a"), ReadInput())
        }
    }

    @Test("selects a range or a part")
    func selection() async throws {
        try await Self.run { reading in
            let object = try reading.open("a")
            func range(_ input: ReadInput) throws -> Range<Int64>? {
                guard case .selected(let selection) = try reading.select(object, input) else { return nil }
                return selection.range
            }
            #expect(try range(ReadInput()) == nil)
            #expect(try range(ReadInput([.range: "bytes=2-3"])) == 2..<4)
            #expect(try range(ReadInput([:], partNumber: "1")) == 0..<10)
            #expect(throws: TestDoor.Failure.refused("one of 1 parts")) { try range(ReadInput([:], partNumber: "2")) }
            #expect(throws: TestDoor.Failure.refused("part number")) { try range(ReadInput([:], partNumber: "0")) }
            #expect(throws: TestDoor.Failure.refused("range of part")) { try range(ReadInput([.range: "bytes=0-1"], partNumber: "1")) }
            #expect(throws: TestDoor.Failure.refused("range of 10")) { try range(ReadInput([.range: "bytes=10-"])) }
        }
    }

    @Test("compares tags and dates as the door's policy says")
    func comparison() async throws {
        let tag = "\"781E5E245D69B566979B86E28D23F2C7\""
        try await Self.run { reading in
            #expect(throws: TestDoor.Failure.refused("condition If-Match")) {
                try reading.select(try reading.head("a"), ReadInput([.ifMatch: tag]))
            }
            let future = ReadInput([.ifModifiedSince: "Fri, 01 Jan 2100 00:00:00 GMT"])
            guard case .selected = try reading.select(try reading.head("a"), future) else {
                Issue.record("A date in the future was taken as a condition")
                return
            }
        }
        let door = TestDoor(policy: ReadPolicy(archive: .never, ignoresCaseOfTags: true, comparesFutureDates: true))
        try await Self.run(through: door) { reading in
            _ = try reading.select(try reading.head("a"), ReadInput([.ifMatch: tag]))
            let future = ReadInput([.ifModifiedSince: "Fri, 01 Jan 2100 00:00:00 GMT"])
            guard case .notModified("If-Modified-Since") = try reading.select(try reading.head("a"), future) else {
                Issue.record("A date in the future was no condition")
                return
            }
        }
    }
}
