import Cloud
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import S3Face

@Suite("Configurations with identifiers")
struct IdentifiedConfigurationTests {
    private static func document(_ kind: ConfigurationKind, id: String) -> String {
        let destination = "<Bucket>arn:aws:s3:::reports</Bucket><Format>CSV</Format>"
        let content =
            switch kind {
            case .analytics:
                """
                <Filter><And><Prefix>a/</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter><StorageClassAnalysis>\
                <DataExport><OutputSchemaVersion>V_1</OutputSchemaVersion><Destination><S3BucketDestination>\(destination)\
                </S3BucketDestination></Destination></DataExport></StorageClassAnalysis>
                """
            case .intelligentTiering:
                "<Status>Enabled</Status><Tiering><Days>90</Days><AccessTier>ARCHIVE_ACCESS</AccessTier></Tiering>"
            case .inventory:
                """
                <Destination><S3BucketDestination>\(destination)<Encryption><SSE-S3/></Encryption></S3BucketDestination>\
                </Destination><IsEnabled>true</IsEnabled><IncludedObjectVersions>All</IncludedObjectVersions>\
                <OptionalFields><Field>Size</Field><Field>ETag</Field></OptionalFields><Schedule><Frequency>Daily</Frequency></Schedule>
                """
            case .metrics: "<Filter><Tag><Key>k</Key><Value>v &amp; w</Value></Tag></Filter>"
            }
        return "<\(kind.descriptor.root) xmlns=\"\(S3Face.namespace)\"><Id>\(id)</Id>\(content)</\(kind.descriptor.root)>"
    }

    private func put(_ s3: S3Sandbox, _ kind: ConfigurationKind, _ id: String, _ document: String? = nil) async throws -> FaceAnswer {
        let text = document ?? Self.document(kind, id: id)
        return try await s3.send(.put, "/files?\(kind.rawValue)&id=\(id)", body: Array(text.utf8))
    }

