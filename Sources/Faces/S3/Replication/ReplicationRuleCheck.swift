import Cloud
import WireFormats

/// The demands on a replication rule that the schema of the document cannot express.
struct ReplicationRuleCheck {
    private let rule: XMLElement
    private let filter: XMLElement?
    private let criteria: XMLElement?
    private let destination: XMLElement

    init(_ rule: XMLElement) throws(S3Error) {
        self.rule = rule
        filter = try rule.optional("Filter")
        criteria = try rule.optional("SourceSelectionCriteria")
        destination = try rule.required("Destination")
    }

    /// Refuses a rule that S3 does not accept.
    /// - Throws: `MalformedXML`, `InvalidRequest`, `InvalidArgument`.
    func run() throws(S3Error) {
        try checkVersion()
        try checkDeleteMarkers()
        try checkEncryption()
        try checkTime()
    }

    /// A rule with a filter is of the later schema version, which has more required elements. The earlier version does not have them.
    /// (S3 User Guide, "Replication configuration file elements", "Backward compatibility"; rust-lang/simpleinfra#468.
    /// `ReplicaModifications`: S3 API Reference, "SourceSelectionCriteria"; its text is by analogy.)
    private func checkVersion() throws(S3Error) {
        if let filter {
            guard filter.children.count <= 1, try rule.optional("Prefix") == nil else { throw S3Error(.malformedXML) }
        }
        for name in ["DeleteMarkerReplication", "Priority"] {
            let isThere = try rule.optional(name) != nil
            if filter != nil, !isThere { throw Self.otherVersion(name, "must be specified") }
            if filter == nil, isThere { throw Self.otherVersion(name, "cannot be used") }
        }
        if filter == nil, try criteria?.optional("ReplicaModifications") != nil {
            throw Self.otherVersion("ReplicaModifications", "cannot be used")
        }
    }

    private static func otherVersion(_ name: String, _ fault: String) -> S3Error {
        S3Error(
            .invalidRequest,
            "\(name) \(fault) for this version of Cross Region Replication configuration schema. Please refer to S3 Developer Guide for more information."
        )
    }

    /// Delete markers have no tags. (S3 API Reference, "DeleteMarkerReplication".)
    private func checkDeleteMarkers() throws(S3Error) {
        guard let filter, try Self.isEnabled(rule.optional("DeleteMarkerReplication")) else { return }
        let conditions = filter.children + filter.children(named: "And").flatMap(\.children)
        guard !conditions.contains(where: { $0.name == "Tag" }) else {
            throw S3Error(
                .invalidRequest,
                "Delete marker replication is not supported if any Tag filter is specified. Please refer to S3 Developer Guide for more information."
            )
        }
    }

    /// The replication of objects that are encrypted with SSE-KMS needs their selection and the key of the replicas.
    /// (S3 User Guide, "Replicating encrypted objects"; hashicorp/terraform-provider-aws#26241 and #44192.)
    private func checkEncryption() throws(S3Error) {
        guard criteria?.children.isEmpty != true else {
            throw S3Error(.invalidRequest, "SourceSelectionCriteria cannot be empty")
        }
        let selection = try criteria?.optional("SseKmsEncryptedObjects")
        let encryption = try destination.optional("EncryptionConfiguration")
        guard encryption == nil || selection != nil else {
            throw S3Error(.invalidRequest, "SseKmsEncryptedObjects must be specified if EncryptionConfiguration is present.")
        }
        // No report tells whether `Disabled` needs the key.
        let key = try encryption?.text(of: "ReplicaKmsKeyID") ?? ""
        let isSelected = try Self.isEnabled(selection)
        guard !isSelected || !key.isEmpty else {
            throw S3Error(.invalidRequest, "ReplicaKmsKeyID must be specified if SseKmsEncryptedObjects tag is present.")
        }
    }

    /// S3 Replication Time Control needs metrics, and only it has a threshold, of 15 minutes as its time.
    /// (S3 API Reference, "ReplicationTime", "ReplicationTimeValue"; crossplane-contrib/provider-aws#1117. The texts about missing metrics
    /// and other times are not documented.)
    private func checkTime() throws(S3Error) {
        let time = try destination.optional("ReplicationTime")
        let metrics = try destination.optional("Metrics")
        let threshold = try metrics?.optional("EventThreshold")
        guard time == nil || metrics != nil else {
            throw S3Error(.invalidRequest, "Replication destination must contain both ReplicationTime and Metrics or neither.")
        }
        let isControlled = try Self.isEnabled(time)
        guard threshold == nil || isControlled else {
            throw S3Error(
                .invalidArgument, "Metrics cannot contain an event threshold when ReplicationTime is not specified or Disabled")
        }
        guard try Self.isQuarter(time?.optional("Time")) else { throw S3Error(.invalidArgument, "Invalid time minute value") }
        guard try Self.isQuarter(threshold) else { throw S3Error(.invalidArgument, "Invalid event threshold minute value") }
    }

    /// Returns whether the time is 15 minutes, the only one that S3 has, or absent.
    private static func isQuarter(_ time: XMLElement?) throws(S3Error) -> Bool {
        guard let time else { return true }
        return try time.integer(of: "Minutes") == 15
    }

    /// Returns whether the element is there and has the status `Enabled`.
    private static func isEnabled(_ element: XMLElement?) throws(S3Error) -> Bool {
        guard let status = try element?.text(of: "Status") else { return false }
        return status.trimmed == "Enabled"
    }
}
