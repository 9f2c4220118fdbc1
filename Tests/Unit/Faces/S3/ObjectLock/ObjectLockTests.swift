import Cloud
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

/// S3 User Guide, "Locking objects with Object Lock"; S3 API Reference, PutObjectRetention, PutObjectLegalHold.
@Suite("Object Lock")
struct ObjectLockTests {
    static let far = "2040-01-01T00:00:00Z"
    static let farther = "2041-01-01T00:00:00Z"

    static func retention(_ mode: String, _ until: String) -> String {
        "<Retention><Mode>\(mode)</Mode><RetainUntilDate>\(until)</RetainUntilDate></Retention>"
    }

    @Test("requires versioning, cannot be disabled, and keeps versioning enabled")
    func configuration() async throws {
        try await S3Sandbox.run { s3 async throws in
            let none = try await s3.send(.get, "/files?object-lock")
            #expect(none.status == 404)
            #expect(none.code == "ObjectLockConfigurationNotFoundError")
            let empty = try await s3.send(.put, "/files?object-lock", document: "")
            #expect(empty.status == 400)
            #expect(empty.code == "MissingRequestBodyError")
            let early = try await s3.lock()
            #expect(early.status == 409)
            #expect(early.code == "InvalidBucketState")
            try await s3.setVersioning("Enabled")
            #expect(try await s3.lock(rule: "<Mode>GOVERNANCE</Mode><Days>1</Days>").status == 200)
            let rule = try await s3.send(.get, "/files?object-lock").xml.child("Rule")?.child("DefaultRetention")
            #expect(rule?.child("Mode")?.text == "GOVERNANCE")
            #expect(rule?.child("Days")?.text == "1")
            #expect(try await s3.lock().status == 200)
            #expect(try await s3.send(.get, "/files?object-lock").xml.child("Rule") == nil)
            let suspended = try await s3.setVersioning("Suspended")
            #expect(suspended.status == 409)
            #expect(suspended.code == "InvalidBucketState")
        }
    }

