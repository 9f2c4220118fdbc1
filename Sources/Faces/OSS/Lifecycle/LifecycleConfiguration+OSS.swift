import Calls
import Cloud
import ObjectServing
import Policy
import WireFormats

/// The document of PutBucketLifecycle. (OSS API Reference, "PutBucketLifecycle".)
extension LifecycleConfiguration {
    private static let mostRules = 1000

    /// Parses the document.
    /// - Parameters:
    ///   - allowsOverlap: whether rules with the same action may apply to the same objects.
    ///   - declared: the time at which the client put the document.
    /// - Throws: `MalformedXML`, `InvalidArgument`, `InvalidRequest`.
    init(oss element: XMLElement, allowsOverlap: Bool, declared: Timestamp) throws(OSSError) {
        guard element.children.allSatisfy({ $0.name == "Rule" }), !element.children.isEmpty else { throw OSSError(.malformedXML) }
        var rules: [LifecycleRule] = []
        for child in element.children { rules.append(try LifecycleRule(oss: child)) }
        guard rules.count <= Self.mostRules else {
            throw .invalidArgument("The number of lifecycle rules exceeds the limit.", name: "Rule", value: String(rules.count))
        }
        var known: Set<String> = []
        for rule in rules where !known.insert(rule.id).inserted {
            throw .invalidArgument("Rule ID must be unique.", name: "ID", value: rule.id)
        }
        if !allowsOverlap { try Self.checkOverlap(rules) }
        self.init(rules: rules, minimumTransitionSize: nil, declared: declared)
    }

    /// Rejects two rules with the same action and overlapping prefixes.
    private static func checkOverlap(_ rules: [LifecycleRule]) throws(OSSError) {
        let actions: [(String, (LifecycleRule) -> Bool)] = [
            ("Expiration", { $0.expiration != nil }), ("Transition", { !$0.transitions.isEmpty }),
            ("AbortMultipartUpload", { $0.abortIncompleteUpload != nil }),
            ("NoncurrentVersionExpiration", { $0.noncurrentExpiration != nil }),
            ("NoncurrentVersionTransition", { !$0.noncurrentTransitions.isEmpty }),
        ]
        for (name, has) in actions {
            let concerned = rules.filter { has($0) && $0.filter.tags.isEmpty }.map { $0.filter.prefix ?? "" }
            for (index, prefix) in concerned.enumerated() {
                for other in concerned[(index + 1)...] where prefix.hasBytesInFront(of: other) || other.hasBytesInFront(of: prefix) {
                    throw OSSError(.invalidRequest, "Overlap for same action type \(name)")
                }
            }
        }
    }
}

extension String {
    fileprivate func hasBytesInFront(of text: String) -> Bool { text.utf8.starts(with: utf8) }
}

extension LifecycleRule {
    private static let moment: [DocumentSchema.Member] = [
        .init("Days", .number, .optional), .init("CreatedBeforeDate", .text, .optional), .init("Date", .text, .optional),
    ]
    private static let access: [DocumentSchema.Member] = [
        .init("IsAccessTime", .boolean, .optional), .init("ReturnToStdWhenVisit", .boolean, .optional),
        .init("AllowSmallFile", .boolean, .optional),
    ]

    static let schema: [DocumentSchema.Member] = [
        .init("ID", .text, .optional), .init("Prefix", .text, .optional), .init("Status", .oneOf(["Enabled", "Disabled"])),
        .init("Tag", DocumentSchema.tag, .any),
        .init(
            "Filter",
            .members([
                .init("ObjectSizeGreaterThan", .number, .optional), .init("ObjectSizeLessThan", .number, .optional),
                .init("Not", .members([.init("Prefix", .text), .init("Tag", DocumentSchema.tag, .optional)]), .any),
            ]), .optional),
        .init("Expiration", .members(moment + [.init("ExpiredObjectDeleteMarker", .boolean, .optional)]), .optional),
        .init("Transition", .members(moment + [.init("StorageClass", .text)] + access), .any),
        .init("AbortMultipartUpload", .members(moment), .optional),
        .init("NoncurrentVersionExpiration", .members([.init("NoncurrentDays", .number)]), .optional),
        .init("NoncurrentVersionTransition", .members([.init("NoncurrentDays", .number), .init("StorageClass", .text)] + access), .any),
        .init("AtimeBase", .number, .optional),
    ]

