package import Cloud
package import Policy
package import WireFormats

/// The actions of a lifecycle configuration at one point in time. It has no side effects; ``LifecycleRunner`` performs the actions.
package struct LifecyclePlan {
    let rules: [LifecycleRule]
    let minimumTransitionSize: LifecycleConfiguration.MinimumTransitionSize?
    let calendar: LifecycleCalendar
    /// The number of seconds by which the aging of the sandbox has moved the dates in the configuration into the past.
    let dateShift: Int64
    let now: Timestamp

    /// Creates the plan for the current time of a clock.
    package init(_ configuration: LifecycleConfiguration, calendar: LifecycleCalendar, clock: SandboxClock) {
        self.init(
            configuration, calendar: calendar, dateShift: clock.aging(since: configuration.declared), now: clock.now)
    }

    package init(_ configuration: LifecycleConfiguration, calendar: LifecycleCalendar, dateShift: Int64 = 0, now: Timestamp) {
        rules = configuration.rules.filter(\.isEnabled)
        minimumTransitionSize = configuration.minimumTransitionSize
        self.calendar = calendar
        self.dateShift = dateShift
        self.now = now
    }

    /// The properties of a version that rules depend on.
    package struct Facts {
        /// The key of the object.
        package var key: String
        /// The size in bytes.
        package var size: Int64
        /// The storage class.
        package var storageClass: StorageClass
        /// The tags of the object.
        package var tags: [Tag]
        /// The creation time; for a noncurrent version, the time at which it became noncurrent.
        package var since: Timestamp
        /// The number of newer noncurrent versions of the key.
        package var newerVersions: Int64

        package init(
            key: String, size: Int64, storageClass: StorageClass, tags: [Tag], since: Timestamp, newerVersions: Int64 = 0
        ) {
            self.key = key
            self.size = size
            self.storageClass = storageClass
            self.tags = tags
            self.since = since
            self.newerVersions = newerVersions
        }
    }

    /// An action on a version.
    package enum Action: Equatable {
        case expire
        case transition(StorageClass)
    }

    /// Whether a rule for the object depends on its tags.
    package func asksForTags(of key: String, size: Int64) -> Bool {
        rules.contains { $0.filter.asksForTags && $0.filter.covers(key, size: size) }
    }

    /// Returns the action that is due for a current version. Expiration has precedence over a transition.
    package func action(onCurrent object: Facts) -> Action? {
        if let expiry = expiry(of: object), expiry.date <= now { return .expire }
        var target: StorageClass?
        for rule in rules where covers(object, rule) {
            for transition in rule.transitions where isDue(transition.time, after: object.since) {
                if transition.storageClass.coldness > target?.coldness ?? 0 { target = transition.storageClass }
            }
        }
        return move(object, to: target)
    }

    /// Returns the action that is due for a noncurrent version.
    package func action(onNoncurrent version: Facts) -> Action? {
        var target: StorageClass?
        for rule in rules where covers(version, rule) {
            if let end = rule.noncurrentExpiration, isDue(end.days, end.newerVersions, version) { return .expire }
            for transition in rule.noncurrentTransitions
            where isDue(transition.days, transition.newerVersions, version) {
                if transition.storageClass.coldness > target?.coldness ?? 0 { target = transition.storageClass }
            }
        }
        return move(version, to: target)
    }

    /// Whether a delete marker without other versions is to be removed.
    package func removesMarker(of key: String, since: Timestamp) -> Bool {
        let marker = Facts(key: key, size: 0, storageClass: .standard, tags: [], since: since)
        return rules.contains { rule in
            switch rule.expiration {
            case .deleteMarkers(true): rule.filter.covers(key)
            case .at(let time): covers(marker, rule) && isDue(time, after: since)
            default: false
            }
        }
    }

    /// Returns the expiration time of a current version, and the ID of the rule: the earliest one that applies.
    package func expiry(of object: Facts) -> (date: Timestamp, rule: String)? {
        var first: (date: Timestamp, rule: String)?
        for rule in rules {
            guard case .at(let time) = rule.expiration, covers(object, rule) else { continue }
            guard let date = moment(time, after: object.since) else { continue }
            if first.map({ date < $0.date }) ?? true { first = (date, rule.id) }
        }
        return first
    }

    /// Returns the time at which an upload will be aborted, and the ID of the rule.
    package func abortTime(of key: String, initiated: Timestamp) -> (date: Timestamp, rule: String)? {
        var first: (date: Timestamp, rule: String)?
        for rule in rules where rule.filter.covers(key) {
            guard let date = rule.abortIncompleteUpload.flatMap({ moment($0, after: initiated) }) else { continue }
            if first.map({ date < $0.date }) ?? true { first = (date, rule.id) }
        }
        return first
    }

    private func covers(_ object: Facts, _ rule: LifecycleRule) -> Bool {
        rule.filter.covers(object.key, size: object.size) && rule.filter.covers(object.tags, of: object.key)
    }

    /// Returns the time at which an action is due; `nil` if it never is.
    /// - Parameter start: the creation time.
    private func moment(_ time: LifecycleRule.Time, after start: Timestamp) -> Timestamp? {
        switch time {
        case .days(let days): calendar.moment(days, after: start)
        case .date(let date): shifted(date)
        case .createdBefore(let date): start < shifted(date) ? start : nil
        }
    }

    private func shifted(_ date: Timestamp) -> Timestamp { Timestamp(milliseconds: date.milliseconds - dateShift * 1000) }

    private func isDue(_ time: LifecycleRule.Time, after start: Timestamp) -> Bool {
        moment(time, after: start).map { $0 <= now } ?? false
    }

    private func isDue(_ days: Int64, _ newerVersions: Int64?, _ version: Facts) -> Bool {
        calendar.moment(days, after: version.since) <= now && version.newerVersions >= newerVersions ?? 0
    }

    /// Returns the transition to a class, which must be colder. Small objects are not transitioned unless a rule has a size filter.
    private func move(_ object: Facts, to target: StorageClass?) -> Action? {
        guard let target, target.coldness > object.storageClass.coldness else { return nil }
        if minimumTransitionSize != nil, object.size < 128 << 10, !(minimumTransitionSize == .byClass && target.isArchive) {
            let speaksOfSizes = rules.contains { rule in
                (rule.filter.sizeAbove != nil || rule.filter.sizeBelow != nil) && covers(object, rule)
                    && (rule.transitions.contains { $0.storageClass == target }
                        || rule.noncurrentTransitions.contains { $0.storageClass == target })
            }
            guard speaksOfSizes else { return nil }
        }
        return .transition(target)
    }
}