    @Test(
        "an invalid default retention is refused with S3's errors",
        arguments: [
            ("<Mode>GOVERNANCE</Mode><Days>0</Days>", "InvalidArgument"),
            ("<Mode>GOVERNANCE</Mode><Years>-1</Years>", "InvalidArgument"),
            ("<Mode>governance</Mode><Days>1</Days>", "MalformedXML"),
            ("<Mode>GOVERNANCE</Mode>", "MalformedXML"),
            ("<Days>1</Days>", "MalformedXML"),
            ("<Mode>GOVERNANCE</Mode><Days>1</Days><Years>1</Years>", "MalformedXML"),
        ])
    func defaultRetention(_ rule: String, _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            let answer = try await s3.lock(rule: rule)
            #expect(answer.status == 400)
            #expect(answer.code == code)
        }
    }

    @Test("a default retention without a time is refused in the words of the dialect (versity/versitygw#1738)")
    func noTime() async throws {
        for dialect in Dialect.allCases {
            try await S3Sandbox.run(dialect: dialect) { s3 async throws in
                try await s3.setVersioning("Enabled")
                let answer = try await s3.lock(rule: "<Mode>GOVERNANCE</Mode><Days>0</Days>")
                #expect(answer.code == (dialect == .aws ? "InvalidArgument" : "InvalidRetentionPeriod"))
                #expect(answer.detail("Message") == "Default retention period must be a positive integer value.")
                #expect(answer.detail("ArgumentName") == (dialect == .aws ? "Days" : nil))
            }
        }
    }

    @Test("a retention protects its version until it is bypassed or expires, and allows delete markers")
    func retention() async throws {
        try await S3Sandbox.locked { s3 async throws in
            let id = try #require(try await s3.put("k", "one")["x-amz-version-id"])
            let unset = try await s3.send(.get, "/files/k?retention")
            #expect(unset.status == 404)
            #expect(unset.code == "NoSuchObjectLockConfiguration")
            #expect(try await s3.send(.put, "/files/k?retention", document: Self.retention("GOVERNANCE", Self.far)).status == 200)
            #expect(try await s3.send(.get, "/files/k?retention").xml.child("Mode")?.text == "GOVERNANCE")
            let head = try await s3.send(.head, "/files/k")
            #expect(head["x-amz-object-lock-mode"] == "GOVERNANCE")
            #expect(head["x-amz-object-lock-retain-until-date"] == "2040-01-01T00:00:00.000Z")

            let refused = try await s3.send(.delete, "/files/k?versionId=\(id)")
            #expect(refused.status == 403)
            #expect(refused.code == "AccessDenied")
            #expect(refused.detail("Message") == "Access Denied because object protected by object lock.")
            #expect(try await s3.send(.delete, "/files/k").status == 204)
            let several = try await s3.send(
                .post, "/files?delete",
                document: "<Delete><Object><Key>k</Key><VersionId>\(id)</VersionId></Object></Delete>")
            #expect(try several.xml.child("Error")?.child("Code")?.text == "AccessDenied")
            let bypass = ["x-amz-bypass-governance-retention": "true"]
            #expect(try await s3.send(.delete, "/files/k?versionId=\(id)", bypass).status == 204)
        }
    }

    @Test("a retention can be extended, but shortened only with a bypass of governance mode")
    func changes() async throws {
        try await S3Sandbox.locked { s3 async throws in
            try await s3.put("k", "one")
            let bypass = ["x-amz-bypass-governance-retention": "true"]
            func put(_ document: String, _ fields: [String: String] = [:]) async throws -> FaceAnswer {
                try await s3.send(.put, "/files/k?retention", fields, document: document)
            }
            #expect(try await put(Self.retention("GOVERNANCE", Self.far)).status == 200)
            #expect(try await put(Self.retention("GOVERNANCE", Self.farther)).status == 200)
            #expect(try await put(Self.retention("GOVERNANCE", Self.far)).code == "AccessDenied")
            #expect(try await put("<Retention/>").code == "AccessDenied")
            #expect(try await put(Self.retention("GOVERNANCE", Self.far), bypass).status == 200)
            #expect(try await put(Self.retention("COMPLIANCE", Self.far)).code == "AccessDenied")
            #expect(try await put(Self.retention("COMPLIANCE", Self.far), bypass).status == 200)
            #expect(try await put(Self.retention("COMPLIANCE", Self.farther)).status == 200)
            for document in [Self.retention("GOVERNANCE", Self.farther), Self.retention("COMPLIANCE", Self.far), "<Retention/>"] {
                #expect(try await put(document, bypass).code == "AccessDenied")
            }
            let past = try await put(Self.retention("GOVERNANCE", "2020-01-01T00:00:00Z"))
            #expect(past.code == "InvalidArgument")
            #expect(past.detail("Message") == "The retain until date must be in the future!")
            #expect(past.detail("ArgumentName") == "RetainUntilDate")
            #expect(past.detail("ArgumentValue") == "Tue Dec 31 16:00:00 PST 2019")
            #expect(try await put("<Retention><Mode>GOVERNANCE</Mode></Retention>").code == "MalformedXML")
        }
    }

    @Test("a retention ends earlier after an aging of the sandbox")
    func aging() async throws {
        try await S3Sandbox.locked { s3 async throws in
            let until = s3.cloud.clock.now + .seconds(3600)
            let id = try #require(
                try await s3.put(
                    "k", "one",
                    ["x-amz-object-lock-mode": "COMPLIANCE", "x-amz-object-lock-retain-until-date": until.iso8601]
                )["x-amz-version-id"])
            #expect(try await s3.send(.delete, "/files/k?versionId=\(id)").status == 403)
            try await s3.cloud.age(by: .seconds(7200))
            #expect(try await s3.send(.delete, "/files/k?versionId=\(id)").status == 204)
        }
    }

    @Test("a legal hold protects its version even against a bypass")
    func legalHold() async throws {
        try await S3Sandbox.locked { s3 async throws in
            let id = try #require(try await s3.put("k", "one", ["x-amz-object-lock-legal-hold": "ON"])["x-amz-version-id"])
            #expect(try await s3.send(.get, "/files/k?legal-hold").xml.child("Status")?.text == "ON")
            let bypass = ["x-amz-bypass-governance-retention": "true"]
            #expect(try await s3.send(.delete, "/files/k?versionId=\(id)", bypass).status == 403)
            let odd = try await s3.send(.put, "/files/k?legal-hold", document: "<LegalHold><Status>on</Status></LegalHold>")
            #expect(odd.code == "MalformedXML")
            let off = try await s3.send(.put, "/files/k?legal-hold", document: "<LegalHold><Status>OFF</Status></LegalHold>")
            #expect(off.status == 200)
            #expect(try await s3.send(.head, "/files/k")["x-amz-object-lock-legal-hold"] == "OFF")
            #expect(try await s3.send(.delete, "/files/k?versionId=\(id)").status == 204)
        }
    }

    @Test("new objects get the bucket's default retention, unless the writer sets another; copies are new objects")
    func defaults() async throws {
        try await S3Sandbox.locked(rule: "<Mode>GOVERNANCE</Mode><Days>1</Days>") { s3 async throws in
            let before = s3.cloud.clock.now
            try await s3.put("k", "one")
            let until = try await s3.send(.head, "/files/k")["x-amz-object-lock-retain-until-date"].flatMap { Timestamp(iso8601: $0) }
            let days = try #require(until) - before
            #expect(days >= .seconds(86_400))
            #expect(days < .seconds(86_400 + 60))
            try await s3.put("own", "one", ["x-amz-object-lock-mode": "COMPLIANCE", "x-amz-object-lock-retain-until-date": Self.far])
            #expect(try await s3.send(.head, "/files/own")["x-amz-object-lock-mode"] == "COMPLIANCE")
            #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "/files/own"]).status == 200)
            #expect(try await s3.send(.head, "/files/copy")["x-amz-object-lock-mode"] == "GOVERNANCE")
        }
    }

    @Test("invalid headers are refused with S3's errors")
    func headers() async throws {
        try await S3Sandbox.locked { s3 async throws in
            let mode = "x-amz-object-lock-mode"
            let until = "x-amz-object-lock-retain-until-date"
            for (fields, argument) in [
                ([mode: "GOVERNANCE"], until), ([until: Self.far], mode), ([mode: "BAD", until: Self.far], mode),
                ([mode: "GOVERNANCE", until: "tomorrow"], until), ([mode: "GOVERNANCE", until: "2001-01-01T00:00:00Z"], until),
                (["x-amz-object-lock-legal-hold": "on"], "x-amz-object-lock-legal-hold"),
            ] {
                let answer = try await s3.put("k", "one", fields)
                #expect(answer.status == 400)
                #expect(answer.code == "InvalidArgument")
                #expect(answer.detail("ArgumentName") == argument)
            }
        }
    }

    @Test("a bucket without it refuses locks, requests for them and the bypass header")
    func without() async throws {
        try await S3Sandbox.run { s3 async throws in
            let message = "Bucket is missing Object Lock Configuration"
            for target in ["/files/public/hello.txt?retention", "/files/public/hello.txt?legal-hold"] {
                let answer = try await s3.send(.get, target)
                #expect(answer.status == 400)
                #expect(answer.code == "InvalidRequest")
                #expect(answer.detail("Message") == message)
            }
            // (versity/versitygw#1751)
            let held = ["x-amz-object-lock-legal-hold": "ON"]
            for answer in [
                try await s3.put("k", "one", held), try await s3.send(.post, "/files/k?uploads", held),
                try await s3.send(.put, "/files/k", held.merging(["x-amz-copy-source": "files/public/hello.txt"]) { $1 }),
            ] { #expect(answer.detail("Message") == "Bucket is missing ObjectLockConfiguration") }
            for text in ["true", "false"] {
                let bypass = ["x-amz-bypass-governance-retention": text]
                let one = try await s3.send(.delete, "/files/public/hello.txt", bypass)
                let many = try await s3.send(
                    .post, "/files?delete", bypass, document: "<Delete><Object><Key>public/hello.txt</Key></Object></Delete>")
                for answer in [one, many] {
                    #expect(answer.status == 400)
                    #expect(answer.code == "InvalidArgument")
                    #expect(answer.detail("ArgumentName") == "x-amz-bypass-governance-retention")
                }
            }
            #expect(try await s3.send(.head, "/files/public/hello.txt").status == 200)
        }
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            let bypass = ["x-amz-bypass-governance-retention": "true"]
            #expect(try await s3.send(.delete, "/files/public/hello.txt", bypass).status == 204)
        }
    }

    @Test("a legal hold is parsed before the object is looked up, a retention after that")
    func order() async throws {
        try await S3Sandbox.locked { s3 async throws in
            let hold = "<LegalHold><Status>ON</Status></LegalHold>"
            for (target, document, code) in [
                ("/files/none?legal-hold", "<LegalHold/>", "MalformedXML"), ("/files/none?legal-hold", hold, "NoSuchKey"),
                ("/files/none?retention", "<Retention><Mode>x</Mode></Retention>", "NoSuchKey"),
            ] {
                #expect(try await s3.send(.put, target, document: document).code == code, "\(target) \(document)")
            }
        }
        try await S3Sandbox.run { s3 async throws in
            let target = "/files/public/hello.txt?legal-hold"
            #expect(try await s3.send(.put, target, document: "<LegalHold/>").code == "MalformedXML")
            #expect(try await s3.send(.put, target, body: Array("<LegalHold/>".utf8)).code == "InvalidRequest")
        }
    }

    @Test("documents require a digest")
    func digests() async throws {
        try await S3Sandbox.locked { s3 async throws in
            try await s3.put("k", "one")
            for target in ["/files?object-lock", "/files/k?retention", "/files/k?legal-hold", "/files/k?tagging"] {
                let answer = try await s3.send(.put, target, body: Array("<Retention/>".utf8))
                #expect(answer.code == "InvalidRequest")
                #expect(answer.detail("Message")?.hasPrefix("Missing required header") == true)
            }
        }
    }
}

extension S3Sandbox {
    /// Runs a test in a sandbox whose bucket has Object Lock.
    static func locked(rule: String? = nil, _ test: (S3Sandbox) async throws -> Void) async throws {
        try await run { s3 in
            try await s3.setVersioning("Enabled")
            #expect(try await s3.lock(rule: rule).status == 200)
            try await test(s3)
        }
    }

    @discardableResult
    func lock(rule: String? = nil) async throws -> FaceAnswer {
        let rule = rule.map { "<Rule><DefaultRetention>\($0)</DefaultRetention></Rule>" } ?? ""
        return try await send(
            .put, "/files?object-lock",
            document: "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>\(rule)</ObjectLockConfiguration>")
    }
}
