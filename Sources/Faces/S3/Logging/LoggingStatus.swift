import Cloud
import Directory
import ObjectServing
import ObjectStore
import WireFormats

/// The configuration of a bucket's access log. (S3 API Reference, "LoggingEnabled".)
struct LoggingStatus: Hashable, Sendable {
    /// The format of the keys of log objects. (S3 API Reference, "TargetObjectKeyFormat".)
    enum KeyFormat: Hashable, Sendable {
        case simple
        /// `dateSource` is `EventTime`, `DeliveryTime`, or absent.
        case partitioned(dateSource: String?)
    }

    var targetBucket: String
    var targetPrefix: String
    var targetGrants: [AccessControlList.Grant]
    var keyFormat: KeyFormat?

    /// How log objects are named.
    var naming: AccessLog.Destination.Naming {
        if case .partitioned(let dateSource)? = keyFormat { .partitioned(dateSource: dateSource) } else { .simple }
    }

    /// The elements of the document of PutBucketLogging.
    static let schema: [DocumentSchema.Member] = [.init("LoggingEnabled", .members(enabled), .optional)]

    private static let enabled: [DocumentSchema.Member] = [
        .init("TargetBucket", .text), .init("TargetPrefix", .text),
        .init(
            "TargetGrants",
            .members([
                .init("Grant", .members([.init("Grantee", .members(grantee)), .init("Permission", .text)]), .any)
            ]), .optional),
        .init(
            "TargetObjectKeyFormat",
            .choice([
                .init("SimplePrefix", .members([]), .optional),
                .init(
                    "PartitionedPrefix",
                    .members([.init("PartitionDateSource", .oneOf(["EventTime", "DeliveryTime"]), .optional)]), .optional),
            ]), .optional),
    ]

    private static let grantee = ["ID", "DisplayName", "EmailAddress", "URI"].map { DocumentSchema.Member($0, .text, .optional) }

    /// Reads a document that conforms to the schema.
    /// - Throws: `MalformedXML`, and the errors of ``GranteeReader``.
    init(_ element: XMLElement, _ reader: GranteeReader) throws(S3Error) {
        targetBucket = element.child("TargetBucket")?.text ?? ""
        targetPrefix = element.child("TargetPrefix")?.text ?? ""
        targetGrants = []
        for grant in element.child("TargetGrants")?.children ?? [] {
            do { targetGrants.append(try AccessControlList.Grant(grant, reader)) } catch {
                throw error.code == .malformedACL ? S3Error(.malformedXML) : error
            }
        }
        keyFormat = element.child("TargetObjectKeyFormat").map { KeyFormat($0) }
    }

    /// Writes the document.
    /// - Parameter directory: supplies the display names of accounts; `nil` to omit the names.
    func encode(naming directory: Directory?, into xml: inout XMLWriter) {
        xml.element("LoggingEnabled") { xml in
            xml.element("TargetBucket", targetBucket)
            xml.element("TargetPrefix", targetPrefix)
            if !targetGrants.isEmpty {
                xml.element("TargetGrants") { xml in
                    for grant in targetGrants { grant.encode(naming: directory, into: &xml) }
                }
            }
            switch keyFormat {
            case .simple: xml.element("TargetObjectKeyFormat") { xml in xml.element("SimplePrefix", "") }
            case .partitioned(let source):
                xml.element("TargetObjectKeyFormat") { xml in
                    xml.element("PartitionedPrefix") { xml in
                        if let source { xml.element("PartitionDateSource", source) }
                    }
                }
            case nil: break
            }
        }
    }
}

extension LoggingStatus.KeyFormat {
    fileprivate init(_ element: XMLElement) {
        self =
            if let partitioned = element.child("PartitionedPrefix") {
                .partitioned(dateSource: partitioned.child("PartitionDateSource")?.text.trimmed)
            } else {
                .simple
            }
    }
}
