import Calls
import Cloud
import ObjectServing
import WireFormats

extension LifecycleConfiguration {
    private static let mostRules = 1000

    /// Reads a document that conforms to the schema.
    /// - Parameters:
    ///   - makeID: generates the identifier of a rule that has none.
    ///   - declared: the time at which the client put the document.
    /// - Throws: `MalformedXML`, `InvalidArgument` and `InvalidRequest`, with messages as observed in S3.
    init(
        _ element: XMLElement, minimumTransitionSize: MinimumTransitionSize = .all, declared: Timestamp,
        makeID: () -> String = Self.randomID
    ) throws(S3Error) {
        var rules: [LifecycleRule] = []
        for child in element.children { rules.append(try LifecycleRule(child, makeID: makeID)) }
        guard rules.count <= Self.mostRules else {
            throw S3Error(.invalidRequest, "The number of lifecycle rules must not exceed the allowed limit of 1000 rules.")
        }
        self.init(rules: rules, minimumTransitionSize: minimumTransitionSize, declared: declared)
        try checkIDs()
        try checkForms()
    }

    /// Returns a random UUID in base64, which S3 uses as the identifier of a rule.
    static func randomID() -> String { Array(RequestID().uuid.utf8).base64 }

    private func checkIDs() throws(S3Error) {
        var known: Set<String> = []
        for rule in rules where !known.insert(rule.id).inserted {
            throw .invalidArgument(
                "Rule ID must be unique. Found same ID for more than one rule", name: "ID", value: rule.id)
        }
    }

    /// Rejects a mixture of the older form, with a prefix in the rule, and the current one. Rejects overlapping prefixes in the older form.
    private func checkForms() throws(S3Error) {
        let isOlder = rules.first?.filter.form == .rulePrefix
        for rule in rules where (rule.filter.form == .rulePrefix) != isOlder {
            throw S3Error(
                .invalidRequest,
                isOlder
                    ? "Filter element can only be used in Lifecycle V2."
                    : "Base level prefix cannot be used in Lifecycle V2, prefixes are only supported in the Filter.")
        }
        guard isOlder else { return }
        for rule in rules {
            let keepsNewer =
                rule.noncurrentExpiration?.newerVersions != nil
                || rule.noncurrentTransitions.contains { $0.newerVersions != nil }
            if keepsNewer {
                throw S3Error(.invalidRequest, "NewerNoncurrentVersions element can only be used in Lifecycle V2.")
            }
        }
        try checkOverlap(of: "Expiration") { if case .at = $0.expiration { true } else { false } }
        try checkOverlap(of: "Transition") { !$0.transitions.isEmpty }
        // Recorded from S3 (noobaa/noobaa-core#8426).
        try checkOverlap(of: "AbortIncompleteMultipartUpload") { $0.abortIncompleteUpload != nil }
    }

    private func checkOverlap(of action: String, _ has: (LifecycleRule) -> Bool) throws(S3Error) {
        let prefixes = rules.filter { $0.isEnabled && has($0) }.map { $0.filter.prefix ?? "" }
        for (index, prefix) in prefixes.enumerated() {
            for other in prefixes[(index + 1)...] where prefix.hasPrefix(other) || other.hasPrefix(prefix) {
                throw S3Error(
                    .invalidRequest, "Found overlapping prefixes '\(prefix)' and '\(other)' for same action type '\(action)'")
            }
        }
    }
}

extension LifecycleRule {
    fileprivate init(_ element: XMLElement, makeID: () -> String) throws(S3Error) {
        let given = try element.text(of: "ID") ?? ""
        guard given.count <= 255 else {
            throw .invalidArgument("ID length should not exceed allowed limit of 255", name: "ID", value: given)
        }
        let isEnabled = element.child("Status")?.text.trimmed == "Enabled"
        self.init(id: given.isEmpty ? makeID() : given, filter: try LifecycleFilter(ofRule: element), isEnabled: isEnabled)
        if let inner = try element.optional("Expiration") { expiration = try Expiration(inner) }
        for inner in element.children where inner.name == "Transition" { transitions.append(try Transition(inner)) }
        for inner in element.children where inner.name == "NoncurrentVersionTransition" {
            noncurrentTransitions.append(try NoncurrentTransition(inner))
        }
        if let inner = try element.optional("NoncurrentVersionExpiration") {
            noncurrentExpiration = try NoncurrentExpiration(inner)
        }
        if let inner = try element.optional("AbortIncompleteMultipartUpload") {
            let days = try inner.positive(
                "DaysAfterInitiation", "'DaysAfterInitiation' for AbortIncompleteMultipartUpload action must be a positive integer")
            guard let days else { throw S3Error(.malformedXML) }
            abortIncompleteUpload = .days(days)
        }
        try checkActions()
    }
}

