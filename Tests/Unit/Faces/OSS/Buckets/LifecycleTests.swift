import Cloud
import HTTPTypes
import Logging
import ObjectServing
import ObjectStore
import Policy
import Testing
import WireFormats

import struct Policy.Tag

@testable import OSSFace

@Suite("Lifecycle rules of OSS")
struct OSSLifecycleTests {
    private func rule(_ actions: String, id: String = "r", prefix: String = "logs/", status: String = "Enabled") -> String {
        "<Rule><ID>\(id)</ID><Prefix>\(prefix)</Prefix><Status>\(status)</Status>\(actions)</Rule>"
    }

    private func put(_ rules: String, _ oss: OSSSandbox, _ fields: KeyValuePairs<String, String> = [:]) async throws -> OSSAnswer {
        try await oss.send(
            .put, "/files?lifecycle", fields, document: "<LifecycleConfiguration>\(rules)</LifecycleConfiguration>")
    }

    private func carryOut(_ oss: OSSSandbox) async {
        await LifecycleRunner(
            cloud: oss.cloud, calendar: .days, rules: [LifecycleConfiguration.ofOSS],
            logger: Logger(label: "test"), observe: { _, _ in }
        ).carryOut()
    }

    private func keys(_ oss: OSSSandbox) async throws -> [String] {
        try await oss.send(.get, "/files").xml.children(named: "Contents").compactMap { $0.child("Key")?.text }
    }

    private func classes(_ oss: OSSSandbox) async throws -> [String] {
        try await oss.send(.get, "/files").xml.children(named: "Contents").compactMap { $0.child("StorageClass")?.text }
    }

