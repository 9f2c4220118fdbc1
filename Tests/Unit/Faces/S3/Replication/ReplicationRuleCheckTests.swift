import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("Demands on replication rules")
struct ReplicationRuleCheckTests {
    /// A rule of the earlier schema version, or of the later one if it has a filter.
    struct Rule: Sendable {
        var filter: String? = "<Prefix>a</Prefix>"
        var deleteMarkers = "Disabled"
        var priority = 1
        /// Elements of the rule besides the ones that its version requires.
        var other = ""
        var bucket = "copies"
        /// Elements of the destination besides the bucket.
        var destination = ""

        var element: String {
            let version =
                filter.map {
                    "<Filter>\($0)</Filter><Priority>\(priority)</Priority>"
                        + "<DeleteMarkerReplication><Status>\(deleteMarkers)</Status></DeleteMarkerReplication>"
                } ?? "<Prefix>a</Prefix>"
            return "<Rule>\(version)\(other)<Status>Enabled</Status><Destination><Bucket>arn:aws:s3:::\(bucket)</Bucket>\(destination)"
                + "</Destination></Rule>"
        }
    }

    private static let tag = "<Tag><Key>k</Key><Value>v</Value></Tag>"
    private static let key =
        "<EncryptionConfiguration><ReplicaKmsKeyID>arn:aws:kms:us-east-1:000000000000:key/k</ReplicaKmsKeyID></EncryptionConfiguration>"

    private static func selection(_ elements: String) -> String { "<SourceSelectionCriteria>\(elements)</SourceSelectionCriteria>" }

    private static func encrypted(_ status: String) -> String {
        "<SseKmsEncryptedObjects><Status>\(status)</Status></SseKmsEncryptedObjects>"
    }

    private static let modified = "<ReplicaModifications><Status>Enabled</Status></ReplicaModifications>"

    private static func time(_ status: String, _ minutes: String = "15") -> String {
        "<ReplicationTime><Status>\(status)</Status><Time><Minutes>\(minutes)</Minutes></Time></ReplicationTime>"
    }

    private static let unlimited = "<Metrics><Status>Enabled</Status></Metrics>"

    private static func metrics(_ minutes: String) -> String {
        "<Metrics><Status>Enabled</Status><EventThreshold><Minutes>\(minutes)</Minutes></EventThreshold></Metrics>"
    }

    private static let guide = "Please refer to S3 Developer Guide for more information."
    private static let earlier = "cannot be used for this version of Cross Region Replication configuration schema. \(guide)"
    private static let untagged = "Delete marker replication is not supported if any Tag filter is specified. \(guide)"
    private static let unselected = "SseKmsEncryptedObjects must be specified if EncryptionConfiguration is present."
    private static let keyless = "ReplicaKmsKeyID must be specified if SseKmsEncryptedObjects tag is present."
    private static let timeless = "Metrics cannot contain an event threshold when ReplicationTime is not specified or Disabled"
    private static let oneDestination = "Number of distinct destination bucket ARNs cannot exceed 1"

    /// Sends the rules to a bucket that keeps versions, as both destinations do.
    private func put(_ rules: [Rule], to s3: S3Sandbox) async throws -> FaceAnswer {
        for bucket in ["copies", "others"] { #expect(try await s3.send(.put, "/\(bucket)").status == 200) }
        let versioning = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        for bucket in ["files", "copies", "others"] {
            #expect(try await s3.send(.put, "/\(bucket)?versioning", body: Array(versioning.utf8)).status == 200)
        }
        let document =
            "<ReplicationConfiguration><Role>arn:aws:iam::000000000000:role/replicator</Role>\(rules.map(\.element).joined())"
            + "</ReplicationConfiguration>"
        return try await s3.send(.put, "/files?replication", body: Array(document.utf8))
    }

    @Test(
        "are met by these rules",
        arguments: [
            [Rule(deleteMarkers: "Enabled")],
            [Rule(filter: "", deleteMarkers: "Enabled")],
            [Rule(filter: tag)],
            [Rule(filter: "<And><Prefix>a</Prefix>\(tag)</And>")],
            [Rule(filter: nil)],
            [Rule(filter: nil), Rule(filter: nil)],
            [Rule(), Rule(priority: 2, bucket: "others")],
            [Rule(other: selection(modified))],
            [Rule(other: selection(encrypted("Disabled")))],
            [Rule(other: selection(encrypted("Enabled")), destination: key)],
            [Rule(other: selection(encrypted("Disabled")), destination: key)],
            [Rule(filter: nil, other: selection(encrypted("Enabled")), destination: key)],
            [Rule(destination: unlimited)],
            [Rule(destination: time("Disabled") + unlimited)],
            [Rule(destination: time("Enabled") + unlimited)],
            [Rule(destination: time("Enabled") + metrics("15"))],
        ] as [[Rule]])
    func accepted(_ rules: [Rule]) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await put(rules, to: s3)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(
        "refuse these rules by name",
        arguments: [
            // Versions of the schema.
            ([Rule(filter: nil, other: "<Priority>1</Priority>")], "InvalidRequest", "Priority \(earlier)"),
            (
                [Rule(filter: nil, other: "<DeleteMarkerReplication><Status>Disabled</Status></DeleteMarkerReplication>")],
                "InvalidRequest", "DeleteMarkerReplication \(earlier)"
            ),
            ([Rule(filter: nil, other: selection(modified))], "InvalidRequest", "ReplicaModifications \(earlier)"),
            ([Rule(filter: nil), Rule(filter: nil, bucket: "others")], "InvalidRequest", oneDestination),
            // Delete markers.
            ([Rule(filter: tag, deleteMarkers: "Enabled")], "InvalidRequest", untagged),
            ([Rule(filter: "<And><Prefix>a</Prefix>\(tag)</And>", deleteMarkers: "Enabled")], "InvalidRequest", untagged),
            ([Rule(filter: "<And>\(tag)\(tag)</And>", deleteMarkers: "Enabled")], "InvalidRequest", untagged),
            // Encryption.
            ([Rule(other: selection(""))], "InvalidRequest", "SourceSelectionCriteria cannot be empty"),
            ([Rule(destination: key)], "InvalidRequest", unselected),
            ([Rule(other: selection(modified), destination: key)], "InvalidRequest", unselected),
            ([Rule(other: selection(encrypted("Enabled")))], "InvalidRequest", keyless),
            ([Rule(other: selection(encrypted("Enabled")), destination: "<EncryptionConfiguration/>")], "InvalidRequest", keyless),
            // Times.
            ([Rule(destination: metrics("15"))], "InvalidArgument", timeless),
            ([Rule(destination: time("Disabled") + metrics("15"))], "InvalidArgument", timeless),
            (
                [Rule(destination: time("Enabled"))], "InvalidRequest",
                "Replication destination must contain both ReplicationTime and Metrics or neither."
            ),
            ([Rule(destination: time("Enabled", "30") + metrics("15"))], "InvalidArgument", "Invalid time minute value"),
            ([Rule(destination: time("Enabled") + metrics("30"))], "InvalidArgument", "Invalid event threshold minute value"),
            // Every rule is checked.
            ([Rule(), Rule(priority: 2, destination: metrics("15"))], "InvalidArgument", timeless),
        ] as [([Rule], String, String)])
    func refused(_ rules: [Rule], _ code: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await put(rules, to: s3)
            #expect(answer.status == 400)
            #expect(answer.code == code)
            #expect(answer.detail("Message") == message)
            #expect(try await s3.send(.get, "/files?replication").status == 404)
        }
    }
}
