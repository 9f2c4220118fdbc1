import Cloud
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import ControlFace

@Suite("Buckets in the control API")
struct BucketCallTests {
    private static func marked(_ bucket: Bucket, _ key: String, _ control: ControlSandbox) async throws {
        let terms = DeletionTerms(modified: control.cloud.clock.now, owner: bucket.owner)
        let marker = try await control.cloud.objects.delete(KeyDeletion(key: key), in: bucket.id, on: terms)
        #expect(marker.isDeleteMarker)
    }

    @Test("are deleted with every version, delete marker and upload")
    func deletion() async throws {
        try await ControlSandbox.run { control async throws in
            let objects = control.cloud.objects
            let bucket = try #require(objects.bucket(named: "box"))
            try await objects.configure(bucket.id) {
                $0.versioning = .enabled
                $0.hasObjectLock = true
            }
            for key in ["a", "a", "b"] { try await Self.marked(bucket, key, control) }
            let answer = try await control.send(.delete, "/buckets/box")
            #expect(answer.status == 200)
            #expect(answer.json["deleted"] == 3)
            #expect(objects.bucket(named: "box") == nil)
            #expect(control.cloud.journal.recent(limit: 1) { _ in true }.first?.operation == "/buckets/{name}")
        }
    }

    @Test("that do not exist are reported", arguments: ["none", "%", "%62ox2"])
    func unknown(_ name: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.delete, "/buckets/\(name)")
            #expect(answer.status == 404)
            #expect(answer.error == "unknown_bucket")
            #expect(control.cloud.objects.bucket(named: "box") != nil)
        }
    }
}
