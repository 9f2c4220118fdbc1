import Cloud
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The validated document of PutBucketReplication. (S3 API Reference, "ReplicationConfiguration".)
struct ReplicationRules {
    private typealias Content = DocumentSchema.Content
    private typealias Member = DocumentSchema.Member

    private static let mostRules = 1000
    private static let longestID = 255

    /// The document as sent, with an identifier in every rule.
    private(set) var element: XMLElement
    /// Names of the destination buckets.
    private(set) var destinations: [String] = []

    /// Validates a document that conforms to the schema.
    /// - Throws: `MalformedXML`, `InvalidRequest`, `InvalidArgument`.
    init(_ element: XMLElement) throws(S3Error) {
        self.element = element
        self.element.content = []
        var known: Set<String> = []
        var count = 0
        var isEarlierVersion = false
        for child in element.children {
            guard child.name == "Rule" else {
                self.element.content.append(.element(child))
                continue
            }
            count += 1
            let rule = try Self.named(child)
            try ReplicationRuleCheck(rule).run()
            guard known.insert(try rule.text(of: "ID") ?? "").inserted else {
                throw S3Error(.invalidArgument, "Rule ID must be unique. Found same ID for more than one rule")
            }
            destinations.append(try Self.destination(of: rule))
            if try rule.optional("Filter") == nil { isEarlierVersion = true }
            self.element.content.append(.element(rule))
        }
        guard count <= Self.mostRules else {
            throw S3Error(.invalidRequest, "The number of replication rules must not exceed the allowed limit of 1000 rules.")
        }
        // Only rules with a filter can have different destinations. (awslabs/landing-zone-accelerator-on-aws#376,
        // aws-cloudformation/cloudformation-coverage-roadmap#730.)
        guard !isEarlierVersion || destinations.allSatisfy({ $0 == destinations[0] }) else {
            throw S3Error(.invalidRequest, "Number of distinct destination bucket ARNs cannot exceed 1")
        }
    }

    /// Replication is kept and given back; nothing copies objects. Both ends keep versions.
    static let check: S3DocumentKind.Check = { element, bucket, request throws(S3Error) in
        guard bucket.configuration.versioning == .enabled else {
            throw S3Error(.invalidRequest, "Versioning must be 'Enabled' on the bucket to apply a replication configuration")
        }
        let rules = try ReplicationRules(element)
        for destination in rules.destinations {
            guard let copies = request.objects.bucket(named: destination, for: .aws) else {
                throw S3Error(.invalidRequest, "Destination bucket must exist.")
            }
            guard copies.configuration.versioning == .enabled else {
                throw S3Error(.invalidRequest, "Destination bucket must have versioning enabled.")
            }
        }
        return rules.element.encodeChildren
    }

    /// Returns the rule, with a generated identifier if it has none.
    private static func named(_ rule: XMLElement) throws(S3Error) -> XMLElement {
        guard let id = try rule.text(of: "ID"), !id.isEmpty else {
            var named = rule
            named.content =
                [.element(XMLElement("ID", in: rule.namespace, text: LifecycleConfiguration.randomID()))]
                + rule.children.filter { $0.name != "ID" }.map { .element($0) }
            return named
        }
        guard id.utf8.count <= longestID else {
            throw .invalidArgument("ID length should not exceed allowed limit of 255", name: "ID", value: id)
        }
        return rule
    }

    private static func destination(of rule: XMLElement) throws(S3Error) -> String {
        let arn = try rule.required("Destination").text(of: "Bucket") ?? ""
        let prefix = "arn:aws:s3:::"
        guard arn.hasPrefix(prefix) else { throw .invalidArgument("Invalid bucket ARN.", name: "Bucket", value: arn) }
        return String(arn.dropFirst(prefix.count))
    }

    private static let status = Content.oneOf(["Enabled", "Disabled"])
    private static let minutes = Content.members([Member("Minutes", .number)])

    /// The storage classes of replicas. (S3 API Reference, "Destination", `StorageClass`.)
    private static let storageClasses = [
        "STANDARD", "REDUCED_REDUNDANCY", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER", "DEEP_ARCHIVE", "GLACIER_IR",
    ]

    static let schema: [DocumentSchema.Member] = [Member("Role", .text), Member("Rule", .members(rule), .several)]

    private static let rule = [
        Member("ID", .text, .optional), Member("Priority", .number, .optional), Member("Prefix", .text, .optional),
        Member(
            "Filter",
            .members([
                Member("Prefix", .text, .optional), Member("Tag", DocumentSchema.tag, .optional),
                Member("And", .conjunction([Member("Prefix", .text, .optional), Member("Tag", DocumentSchema.tag, .any)]), .optional),
            ]), .optional),
        Member("Status", status),
        Member(
            "SourceSelectionCriteria",
            .members([
                Member("SseKmsEncryptedObjects", .members([Member("Status", status)]), .optional),
                Member("ReplicaModifications", .members([Member("Status", status)]), .optional),
            ]), .optional),
        Member("ExistingObjectReplication", .members([Member("Status", status)]), .optional),
        Member(
            "Destination",
            .members([
                Member("Bucket", .text), Member("Account", .text, .optional),
                Member("StorageClass", .oneOf(storageClasses), .optional),
                Member("AccessControlTranslation", .members([Member("Owner", .oneOf(["Destination"]))]), .optional),
                Member("EncryptionConfiguration", .members([Member("ReplicaKmsKeyID", .text, .optional)]), .optional),
                Member("ReplicationTime", .members([Member("Status", status), Member("Time", minutes)]), .optional),
                Member("Metrics", .members([Member("Status", status), Member("EventThreshold", minutes, .optional)]), .optional),
            ])),
        Member("DeleteMarkerReplication", .members([Member("Status", status, .optional)]), .optional),
    ]
}
