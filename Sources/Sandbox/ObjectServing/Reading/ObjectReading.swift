package import Calls
import Cloud
package import ObjectStore
package import WireFormats

/// The reads of objects in one bucket by one request, for all faces.
///
/// Every read by a client uses this type, in two steps. The first step finds the object and checks permission and customer key. The second
/// step checks archive and conditions, and selects the range or part. Between the steps, a face can check more, for example that the key
/// management service knows the key.
package struct ObjectReading<Door: ReadingDoor>: Sendable {
    /// The rules and errors of the face.
    package let door: Door
    private let bucket: Bucket
    private let call: Call

    /// - Parameter bucket: the bucket as visible in the face's service.
    package init(in bucket: Bucket, _ call: Call, through door: Door) {
        self.bucket = bucket
        self.call = call
        self.door = door
    }

    /// Returns the object under a key, or one of its versions, with its content.
    /// - Parameter input: used only if the policy checks part numbers first.
    package func open(
        _ key: String, version: VersionSelector = .current, _ input: ReadInput = ReadInput()
    ) throws(Door.Failure) -> StoredObject {
        let found: Found<StoredObject>
        let longest = call.request.client?.longestWholeBody ?? .max
        do { found = try call.cloud.objects.open(key, version: version, in: bucket.id, withBodyUpTo: longest) } catch {
            throw door.error(for: .store(error))
        }
        guard case .object(let object) = found else { throw try absence(found) }
        try door.permit(object.record)
        if door.policy.checksPartFirst, let number = input.partNumber { _ = try part(number, of: object) }
        try checkOpened(object.record)
        return object
    }

    /// Returns the record of the object under a key, or of one of its versions.
    package func head(_ key: String, version: VersionSelector = .current) throws(Door.Failure) -> ObjectRecord {
        let found: Found<ObjectRecord>
        do { found = try call.cloud.objects.head(key, version: version, in: bucket.id) } catch {
            throw door.error(for: .store(error))
        }
        guard case .object(let record) = found else { throw try absence(found) }
        try door.permit(record)
        try checkOpened(record)
        return record
    }

    private func checkOpened(_ record: ObjectRecord) throws(Door.Failure) {
        try door.checkCustomerKey(of: record)
        if door.policy.archive == .whenOpened { try checkReach(of: record) }
    }

    /// Returns the error for what was found in place of an object.
    /// - Throws: the door's error if the caller may not know.
    private func absence<Object>(_ found: Found<Object>) throws(Door.Failure) -> Door.Failure {
        try door.permitAbsence()
        guard case .deleteMarker(let version, let modified) = found else { return door.error(for: .missing) }
        return door.error(for: .deleteMarker(version, modified: modified))
    }

    /// Checks archive and conditions, and selects the part of the object that the request reads.
    /// - Parameters:
    ///   - object: the result of the first step.
    ///   - modified: the modification time for conditions; `nil` for the object's own.
    package func select(
        _ object: StoredObject, _ input: ReadInput, modified: Timestamp? = nil
    ) throws(Door.Failure) -> ReadOutcome { try select(object.record, of: object, input, modified: modified) }

    /// Checks archive and conditions, and selects what the request reads of an object whose record alone was read.
    /// - Parameters:
    ///   - record: found by this request.
    ///   - modified: the time that conditions are compared with; `nil` for the object's own.
    package func select(
        _ record: ObjectRecord, _ input: ReadInput, modified: Timestamp? = nil
    ) throws(Door.Failure) -> ReadOutcome { try select(record, of: nil, input, modified: modified) }

    private func select(
        _ record: ObjectRecord, of stored: StoredObject?, _ input: ReadInput, modified: Timestamp?
    ) throws(Door.Failure) -> ReadOutcome {
        let policy = door.policy
        let modified = modified ?? call.cloud.clock.effective(record.modified)
        if policy.archive == .beforeConditions { try checkReach(of: record) }
        if let conditions = input.conditions {
            let now = policy.comparesFutureDates ? Timestamp(milliseconds: .max) : call.received
            switch (policy.ignoresCaseOfTags ? conditions.loweringTags : conditions).judge(record.entityTag, modified: modified, now: now) {
            case .holds: break
            case .notModified(let condition): return .notModified(condition: condition)
            case .failed(let condition): throw door.error(for: .conditionFailed(condition))
            }
        }
        if policy.archive == .afterConditions { try checkReach(of: record) }
        if let stored, let number = input.partNumber {
            guard input.range == nil else { throw door.error(for: .rangeOfPart) }
            return .selected(try part(number, of: stored))
        }
        let ifRange = policy.ignoresCaseOfTags ? input.ifRange.map(ReadConditions.loweringTag(ofIfRange:)) : input.ifRange
        switch RangeSelection(input.range, ifRange: ifRange, of: record, modified: modified, policy.fit) {
        case .whole: return .selected(ReadSelection())
        case .part(let range): return .selected(ReadSelection(range: range))
        case .unsatisfiable(let requested): throw door.error(for: .unsatisfiableRange(requested, size: record.size))
        }
    }

    private func checkReach(of record: ObjectRecord) throws(Door.Failure) {
        guard let storageClass = record.archive(by: call.cloud.clock), try !door.readsDirectly(storageClass) else { return }
        throw door.error(for: .archived(storageClass))
    }

    private func part(_ text: String, of stored: StoredObject) throws(Door.Failure) -> ReadSelection {
        guard let number = Int(digits: text), (1...10_000).contains(number) else { throw door.error(for: .invalidPartNumber(text)) }
        guard let range = stored.range(ofPart: number) else {
            throw door.error(for: .missingPart(text, partCount: stored.record.entityTag.partCount ?? 1))
        }
        return ReadSelection(range: range, part: stored.parts.first { $0.number == number })
    }
}

/// The part of an object that a read selects.
package struct ReadSelection: Sendable {
    /// `nil` for the whole object.
    package var range: Range<Int64>?
    /// The part, if the request names one and the object was uploaded in parts.
    package var part: StoredObject.Part?

    /// - Parameter range: `nil` for the whole object.
    package init(range: Range<Int64>? = nil, part: StoredObject.Part? = nil) {
        self.range = range
        self.part = part
    }
}

/// The result of a read that was not refused.
package enum ReadOutcome: Sendable {
    case selected(ReadSelection)
    /// The client's copy is current; the value is the name of the condition's header.
    case notModified(condition: String)
}
