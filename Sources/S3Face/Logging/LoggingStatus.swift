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

    /// Parses the document.
    /// - Throws: `MalformedXML`, and the errors of ``GranteeReader``.
    init(_ element: XMLElement, _ reader: GranteeReader) throws(S3Error) {
        guard let bucket = element.child("TargetBucket")?.text, let prefix = element.child("TargetPrefix")?.text else {
            throw S3Error(.malformedXML)
        }
        targetBucket = bucket
        targetPrefix = prefix
        targetGrants = []
        for child in element.children {
            switch child.name {
            case "TargetBucket", "TargetPrefix": break
            case "TargetGrants":
                for grant in child.children {
                    do { targetGrants.append(try AccessControlList.Grant(grant, reader)) } catch {
                        throw error.code == .malformedACL ? S3Error(.malformedXML) : error
                    }
                }
            case "TargetObjectKeyFormat": keyFormat = try KeyFormat(child)
            default: throw S3Error(.malformedXML)
            }
        }
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
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        guard element.children.count == 1 else { throw S3Error(.malformedXML) }
        if element.child("SimplePrefix") != nil {
            self = .simple
        } else if let partitioned = element.child("PartitionedPrefix") {
            let source = partitioned.child("PartitionDateSource")?.text
            guard source == nil || source == "EventTime" || source == "DeliveryTime" else { throw S3Error(.malformedXML) }
            self = .partitioned(dateSource: source)
        } else {
            throw S3Error(.malformedXML)
        }
    }
}
