import Cloud
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension LifecycleConfiguration {
    static let root = "LifecycleConfiguration"

    func encode(into xml: inout XMLWriter) {
        for rule in rules { rule.encode(into: &xml) }
    }
}

extension LifecycleRule {
    fileprivate func encode(into xml: inout XMLWriter) {
        xml.element("Rule") { xml in
            xml.element("ID", id)
            filter.encode(into: &xml)
            xml.element("Status", isEnabled ? "Enabled" : "Disabled")
            if let expiration { encode(expiration, into: &xml) }
            for transition in transitions {
                xml.element("Transition") { xml in
                    transition.time.encode(into: &xml)
                    xml.element("StorageClass", transition.storageClass.rawValue)
                }
            }
            for transition in noncurrentTransitions {
                xml.element("NoncurrentVersionTransition") { xml in
                    xml.element("NoncurrentDays", transition.days)
                    if let newer = transition.newerVersions { xml.element("NewerNoncurrentVersions", newer) }
                    xml.element("StorageClass", transition.storageClass.rawValue)
                }
            }
            if let noncurrentExpiration {
                xml.element("NoncurrentVersionExpiration") { xml in
                    xml.element("NoncurrentDays", noncurrentExpiration.days)
                    if let newer = noncurrentExpiration.newerVersions { xml.element("NewerNoncurrentVersions", newer) }
                }
            }
            if case .days(let days) = abortIncompleteUpload {
                xml.element("AbortIncompleteMultipartUpload") { xml in xml.element("DaysAfterInitiation", days) }
            }
        }
    }

    private func encode(_ expiration: Expiration, into xml: inout XMLWriter) {
        xml.element("Expiration") { xml in
            switch expiration {
            case .at(let time): time.encode(into: &xml)
            case .deleteMarkers(let go): xml.element("ExpiredObjectDeleteMarker", go)
            }
        }
    }
}

extension LifecycleRule.Time {
    fileprivate func encode(into xml: inout XMLWriter) {
        switch self {
        case .days(let days): xml.element("Days", days)
        case .date(let date), .createdBefore(let date): xml.element("Date", date.iso8601Milliseconds)
        }
    }
}

extension LifecycleFilter {
    fileprivate func encode(into xml: inout XMLWriter) {
        switch form {
        case .rulePrefix: xml.element("Prefix", prefix ?? "")
        case .single: xml.element("Filter", encodeConditions)
        case .and: xml.element("Filter") { xml in xml.element("And", encodeConditions) }
        }
    }

    private func encodeConditions(into xml: inout XMLWriter) {
        if let prefix { xml.element("Prefix", prefix) }
        for tag in tags { xml.tag(tag) }
        if let sizeAbove { xml.element("ObjectSizeGreaterThan", sizeAbove) }
        if let sizeBelow { xml.element("ObjectSizeLessThan", sizeBelow) }
    }

    /// The filter in error messages: `(prefix=logs/ and tag={key=a, value=b})`.
    var description: String {
        var parts: [String] = []
        if let prefix { parts.append("prefix=\(prefix)") }
        parts += tags.map { "tag={key=\($0.key), value=\($0.value)}" }
        if let sizeAbove { parts.append("objectsizegreaterthan=\(sizeAbove)") }
        if let sizeBelow { parts.append("objectsizelessthan=\(sizeBelow)") }
        return parts.isEmpty ? "(prefix=)" : "(\(parts.joined(separator: " and ")))"
    }
}
