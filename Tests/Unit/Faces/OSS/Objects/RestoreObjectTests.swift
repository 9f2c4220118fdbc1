import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, RestoreObject and CleanRestoredObject.
@Suite("Archived objects of OSS")
struct RestoreObjectTests {
    @Test("can be read after a restore, which takes some of the sandbox's time")
    func archive() async throws {
        try await OSSSandbox.run { oss async throws in
            // The clock is frozen, so that the duration of the test does not matter.
            try await oss.cloud.change(clock: .freeze(at: nil))
            try await oss.put("old", "x", ["x-oss-storage-class": "Archive"])
            let refused = try await oss.send(.get, "/files/old")
            #expect(refused.status == 403)
            #expect(refused.code == "InvalidObjectState")
            #expect(try await oss.send(.head, "/files/old")["x-oss-storage-class"] == "Archive")
            #expect(try await oss.send(.put, "/files/copy", ["x-oss-copy-source": "/files/old"]).code == "InvalidObjectState")
            let asked = try await oss.send(.post, "/files/old?restore")
            #expect(asked.status == 202)
            #expect(asked["x-oss-object-restore-priority"] == nil)
            #expect(try await oss.send(.head, "/files/old")["x-oss-restore"] == "ongoing-request=\"true\"")
            #expect(try await oss.send(.get, "/files?prefix=public").element("Contents", "RestoreInfo") == nil)
            #expect(try await oss.send(.get, "/files/old").code == "InvalidObjectState")
            for (listing, root) in [("prefix=old", "Contents"), ("list-type=2&prefix=old", "Contents"), ("versions&prefix=old", "Version")]
            {
                #expect(try await oss.send(.get, "/files?\(listing)").element(root, "RestoreInfo") == "ongoing-request=\"true\"")
            }
            let again = try await oss.send(.post, "/files/old?restore")
            #expect(again.status == 409)
            #expect(again.code == "RestoreAlreadyInProgress")
            #expect(again.text.contains("The restore operation is in progress."))
            try await oss.cloud.age(by: .seconds(61))
            let head = try await oss.send(.head, "/files/old")
            #expect(head["x-oss-restore"]?.hasPrefix("ongoing-request=\"false\", expiry-date=\"") == true)
            #expect(try await oss.send(.get, "/files/old").text == "x")
            let longer = try await oss.send(.post, "/files/old?restore", document: "<RestoreRequest><Days>3</Days></RestoreRequest>")
            #expect(longer.status == 200)
            try await oss.cloud.age(by: .seconds(2 * 86_400))
            #expect(try await oss.send(.get, "/files/old").text == "x")
            try await oss.cloud.age(by: .seconds(2 * 86_400))
            #expect(try await oss.send(.get, "/files/old").code == "InvalidObjectState")
        }
    }

    @Test(
        "of colder classes have priorities, and can be cleaned up early",
        arguments: [
            ("<Tier>Expedited</Tier>", "Expedited", 3_600), ("<JobParameters><Tier>Bulk</Tier></JobParameters>", "Bulk", 43_200),
            ("", "Standard", 18_000),
        ])
    func cold(_ tier: String, _ priority: String, _ seconds: Int) async throws {
        try await OSSSandbox.run { oss async throws in
            // The clock is frozen, so that the duration of the test does not matter.
            try await oss.cloud.change(clock: .freeze(at: nil))
            try await oss.put("old", "x", ["x-oss-storage-class": "ColdArchive"])
            #expect(try await oss.send(.post, "/files/old?cleanRestoredObject").code == "ArchiveRestoreFileStale")
            let asked = try await oss.send(
                .post, "/files/old?restore", document: "<RestoreRequest><Days>1</Days>\(tier)</RestoreRequest>")
            #expect(asked.status == 202)
            #expect(asked["x-oss-object-restore-priority"] == priority)
            #expect(try await oss.send(.post, "/files/old?cleanRestoredObject").code == "ArchiveRestoreNotFinished")
            try await oss.cloud.age(by: .seconds(seconds - 60))
            #expect(try await oss.send(.get, "/files/old").code == "InvalidObjectState")
            try await oss.cloud.age(by: .seconds(61))
            #expect(try await oss.send(.get, "/files/old").text == "x")
            #expect(try await oss.send(.post, "/files/old?cleanRestoredObject").status == 200)
            #expect(try await oss.send(.get, "/files/old").code == "InvalidObjectState")
        }
    }

    @Test("are not restored by invalid requests, and other objects cannot be restored")
    func refusals() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.post, "/files/public/hello.txt?restore").code == "OperationNotSupported")
            #expect(try await oss.send(.post, "/files/public/hello.txt?cleanRestoredObject").code == "OperationNotSupported")
            try await oss.put("old", "x", ["x-oss-storage-class": "Archive"])
            for (order, code) in [
                ("<Days>0</Days>", "InvalidArgument"), ("<Days>8</Days>", "InvalidArgument"), ("<Days>x</Days>", "MalformedXML"),
                ("<Days>1</Days><JobParameters><Tier>Bulk</Tier></JobParameters>", "MalformedXML"), ("<Other/>", "MalformedXML"),
                ("<Days>1</Days><JobParameters><Tier>At once</Tier></JobParameters>", "MalformedXML"),
            ] {
                let answer = try await oss.send(.post, "/files/old?restore", document: "<RestoreRequest>\(order)</RestoreRequest>")
                #expect(answer.status == 400)
                #expect(answer.code == code)
            }
            try await oss.put("cold", "x", ["x-oss-storage-class": "DeepColdArchive"])
            for tier in ["Soon", "Bulk"] {
                let order = "<Days>1</Days><JobParameters><Tier>\(tier)</Tier></JobParameters>"
                let answer = try await oss.send(.post, "/files/cold?restore", document: "<RestoreRequest>\(order)</RestoreRequest>")
                #expect(answer.status == 400)
                #expect(answer.code == "InvalidArgument")
            }
        }
    }
}
