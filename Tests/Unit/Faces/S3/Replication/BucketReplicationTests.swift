import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("Replication configurations of buckets")
struct BucketReplicationTests {
    private static func document(_ rules: String) -> String {
        "<ReplicationConfiguration><Role>arn:aws:iam::000000000000:role/replicator</Role>\(rules)</ReplicationConfiguration>"
    }

    private static func rule(_ content: String, destination: String = "copies") -> String {
        "<Rule>\(content)<Status>Enabled</Status><Destination><Bucket>arn:aws:s3:::\(destination)</Bucket></Destination></Rule>"
    }

    private static let later =
        "<Priority>1</Priority><Filter><Prefix>tax</Prefix></Filter><DeleteMarkerReplication><Status>Disabled</Status></DeleteMarkerReplication>"

    private func keepVersions(_ s3: S3Sandbox, _ bucket: String) async throws {
        let body = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        #expect(try await s3.send(.put, "/\(bucket)?versioning", body: Array(body.utf8)).status == 200)
    }

    private func put(_ s3: S3Sandbox, _ document: String) async throws -> FaceAnswer {
        try await s3.send(.put, "/files?replication", body: Array(document.utf8))
    }

    @Test("are put, returned with generated names of rules, and deleted")
    func roundTrip() async throws {
        try await S3Sandbox.run { s3 async throws in
            let missing = try await s3.send(.get, "/files?replication")
            #expect(missing.status == 404)
            #expect(missing.code == "ReplicationConfigurationNotFoundError")
            #expect(missing.detail("Message") == "The replication configuration was not found")
            #expect(missing.detail("BucketName") == "files")
            #expect(try await s3.send(.delete, "/files?replication").status == 204)

            #expect(try await s3.send(.put, "/copies").status == 200)
            for bucket in ["files", "copies"] { try await keepVersions(s3, bucket) }
            #expect(try await put(s3, Self.document(Self.rule(Self.later))).status == 200)
            let read = try await s3.send(.get, "/files?replication").xml
            #expect(read.name == "ReplicationConfiguration")
            #expect(read.child("Role")?.text.hasSuffix("/replicator") == true)
            let rule = try #require(read.child("Rule"))
            #expect(rule.child("ID")?.text.isEmpty == false)
            #expect(rule.child("Filter")?.child("Prefix")?.text == "tax")
            #expect(try await s3.send(.get, "/files?replication", as: .lister).status == 403)
            #expect(try await s3.send(.delete, "/files?replication").status == 204)
            #expect(try await s3.send(.get, "/files?replication").status == 404)
        }
    }

    @Test("require versioning in both buckets")
    func versions() async throws {
        try await S3Sandbox.run { s3 async throws in
            let document = Self.document(Self.rule(Self.later))
            let unversioned = try await put(s3, document)
            #expect(unversioned.code == "InvalidRequest")
            #expect(
                unversioned.detail("Message") == "Versioning must be 'Enabled' on the bucket to apply a replication configuration")
            try await keepVersions(s3, "files")
            let missing = try await put(s3, document)
            #expect(missing.code == "InvalidRequest")
            #expect(missing.detail("Message") == "Destination bucket must exist.")
            #expect(try await s3.send(.put, "/copies").status == 200)
            #expect(try await put(s3, document).detail("Message") == "Destination bucket must have versioning enabled.")
        }
    }

    @Test("keep versioning from being suspended until they are deleted")
    func suspension() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.put, "/copies").status == 200)
            for bucket in ["files", "copies"] { try await keepVersions(s3, bucket) }
            #expect(try await put(s3, Self.document(Self.rule(Self.later))).status == 200)
            #expect(try await s3.setVersioning("Enabled").status == 200)
            let suspended = try await s3.setVersioning("Suspended")
            #expect(suspended.status == 409)
            #expect(suspended.code == "InvalidBucketState")
            #expect(
                suspended.detail("Message")
                    == "A replication configuration is present on this bucket, so you cannot change the versioning state. To change the versioning state, first delete the replication configuration."
            )
            #expect(try await s3.send(.get, "/files?versioning").xml.child("Status")?.text == "Enabled")
            #expect(try await s3.send(.delete, "/files?replication").status == 204)
            #expect(try await s3.setVersioning("Suspended").status == 200)
        }
    }

    @Test(
        "that are invalid by the schema or the service are refused",
        arguments: [
            (document(""), "MalformedXML"), (document(rule("<Colour>blue</Colour>")), "MalformedXML"),
            (document(rule(later)).replacing("Enabled", with: "On"), "MalformedXML"),
            (document(rule("<Prefix/>" + later)), "MalformedXML"),
            (document(rule(later.replacing("<Priority>1</Priority>", with: ""))), "InvalidRequest"),
            (document(rule("<Filter/><Priority>1</Priority>")), "InvalidRequest"),
            (document(rule("<ID>a</ID><Prefix>a</Prefix>") + rule("<ID>a</ID><Prefix>b</Prefix>")), "InvalidArgument"),
            (document(rule(later)).replacing("arn:aws:s3:::", with: ""), "InvalidArgument"),
        ])
    func refused(_ document: String, _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.put, "/copies").status == 200)
            for bucket in ["files", "copies"] { try await keepVersions(s3, bucket) }
            let answer = try await put(s3, document)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.code == code, "\(answer.text)")
            #expect(try await s3.send(.get, "/files?replication").status == 404)
        }
    }
}