    fileprivate init(oss element: XMLElement) throws(OSSError) {
        guard DocumentSchema.holds(element, .members(Self.schema)) else { throw OSSError(.malformedXML) }
        let id = element.child("ID")?.text ?? ""
        guard id.utf8.count <= 255 else { throw .invalidArgument("The length of the rule ID is invalid.", name: "ID", value: id) }
        self.init(
            id: id.isEmpty ? RequestID().uuid : id, filter: try LifecycleFilter(ossRule: element),
            isEnabled: element.child("Status")?.text.trimmed == "Enabled")
        if let inner = element.child("Expiration") { expiration = try Self.expiration(inner) }
        for inner in element.children(named: "Transition") {
            // Access times are not recorded, so rules based on them never apply.
            let storageClass = try inner.transitionClass()
            let time = try inner.time()
            if inner.child("IsAccessTime")?.text.trimmed != "true" { transitions.append(.init(time: time, storageClass: storageClass)) }
        }
        if let inner = element.child("AbortMultipartUpload") { abortIncompleteUpload = try inner.time() }
        if let inner = element.child("NoncurrentVersionExpiration") {
            noncurrentExpiration = .init(days: try inner.days("NoncurrentDays"))
        }
        for inner in element.children(named: "NoncurrentVersionTransition") {
            let storageClass = try inner.transitionClass()
            let days = try inner.days("NoncurrentDays")
            if inner.child("IsAccessTime")?.text.trimmed != "true" {
                noncurrentTransitions.append(.init(days: days, storageClass: storageClass))
            }
        }
        try checkActions(element)
    }

    private static func expiration(_ element: XMLElement) throws(OSSError) -> Expiration {
        guard let marker = element.child("ExpiredObjectDeleteMarker") else { return .at(try element.time()) }
        guard element.children.count == 1 else { throw OSSError(.malformedXML) }
        return .deleteMarkers(marker.text.trimmed == "true")
    }

    private func checkActions(_ element: XMLElement) throws(OSSError) {
        let actions: Set = [
            "Expiration", "Transition", "AbortMultipartUpload", "NoncurrentVersionExpiration", "NoncurrentVersionTransition",
        ]
        guard element.children.contains(where: { actions.contains($0.name) }) else { throw OSSError(.malformedXML) }
        // Uploads have no tags.
        if !filter.tags.isEmpty, abortIncompleteUpload != nil {
            throw .invalidArgument("Tag can not be used with AbortMultipartUpload.", name: "Tag", value: id)
        }
        try Self.checkOrder(transitions.map { ($0.time, $0.storageClass) }, expiration)
        try Self.checkOrder(
            noncurrentTransitions.map { (.days($0.days), $0.storageClass) }, noncurrentExpiration.map { .at(.days($0.days)) })
    }

    /// Checks that the time of each transition is later than that of the next warmer class and before the expiration.
    private static func checkOrder(_ steps: [(Time, StorageClass)], _ end: Expiration?) throws(OSSError) {
        guard Set(steps.map(\.1)).count == steps.count else {
            throw OSSError(.invalidArgument, "StorageClass must be different for each transition of one rule.")
        }
        let isByDays = steps.map { if case .days = $0.0 { true } else { false } }
        var ends: Time?
        if case .at(let time) = end { ends = time }
        let endIsByDays: Bool? = ends.map { if case .days = $0 { true } else { false } }
        guard Set(isByDays + (endIsByDays.map { [$0] } ?? [])).count <= 1 || steps.isEmpty else {
            throw OSSError(.invalidRequest, "Found mixed 'Date' and 'Days' based Expiration and Transition actions in lifecycle rule.")
        }
        var last: Int64 = -1
        for (time, storageClass) in steps.sorted(by: { $0.1.coldness < $1.1.coldness }) {
            guard case .days(let days) = time else { continue }
            guard days > last else {
                throw .invalidArgument(
                    "Days in the Transition action must be greater than those for warmer classes.", name: "StorageClass",
                    value: OSSStorageClass(stored: storageClass.stored).rawValue)
            }
            last = days
        }
        if case .days(let days) = ends, days <= last {
            throw .invalidArgument(
                "Days in the Expiration action must be greater than Days in the Transition action.", name: "Days", value: String(days))
        }
    }
}