    @Test("are put, returned, listed and deleted", arguments: ConfigurationKind.allCases)
    func roundTrip(_ kind: ConfigurationKind) async throws {
        try await S3Sandbox.run { s3 async throws in
            let missing = try await s3.send(.get, "/files?\(kind.rawValue)&id=one")
            #expect(missing.status == 404)
            #expect(missing.code == "NoSuchConfiguration")
            #expect(missing.detail("Message") == "The specified configuration does not exist.")
            #expect(missing.journal.operation == "GetBucket\(kind.descriptor.root)")
            let empty = try await s3.send(.get, "/files?\(kind.rawValue)")
            #expect(empty.status == 200)
            #expect(empty.journal.operation == "ListBucket\(kind.descriptor.root)s")
            #expect(try empty.xml.name == kind.descriptor.listRoot)
            #expect(try empty.xml.child("IsTruncated")?.text == "false")

            for id in ["two", "one"] { #expect(try await put(s3, kind, id).status == 204) }
            let one = try await s3.send(.get, "/files?\(kind.rawValue)&id=one")
            #expect(one.text.hasSuffix(Self.document(kind, id: "one").replacing("<SSE-S3/>", with: "<SSE-S3></SSE-S3>")), "\(one.text)")
            let all = try await s3.send(.get, "/files?\(kind.rawValue)").xml.children(named: kind.descriptor.root)
            #expect(all.map { $0.child("Id")?.text } == ["one", "two"])

            #expect(try await s3.send(.delete, "/files?\(kind.rawValue)&id=one").status == 204)
            #expect(try await s3.send(.delete, "/files?\(kind.rawValue)&id=one").code == "NoSuchConfiguration")
            #expect(try await s3.send(.get, "/files?\(kind.rawValue)").xml.children(named: kind.descriptor.root).count == 1)
            #expect(try await s3.send(.get, "/files?\(kind.rawValue)", as: .lister).status == 403)
            #expect(try await s3.send(.delete, "/files?\(kind.rawValue)&id=two", as: .lister).status == 403)
        }
    }

    @Test("are listed in pages, and number at most a thousand")
    func limits() async throws {
        try await S3Sandbox.run { s3 async throws in
            for index in 0..<101 { #expect(try await put(s3, .metrics, "id-\(1000 + index)").status == 204) }
            let first = try await s3.send(.get, "/files?metrics").xml
            #expect(first.children(named: "MetricsConfiguration").count == 100)
            #expect(first.child("IsTruncated")?.text == "true")
            let token = try #require(first.child("NextContinuationToken")?.text)
            let second = try await s3.send(.get, "/files?metrics&continuation-token=\(token)").xml
            #expect(second.children(named: "MetricsConfiguration").map { $0.child("Id")?.text } == ["id-1100"])
            #expect(second.child("ContinuationToken")?.text == token)
            #expect(second.child("IsTruncated")?.text == "false")
            #expect(try await s3.send(.get, "/files?metrics&continuation-token=x").code == "InvalidArgument")
        }
        var all = IdentifiedConfigurations()
        let element = try XMLElement(parsing: Array("<MetricsConfiguration><Id>x</Id></MetricsConfiguration>".utf8))
        for index in 0..<1000 { all.byID["\(index)"] = element }
        try all.checkRoom(for: "5")
        let error = #expect(throws: S3Error.self) { try all.checkRoom(for: "new") }
        #expect(error?.code == .tooManyConfigurations)
        #expect(error?.code.status == .badRequest)
    }

    @Test(
        "that are invalid by the schema or the service are refused",
        arguments: [
            (ConfigurationKind.metrics, "<MetricsConfiguration/>", "MalformedXML"),
            (.metrics, "<AnalyticsConfiguration><Id>one</Id></AnalyticsConfiguration>", "MalformedXML"),
            (.metrics, "<MetricsConfiguration><Id>one</Id><Filter/></MetricsConfiguration>", "MalformedXML"),
            (
                .metrics, "<MetricsConfiguration><Id>one</Id><Filter><And><Prefix>a</Prefix></And></Filter></MetricsConfiguration>",
                "MalformedXML"
            ),
            (.metrics, document(.metrics, id: "two"), "MalformedXML"), (.inventory, document(.inventory, id: "two"), "IdMismatch"),
            (.inventory, document(.inventory, id: "one").replacing("CSV", with: "XLS"), "MalformedXML"),
            (.inventory, document(.inventory, id: "one").replacing("true", with: "perhaps"), "MalformedXML"),
            (.inventory, document(.inventory, id: "one").replacing("arn:aws:s3:::", with: ""), "InvalidS3DestinationBucket"),
            (.analytics, document(.analytics, id: "one").replacing("V_1", with: "V_2"), "MalformedXML"),
            (.intelligentTiering, document(.intelligentTiering, id: "one").replacing("90", with: "89"), "InvalidArgument"),
            (.intelligentTiering, document(.intelligentTiering, id: "one").replacing("90", with: "many"), "MalformedXML"),
        ])
    func refused(_ kind: ConfigurationKind, _ document: String, _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await put(s3, kind, "one", document)
            #expect(answer.status == 400)
            #expect(answer.code == code)
            #expect(try await s3.send(.get, "/files?\(kind.rawValue)").xml.child(kind.descriptor.root) == nil)
        }
    }

    @Test(
        "are refused in S3's words",
        arguments: [
            (ConfigurationKind.inventory, "arn:aws:s3:::", "arn:aws:s3::000000000000:", "Bucket ARN should not specify a namespace."),
            (.inventory, "arn:aws:s3:::", "", "Invalid bucket ARN."),
            (.intelligentTiering, "90", "89", "Days specified in ARCHIVE_ACCESS tier should not be less than 90"),
            (.intelligentTiering, "90", "731", "Days specified in ARCHIVE_ACCESS tier should not be more than 730"),
        ])
    func texts(_ kind: ConfigurationKind, _ part: String, _ other: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await put(s3, kind, "one", Self.document(kind, id: "one").replacing(part, with: other))
            #expect(answer.status == 400)
            #expect(answer.detail("Message") == message)
        }
    }

    @Test(
        "require an identifier of letters, digits, dots, dashes, underscores", arguments: ["", "a%20b", String(repeating: "x", count: 65)])
    func identifiers(_ id: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await put(s3, .metrics, id).code == "InvalidArgument")
        }
    }
}
