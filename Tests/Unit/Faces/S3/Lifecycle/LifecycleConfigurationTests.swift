import Cloud
import Fixtures
import HTTPTypes
import ObjectServing
import Testing
import WireFormats

@testable import S3Face

@Suite("Lifecycle configurations")
struct LifecycleConfigurationTests {
    static func read(_ rules: String) throws -> LifecycleConfiguration {
        try LifecycleConfiguration(
            XMLElement(parsing: Array("<LifecycleConfiguration>\(rules)</LifecycleConfiguration>".utf8))
                .holding(LifecycleConfiguration.schema),
            declared: Timestamp(milliseconds: 0), makeID: { "made" })
    }

    /// Returns one rule for everything.
    static func rule(_ actions: String, filter: String = "<Filter/>", status: String = "Enabled", id: String = "a") -> String {
        "<Rule><ID>\(id)</ID>\(filter)<Status>\(status)</Status>\(actions)</Rule>"
    }

    static let abort =
        "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>"
    static let days = "<Expiration><Days>1</Days></Expiration>"

    /// The messages were seen in issues and recordings of responses.
    static let refused: [(rules: String, code: S3Error.Code, message: String?)] = [
        ("", .malformedXML, nil),
        (rule(days, status: "enabled"), .malformedXML, nil),
        (rule(days, filter: ""), .malformedXML, nil),
        (rule(days, filter: "<Filter><Prefix>a</Prefix><ObjectSizeLessThan>5</ObjectSizeLessThan></Filter>"), .malformedXML, nil),
        (rule(days, filter: "<Filter><And><Prefix>a</Prefix></And></Filter>"), .malformedXML, nil),
        (rule(days, filter: "<Prefix>a</Prefix><Filter/>"), .malformedXML, nil),
        (rule("<Expiration/>"), .malformedXML, nil),
        (
            rule("<Expiration><Days>1</Days><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>"),
            .malformedXML, nil
        ),
        (rule("<NoncurrentVersionExpiration/>"), .malformedXML, nil),
        (rule("<Transition><Days>1</Days><StorageClass>STANDARD</StorageClass></Transition>"), .malformedXML, nil),
        (rule(""), .invalidRequest, "At least one action needs to be specified in a rule"),
        (rule(days) + rule(days), .invalidArgument, "Rule ID must be unique. Found same ID for more than one rule"),
        (rule(days, id: String(repeating: "a", count: 256)), .invalidArgument, "ID length should not exceed allowed limit of 255"),
        (
            rule("<Expiration><Days>0</Days></Expiration>"), .invalidArgument,
            "'Days' for Expiration action must be a positive integer"
        ),
        (
            rule("<NoncurrentVersionExpiration><NoncurrentDays>0</NoncurrentDays></NoncurrentVersionExpiration>"),
            .invalidArgument, "'NoncurrentDays' for NoncurrentVersionExpiration action must be a positive integer"
        ),
        (
            rule("<Expiration><Date>2030-01-01T00:00:01Z</Date></Expiration>"), .invalidArgument,
            "'Date' must be at midnight GMT"
        ),
        (
            rule("<Transition><Days>29</Days><StorageClass>ONEZONE_IA</StorageClass></Transition>"), .invalidArgument,
            "'Days' in Transition action must be greater than or equal to 30 for storageClass 'ONEZONE_IA'"
        ),
        (
            rule(
                "<Transition><Days>5</Days><StorageClass>GLACIER</StorageClass></Transition><Expiration><Days>5</Days></Expiration>",
                filter: "<Filter><Prefix>a/</Prefix></Filter>"),
            .invalidArgument,
            "'Days' in the Expiration action for filter '(prefix=a/)' must be greater than 'Days' in the Transition action"
        ),
        (
            rule("<Transition><Date>2030-01-01T00:00:00Z</Date><StorageClass>GLACIER</StorageClass></Transition>" + days),
            .invalidRequest,
            "Found mixed 'Date' and 'Days' based Expiration and Transition actions in lifecycle rule for filter '(prefix=)'"
        ),
        (
            rule(String(repeating: "<Transition><Days>5</Days><StorageClass>GLACIER</StorageClass></Transition>", count: 2)),
            .invalidRequest,
            "'StorageClass' must be different for 'Transition' actions in same 'Rule' with filter '(prefix=)'"
        ),
        (
            rule(
                "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
                filter: "<Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter>"),
            .invalidRequest, "AbortIncompleteMultipartUpload cannot be specified with Tags."
        ),
        (
            rule(
                "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>",
                filter: "<Filter><ObjectSizeLessThan>5</ObjectSizeLessThan></Filter>"),
            .invalidRequest, "ExpiredObjectDeleteMarker cannot be specified with Object Size."
        ),
        (
            rule(
                days,
                filter: "<Filter><And><Tag><Key>a</Key><Value>b</Value></Tag><Tag><Key>a</Key><Value>c</Value></Tag></And></Filter>"
            ),
            .invalidRequest, "Duplicate Tag Keys are not allowed."
        ),
        (
            rule(
                days,
                filter:
                    "<Filter><And><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan><ObjectSizeLessThan>5</ObjectSizeLessThan></And></Filter>"
            ),
            .invalidRequest, "'ObjectSizeLessThan' has to be a value greater than 'ObjectSizeGreaterThan'."
        ),
        (
            rule(days, filter: "<Prefix>a</Prefix>") + rule(days, id: "b"), .invalidRequest,
            "Filter element can only be used in Lifecycle V2."
        ),
        (
            rule(days) + rule(days, filter: "<Prefix>a</Prefix>", id: "b"), .invalidRequest,
            "Base level prefix cannot be used in Lifecycle V2, prefixes are only supported in the Filter."
        ),
        (
            rule(days, filter: "<Prefix/>") + rule(days, filter: "<Prefix>a</Prefix>", id: "b"), .invalidRequest,
            "Found overlapping prefixes '' and 'a' for same action type 'Expiration'"
        ),
        (
            rule(abort, filter: "<Prefix>dir/</Prefix>") + rule(abort, filter: "<Prefix>di</Prefix>", id: "b"), .invalidRequest,
            "Found overlapping prefixes 'dir/' and 'di' for same action type 'AbortIncompleteMultipartUpload'"
        ),
    ]