extension LifecycleRule.Expiration {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        if let text = element.child("ExpiredObjectDeleteMarker")?.text {
            self = .deleteMarkers(text.trimmed == "true")
        } else if let date = try element.midnight() {
            self = .at(.date(date))
        } else if let days = try element.positive("Days", "'Days' for Expiration action must be a positive integer") {
            self = .at(.days(days))
        } else {
            throw S3Error(.malformedXML)
        }
    }
}

extension LifecycleRule.Transition {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        let storageClass = try element.transitionClass()
        switch (try element.midnight(), try element.integer(of: "Days")) {
        case (let date?, nil): self.init(time: .date(date), storageClass: storageClass)
        case (nil, let days?):
            try element.check(days, "Days", "Transition", storageClass)
            self.init(time: .days(days), storageClass: storageClass)
        default: throw S3Error(.malformedXML)
        }
    }
}

extension LifecycleRule.NoncurrentTransition {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        let storageClass = try element.transitionClass()
        guard let days = try element.integer(of: "NoncurrentDays") else { throw S3Error(.malformedXML) }
        try element.check(days, "NoncurrentDays", "NoncurrentVersionTransition", storageClass)
        self.init(
            days: days, newerVersions: try element.newerVersions("NoncurrentVersionTransition"), storageClass: storageClass)
    }
}

extension LifecycleRule.NoncurrentExpiration {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        let days = try element.positive(
            "NoncurrentDays", "'NoncurrentDays' for NoncurrentVersionExpiration action must be a positive integer")
        guard let days else { throw S3Error(.malformedXML) }
        self.init(days: days, newerVersions: try element.newerVersions("NoncurrentVersionExpiration"))
    }
}

extension XMLElement {
    /// The maximum number of days; S3's schema has a 32-bit integer.
    private static let mostDays = Int64(Int32.max)

    fileprivate func positive(_ name: String, _ message: String) throws(S3Error) -> Int64? {
        guard let number = try integer(of: name) else { return nil }
        guard number > 0 else { throw .invalidArgument(message, name: name, value: String(number)) }
        guard number <= Self.mostDays else { throw S3Error(.malformedXML) }
        return number
    }

    /// Returns the `Date`, which must be midnight.
    fileprivate func midnight() throws(S3Error) -> Timestamp? {
        guard let text = try text(of: "Date") else { return nil }
        let trimmed = text.trimmed
        // A date without a time is accepted (ISO 8601; XML Schema's `date`).
        guard let date = Timestamp(iso8601: trimmed) ?? Timestamp(iso8601: "\(trimmed)T00:00:00Z") else {
            throw S3Error(.malformedXML)
        }
        guard date.milliseconds % 86_400_000 == 0 else {
            throw .invalidArgument("'Date' must be at midnight GMT", name: "Date", value: text)
        }
        return date
    }

    fileprivate func transitionClass() throws(S3Error) -> StorageClass {
        let text = try required("StorageClass").leafText().trimmed
        guard let storageClass = try? StorageClass(named: text), storageClass.coldness > 0 else { throw S3Error(.malformedXML) }
        return storageClass
    }

    fileprivate func newerVersions(_ action: String) throws(S3Error) -> Int64? {
        try positive("NewerNoncurrentVersions", "'NewerNoncurrentVersions' for \(action) action must be a positive integer")
    }

    /// Rejects a transition to a class for infrequent access in the first 30 days.
    fileprivate func check(_ days: Int64, _ name: String, _ action: String, _ storageClass: StorageClass) throws(S3Error) {
        guard days >= 0 else {
            throw .invalidArgument("'\(name)' in \(action) action must be nonnegative", name: name, value: String(days))
        }
        guard days <= Self.mostDays else { throw S3Error(.malformedXML) }
        let isInfrequent = storageClass == .standardInfrequentAccess || storageClass == .oneZoneInfrequentAccess
        guard !isInfrequent || days >= 30 else {
            throw .invalidArgument(
                "'\(name)' in \(action) action must be greater than or equal to 30 for storageClass '\(storageClass.rawValue)'",
                name: name, value: String(days))
        }
    }
}
