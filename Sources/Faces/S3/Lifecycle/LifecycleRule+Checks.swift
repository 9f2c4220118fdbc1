import Cloud
import ObjectServing
import WireFormats

/// Checks of the actions of one rule against each other.
/// (S3 User Guide, "Lifecycle configuration elements"; the error messages are observed.)
extension LifecycleRule {
    func checkActions() throws(S3Error) {
        guard
            expiration != nil || !transitions.isEmpty || !noncurrentTransitions.isEmpty || noncurrentExpiration != nil
                || abortIncompleteUpload != nil
        else { throw S3Error(.invalidRequest, "At least one action needs to be specified in a rule") }
        let hasSize = filter.sizeAbove != nil || filter.sizeBelow != nil
        if abortIncompleteUpload != nil {
            try refuse("AbortIncompleteMultipartUpload", hasSize: hasSize)
        }
        if case .deleteMarkers = expiration {
            try refuse("ExpiredObjectDeleteMarker", hasSize: hasSize)
        }
        try checkTransitions()
        try checkNoncurrent()
    }

    /// Rejects tags and sizes in the filter of an action on uploads or delete markers, which have neither.
    private func refuse(_ action: String, hasSize: Bool) throws(S3Error) {
        guard filter.tags.isEmpty else { throw S3Error(.invalidRequest, "\(action) cannot be specified with Tags.") }
        guard !hasSize else { throw S3Error(.invalidRequest, "\(action) cannot be specified with Object Size.") }
    }

    private func checkTransitions() throws(S3Error) {
        let place = "for filter '\(filter.description)'"
        try checkClasses(transitions.map(\.storageClass), of: "Transition")
        let days = transitions.compactMap { transition -> (StorageClass, Int64)? in
            if case .days(let days) = transition.time { (transition.storageClass, days) } else { nil }
        }
        let dates = transitions.compactMap { transition -> (StorageClass, Int64)? in
            if case .date(let date) = transition.time { (transition.storageClass, date.milliseconds) } else { nil }
        }
        guard days.isEmpty || dates.isEmpty else {
            throw S3Error(
                .invalidRequest, "Found mixed 'Date' and 'Days' based Transition actions in lifecycle rule \(place)")
        }
        try checkOrder(days, of: "Transition", by: "Days")
        try checkOrder(dates, of: "Transition", by: "Date")
        guard case .at(let end) = expiration else { return }
        switch end {
        case .days(let end):
            guard dates.isEmpty else { throw mixed(place) }
            guard days.allSatisfy({ $0.1 < end }) else { throw tooEarly("Days", "Expiration", "Days", "Transition", place) }
        case .date(let end):
            guard days.isEmpty else { throw mixed(place) }
            guard dates.allSatisfy({ $0.1 < end.milliseconds }) else {
                throw tooEarly("Date", "Expiration", "Date", "Transition", place)
            }
        case .createdBefore: break
        }
    }

    private func checkNoncurrent() throws(S3Error) {
        let action = "NoncurrentVersionTransition"
        try checkClasses(noncurrentTransitions.map(\.storageClass), of: action)
        try checkOrder(noncurrentTransitions.map { ($0.storageClass, $0.days) }, of: action, by: "NoncurrentDays")
        guard let end = noncurrentExpiration?.days else { return }
        guard noncurrentTransitions.allSatisfy({ $0.days < end }) else {
            throw tooEarly(
                "NoncurrentDays", "NoncurrentVersionExpiration", "NoncurrentDays", action, "for filter '\(filter.description)'")
        }
    }

    private func checkClasses(_ classes: [StorageClass], of action: String) throws(S3Error) {
        guard Set(classes).count == classes.count else {
            throw S3Error(
                .invalidRequest,
                "'StorageClass' must be different for '\(action)' actions in same 'Rule' with filter '\(filter.description)'")
        }
    }

    /// Checks that the time of each transition is later than that of the next warmer class.
    private func checkOrder(_ steps: [(StorageClass, Int64)], of action: String, by unit: String) throws(S3Error) {
        let steps = steps.sorted { $0.0.coldness < $1.0.coldness }
        for (earlier, later) in zip(steps, steps.dropFirst()) where later.1 <= earlier.1 {
            let place = "for filter '\(filter.description)'"
            throw S3Error(
                .invalidArgument,
                "'\(unit)' in the \(action) action for StorageClass '\(later.0.rawValue)' \(place) must be greater than '\(unit)' in the \(action) action for StorageClass '\(earlier.0.rawValue)' \(place)"
            )
        }
    }

    private func mixed(_ place: String) -> S3Error {
        S3Error(
            .invalidRequest, "Found mixed 'Date' and 'Days' based Expiration and Transition actions in lifecycle rule \(place)")
    }

    private func tooEarly(_ unit: String, _ end: String, _ step: String, _ action: String, _ place: String) -> S3Error {
        S3Error(
            .invalidArgument, "'\(unit)' in the \(end) action \(place) must be greater than '\(step)' in the \(action) action")
    }
}