    @Test("are refused with S3's errors", arguments: 0..<refused.count)
    func refusals(_ index: Int) throws {
        let (rules, code, message) = Self.refused[index]
        let error = try #require(throws: S3Error.self) { try Self.read(rules) }
        #expect(error.code == code, "\(rules)")
        #expect(error.message == message ?? code.message, "\(rules)")
    }

    @Test("are returned as they were put, with a fixed order of elements")
    func roundTrip() throws {
        let rules =
            Self.rule(
                "<Expiration><Date>2030-01-01T00:00:00.000Z</Date></Expiration><Transition><Date>2029-01-01T00:00:00.000Z</Date><StorageClass>GLACIER</StorageClass></Transition>",
                filter:
                    "<Filter><And><Prefix>p</Prefix><Tag><Key>k</Key><Value>v</Value></Tag><ObjectSizeGreaterThan>1</ObjectSizeGreaterThan></And></Filter>"
            )
            + Self.rule(
                "<NoncurrentVersionTransition><NoncurrentDays>3</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions><StorageClass>GLACIER_IR</StorageClass></NoncurrentVersionTransition><NoncurrentVersionExpiration><NoncurrentDays>4</NoncurrentDays></NoncurrentVersionExpiration><AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
                filter: "<Filter></Filter>", status: "Disabled", id: "b")
        let configuration = try Self.read(rules)
        let stored = try LifecycleConfiguration(stored: XMLElement(parsing: Array(configuration.stored.utf8)))
        #expect(stored == configuration)
        var xml = XMLWriter()
        xml.element("X", stored.encode)
        #expect(String(decoding: xml.bytes, as: UTF8.self) == "<X>\(rules)</X>")
    }

    @Test("generate the IDs of rules without one")
    func madeNames() throws {
        #expect(try Self.read("<Rule><Filter/><Status>Enabled</Status>\(Self.days)</Rule>").rules[0].id == "made")
        #expect([UInt8](base64: LifecycleConfiguration.randomID())?.count == 36)
    }

    @Test("are put and returned, with a default minimum size for transitions")
    func operations() async throws {
        try await S3Sandbox.run { s3 in
            var answer = try await s3.send(.get, "/files?lifecycle")
            #expect(answer.status == 404)
            #expect(answer.code == "NoSuchLifecycleConfiguration")
            let document = "<LifecycleConfiguration>\(Self.rule(Self.days))</LifecycleConfiguration>"
            answer = try await s3.putConfiguration("lifecycle", document)
            #expect(answer.status == 200)
            #expect(answer["x-amz-transition-default-minimum-object-size"] == "all_storage_classes_128K")
            let header = "x-amz-transition-default-minimum-object-size"
            try await s3.configure("lifecycle", document, [header: "varies_by_storage_class"])
            answer = try await s3.send(.get, "/files?lifecycle")
            #expect(answer[header] == "varies_by_storage_class")
            #expect(answer.text.hasSuffix("\(Self.rule(Self.days, filter: "<Filter></Filter>"))</LifecycleConfiguration>"))
            answer = try await s3.putConfiguration("lifecycle", document, [header: "none"])
            #expect(answer.code == "InvalidRequest")
            #expect(answer.detail("Message") == "Invalid TransitionDefaultMinimumObjectSize found: none")
            #expect(try await s3.send(.delete, "/files?lifecycle").status == 204)
            #expect(try await s3.send(.get, "/files?lifecycle").status == 404)
        }
    }
}