extension LifecycleFilter {
    /// Parses the filter of a rule.
    fileprivate init(ossRule rule: XMLElement) throws(OSSError) {
        let filter = rule.child("Filter")
        let prefix = rule.child("Prefix")?.text ?? ""
        var exceptions: [Exception] = []
        for not in filter?.children(named: "Not") ?? [] {
            let except = not.child("Prefix")?.text ?? ""
            guard except.utf8.starts(with: prefix.utf8), except != prefix || not.child("Tag") != nil else {
                throw .invalidArgument("The prefix of Not must begin with the prefix of the rule.", name: "Prefix", value: except)
            }
            exceptions.append(Exception(prefix: except, tag: try not.child("Tag").map { element throws(OSSError) in try element.tag() }))
        }
        var tags: [Tag] = []
        for element in rule.children(named: "Tag") { tags.append(try element.tag()) }
        let above = filter?.integer("ObjectSizeGreaterThan")
        let below = filter?.integer("ObjectSizeLessThan")
        if let above, let below, below <= above {
            throw .invalidArgument(
                "ObjectSizeLessThan must be greater than ObjectSizeGreaterThan.", name: "ObjectSizeLessThan", value: String(below))
        }
        self.init(form: .rulePrefix, prefix: prefix, tags: tags, sizeAbove: above, sizeBelow: below, exceptions: exceptions)
    }
}

extension XMLElement {
    /// Parses a tag. Only its characters are validated; OSS accepts any length here.
    fileprivate func tag() throws(OSSError) -> Tag {
        let tag = Tag(key: child("Key")?.text ?? "", value: child("Value")?.text ?? "")
        guard !tag.key.isEmpty, tag.key.isPlain, tag.value.isPlain else {
            throw .invalidArgument("The tag is invalid.", name: "Tag", value: tag.key)
        }
        return tag
    }

    /// Parses the time of an action.
    fileprivate func time() throws(OSSError) -> LifecycleRule.Time {
        let given = ["Days", "CreatedBeforeDate", "Date"].filter { child($0) != nil }
        guard given.count == 1 else { throw OSSError(.malformedXML) }
        if given[0] == "Days" { return .days(try days("Days")) }
        let text = child(given[0])?.text.trimmed ?? ""
        guard let date = Timestamp(iso8601: text) ?? Timestamp(iso8601: "\(text)T00:00:00Z") else { throw OSSError(.malformedXML) }
        guard date.milliseconds % 86_400_000 == 0 else {
            throw .invalidArgument("'\(given[0])' must be at midnight GMT.", name: given[0], value: text)
        }
        return given[0] == "Date" ? .date(date) : .createdBefore(date)
    }

    fileprivate func days(_ name: String) throws(OSSError) -> Int64 {
        let number = integer(name) ?? 0
        guard (1...Int64(Int32.max)).contains(number) else {
            throw .invalidArgument("'\(name)' must be a positive integer.", name: name, value: String(number))
        }
        return number
    }

    fileprivate func transitionClass() throws(OSSError) -> StorageClass {
        let text = child("StorageClass")?.text.trimmed ?? ""
        guard let named = OSSStorageClass(rawValue: text) else { throw OSSError(.malformedXML) }
        guard let stored = named.stored.flatMap(StorageClass.init(rawValue:)) else {
            throw .invalidArgument("Objects can not be moved to this storage class.", name: "StorageClass", value: text)
        }
        return stored
    }
}

extension String {
    /// Whether a text consists only of letters and digits of any script, blanks and `+ - = . _ : /`.
    fileprivate var isPlain: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", "+", "-", "=", ".", "_", ":", "/": true
            default: scalar.properties.isAlphabetic
            }
        }
    }
}