    @Test("are returned with generated IDs for those that had none")
    func roundTrip() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?lifecycle").code == "NoSuchLifecycle")
            let transition =
                "<Transition><CreatedBeforeDate>2023-12-17T00:00:00.000Z</CreatedBeforeDate><StorageClass>IA</StorageClass><IsAccessTime>false</IsAccessTime></Transition>"
            #expect(try await put("<Rule><Prefix>a</Prefix><Status>Enabled</Status>\(transition)</Rule>", oss).status == 200)
            let kept = try await oss.send(.get, "/files?lifecycle")
            #expect(kept.element("Rule", "ID")?.isEmpty == false)
            #expect(kept.text.contains(transition))
            #expect(!kept.text.contains("Declared"))
            #expect(try await oss.send(.delete, "/files?lifecycle").status == 204)
            #expect(try await oss.send(.delete, "/files?lifecycle").status == 204)
        }
    }

    @Test("are refused if they contradict themselves or each other")
    func refusals() async throws {
        try await OSSSandbox.run { oss async throws in
            let days = "<Expiration><Days>3</Days></Expiration>"
            func step(_ days: Int, _ name: String) -> String {
                "<Transition><Days>\(days)</Days><StorageClass>\(name)</StorageClass></Transition>"
            }
            let cases: [(String, String)] = [
                (rule(days + step(4, "IA")), "InvalidArgument"),
                (rule("<Expiration><Days>6</Days></Expiration>" + step(5, "IA") + step(2, "Archive")), "InvalidArgument"),
                (rule("<Expiration><Days>6</Days></Expiration>" + step(5, "Standard")), "InvalidArgument"),
                (
                    rule("<Expiration><CreatedBeforeDate>2016-12-25T00:00:00.000Z</CreatedBeforeDate></Expiration>" + step(5, "IA")),
                    "InvalidRequest"
                ),
                (rule("<Expiration><CreatedBeforeDate>2016-12-25T10:00:00.000Z</CreatedBeforeDate></Expiration>"), "InvalidArgument"),
                (rule("<Expiration><Days>0</Days></Expiration>"), "InvalidArgument"), (rule(""), "MalformedXML"), ("", "MalformedXML"),
                (rule(days, status: "On"), "MalformedXML"), (rule(days) + rule(days, prefix: "other"), "InvalidArgument"),
                (rule("<Tag><Key>%&amp;</Key><Value>x</Value></Tag>" + days), "InvalidArgument"),
            ]
            for (rules, code) in cases {
                let answer = try await put(rules, oss)
                #expect(answer.status == 400, "\(rules) \(answer.text)")
                #expect(answer.code == code, "\(rules) \(answer.text)")
            }
            let overlapping = rule(days) + rule(days, id: "s", prefix: "logs/2")
            let refused = try await put(overlapping, oss)
            #expect(refused.code == "InvalidRequest")
            #expect(refused.element("Message") == "Overlap for same action type Expiration")
            #expect(try await put(overlapping, oss, ["x-oss-allow-same-action-overlap": "true"]).status == 200)
        }
    }

    @Test("delete expired objects, except those that a rule excludes")
    func expiration() async throws {
        try await OSSSandbox.run { oss async throws in
            for key in ["logs/a", "logs/kept/b", "logs/tagged", "other"] {
                try await oss.store(key, "x", tags: key == "logs/tagged" ? [Tag(key: "keep", value: "yes")] : [])
            }
            let spare =
                "<Filter><Not><Prefix>logs/kept/</Prefix></Not><Not><Prefix>logs/</Prefix><Tag><Key>keep</Key><Value>yes</Value></Tag></Not></Filter>"
            #expect(try await put(rule("\(spare)<Expiration><Days>30</Days></Expiration>"), oss).status == 200)
            await carryOut(oss)
            #expect(try await keys(oss).count == 5)
            try await oss.cloud.age(by: .seconds(32 * 86_400))
            await carryOut(oss)
            #expect(try await keys(oss) == ["logs/kept/b", "logs/tagged", "other", "public/hello.txt"])
        }
    }

    @Test("with a date apply to objects that were created before it")
    func createdBefore() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.store("logs/a", "x")
            func before(_ date: String) -> String {
                rule("<Expiration><CreatedBeforeDate>\(date)T00:00:00.000Z</CreatedBeforeDate></Expiration>")
            }
            #expect(try await put(before("2016-12-25"), oss).status == 200)
            await carryOut(oss)
            #expect(try await keys(oss).contains("logs/a"))
            #expect(try await put(before("2999-12-25"), oss).status == 200)
            await carryOut(oss)
            #expect(try await !keys(oss).contains("logs/a"))
        }
    }

    @Test("move objects to colder storage classes, small ones too")
    func transitions() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.store("logs/a", "x")
            let steps = [(10, "IA"), (20, "Archive"), (30, "ColdArchive"), (40, "DeepColdArchive")].map {
                "<Transition><Days>\($0.0)</Days><StorageClass>\($0.1)</StorageClass></Transition>"
            }
            #expect(try await put(rule(steps.joined()), oss).status == 200)
            for name in ["IA", "Archive", "ColdArchive", "DeepColdArchive"] {
                try await oss.cloud.age(by: .seconds(11 * 86_400))
                await carryOut(oss)
                #expect(try await classes(oss) == [name, "Standard"])
            }
        }
    }

    @Test("abort uploads, and delete noncurrent versions and expired delete markers")
    func versions() async throws {
        try await OSSSandbox.run { oss async throws in
            let bucket = try #require(oss.cloud.objects.bucket(named: "files"))
            _ = try await oss.cloud.objects.createUpload(
                NewUpload(key: "logs/u", owner: OSSSandbox.owner, initiated: oss.cloud.clock.now), in: bucket.id)
            let enabled = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            _ = try await oss.send(.put, "/files?versioning", document: enabled)
            for text in ["1", "2"] { try await oss.store("logs/a", text) }
            let rules = """
                <AbortMultipartUpload><Days>1</Days></AbortMultipartUpload><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>\
                </NoncurrentVersionExpiration><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>
                """
            #expect(try await put(rule(rules), oss).status == 200)
            #expect(try await oss.send(.delete, "/files/logs/a").status == 204)
            try await oss.cloud.age(by: .seconds(3 * 86_400))
            await carryOut(oss)
            #expect(try await oss.send(.get, "/files?uploads").xml.child("Upload") == nil)
            let left = try await oss.send(.get, "/files?versions").xml
            #expect(left.children(named: "Version").compactMap { $0.child("Key")?.text } == ["public/hello.txt"])
            #expect(left.child("DeleteMarker") == nil)
        }
    }

    @Test("do not delete objects under the bucket's WORM policy")
    func retention() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.store("logs/a", "x")
            let worm = "<InitiateWormConfiguration><RetentionPeriodInDays>60</RetentionPeriodInDays></InitiateWormConfiguration>"
            let id = try #require(try await oss.send(.post, "/files?worm", document: worm)["x-oss-worm-id"])
            _ = try await oss.send(.post, "/files?wormId=\(id)")
            #expect(try await put(rule("<Expiration><Days>30</Days></Expiration>"), oss).status == 200)
            try await oss.cloud.age(by: .seconds(32 * 86_400))
            await carryOut(oss)
            #expect(try await keys(oss).contains("logs/a"))
            try await oss.cloud.age(by: .seconds(30 * 86_400))
            await carryOut(oss)
            #expect(try await !keys(oss).contains("logs/a"))
        }
    }
}
