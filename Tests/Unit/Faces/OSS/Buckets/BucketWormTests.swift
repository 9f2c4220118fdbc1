import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

@Suite("The WORM policy of buckets of OSS")
struct OSSBucketWormTests {
    private func document(_ root: String, _ days: String) -> String {
        "<\(root)><RetentionPeriodInDays>\(days)</RetentionPeriodInDays></\(root)>"
    }

    @Test("can be aborted until it is locked, and then extended")
    func life() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?worm").code == "NoSuchWORMConfiguration")
            let initiate = document("InitiateWormConfiguration", "1")
            let first = try await oss.send(.post, "/files?worm", document: initiate)
            #expect(first.status == 200)
            #expect(first["x-oss-worm-id"]?.isEmpty == false)
            #expect(try await oss.send(.post, "/files?worm", document: initiate).code == "InvalidWORMConfiguration")
            #expect(try await oss.send(.delete, "/files?worm").status == 204)
            let second = try await oss.send(.post, "/files?worm", document: initiate)
            let id = try #require(second["x-oss-worm-id"])
            let worm = try await oss.send(.get, "/files?worm")
            #expect(worm.element("WormId") == id)
            #expect(worm.element("State") == "InProgress")
            #expect(worm.element("RetentionPeriodInDays") == "1")
            #expect(worm.element("CreationDate")?.hasSuffix("Z") == true)
            let extend = document("ExtendWormConfiguration", "2")
            #expect(try await oss.send(.post, "/files?wormExtend&wormId=\(id)", document: extend).code == "InvalidWORMConfiguration")
            #expect(try await oss.send(.post, "/files?wormId=other").code == "NoSuchWORMConfiguration")
            #expect(try await oss.send(.post, "/files?wormId=\(id)").status == 200)
            #expect(try await oss.send(.get, "/files?worm").element("State") == "Locked")
            let abort = try await oss.send(.delete, "/files?worm")
            #expect(abort.status == 403)
            #expect(abort.code == "WORMConfigurationLocked")
            let fewer = try await oss.send(.post, "/files?wormExtend&wormId=\(id)", document: document("ExtendWormConfiguration", "1"))
            #expect(fewer.status == 400)
            #expect(fewer.code == "InvalidWORMConfiguration")
            // The parameters may be in any order.
            #expect(try await oss.send(.post, "/files?wormId=\(id)&wormExtend", document: extend).status == 200)
            #expect(try await oss.send(.get, "/files?worm").element("RetentionPeriodInDays") == "2")
            #expect(try await oss.send(.post, "/files?worm", document: document("InitiateWormConfiguration", "x")).code == "MalformedXML")
            #expect(
                try await oss.send(.post, "/files?worm", document: document("InitiateWormConfiguration", "0")).code == "InvalidArgument")
        }
    }

    @Test("lets only one of several concurrent writers create an object")
    func races() async throws {
        try await OSSSandbox.run { oss async throws in
            _ = try await oss.send(.post, "/files?worm", document: document("InitiateWormConfiguration", "1"))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 { group.addTask { try await oss.put("once", "text \(number)").status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 1)
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 409 })
            let deleted = try await oss.send(.delete, "/files/once")
            #expect(deleted.status == 409)
            #expect(deleted.code == "FileImmutable")
        }
    }

    @Test("is either locked or aborted by concurrent requests")
    func lockedRace() async throws {
        try await OSSSandbox.run { oss async throws in
            for _ in 0..<8 {
                let initiated = try await oss.send(.post, "/files?worm", document: document("InitiateWormConfiguration", "1"))
                let id = try #require(initiated["x-oss-worm-id"])
                async let aborted = oss.send(.delete, "/files?worm").status
                async let locked = oss.send(.post, "/files?wormId=\(id)").status
                let (abort, lock) = try await (aborted, locked)
                #expect((abort == 204) != (lock == 200))
                if lock == 200 {
                    #expect(try await oss.send(.get, "/files?worm").element("State") == "Locked")
                    return
                }
            }
        }
    }

    @Test("is removed unless it is locked within a day")
    func lapse() async throws {
        try await OSSSandbox.run { oss async throws in
            _ = try await oss.send(.post, "/files?worm", document: document("InitiateWormConfiguration", "1"))
            try await oss.cloud.age(by: .seconds(25 * 3600))
            #expect(try await oss.send(.get, "/files?worm").code == "NoSuchWORMConfiguration")
        }
    }

    @Test("also works for a bucket that is shared with S3")
    func shared() async throws {
        let seed = """
            {accounts: [{id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}]}],
             alibaba: {accounts: [{id: "1234567890123456", name: "harbour", rootKeys: [{id: "LTAIowner", secret: "owner"}],
               buckets: [{name: "files", sharedWith: "000000000000"}]}]}}
            """
        try await OSSSandbox.run(seed: seed) { oss async throws in
            #expect(try await oss.send(.post, "/files?worm", document: document("InitiateWormConfiguration", "1")).status == 200)
            try await oss.put("a", "1")
            #expect(try await oss.send(.delete, "/files/a").code == "FileImmutable")
        }
    }
}
