import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The part of reading an object that is specific to OSS: permissions and errors. OSS has no customer keys.
struct OSSReadingDoor: ReadingDoor {
    let request: OSSRequest
    let bucket: Bucket
    let key: String
    let version: NamedVersion
    /// The key of the symbolic link to the object, if the request names a link.
    var link: String?
    let policy: ReadPolicy

    func permit(_ record: ObjectRecord) throws(OSSError) { try permit(reading: record) }

    func permitAbsence() throws(OSSError) { try permit(reading: nil) }

    private func permit(reading record: ObjectRecord?) throws(OSSError) {
        try request.authorize(version.isCurrent ? .getObject : .getObjectVersion, on: bucket, key: key, object: record)
    }

    /// (OSS User Guide, "Real-time access of Archive objects": a bucket can allow it for Archive objects, and not for colder classes.)
    func readsDirectly(_ storageClass: StorageClass) throws(OSSError) -> Bool {
        guard storageClass == .glacier else { return false }
        return try request.configuration(.ossArchiveDirectRead, of: bucket)?.child("Enabled")?.text == "true"
    }

    func error(for refusal: ReadRefusal) -> OSSError {
        switch refusal {
        case .missing where link != nil, .deleteMarker where link != nil:
            OSSError(.symlinkTargetNotExist, nil, ["Key": link ?? "", "SymlinkTarget": key])
        case .missing: request.absence(of: key, version)
        case .deleteMarker(let marker, _): request.deletion(of: key, version, marker)
        case .customerKey:
            OSSError(.accessDenied, "The object is encrypted with a customer key (SSE-C), which OSS does not support.")
        case .archived: OSSError(.invalidObjectState, nil, ["ObjectName": key])
        case .conditionFailed: OSSError(.preconditionFailed)
        case .unsatisfiableRange(let requested, let size):
            OSSError(
                .invalidRange, nil, ["ActualObjectSize": String(size), "RangeRequested": requested],
                fields: [.contentRange: "bytes */\(size)"])
        // OSS reads no parts.
        case .invalidPartNumber, .missingPart, .rangeOfPart: OSSError(.invalidArgument)
        case .store(let error): OSSError(error, bucket: bucket.name, key: key)
        }
    }
}

extension OSSRequest {
    /// Returns the reads of the object, or of its version, that the request names.
    /// - Parameter archive: when an object in an archive is refused; by default the operation reads no content.
    func reading(
        _ key: String, in bucket: Bucket, archive: ReadPolicy.ArchiveCheck = .never
    ) throws(OSSError) -> ObjectReading<OSSReadingDoor> {
        reading(key, try version(of: key), in: bucket, archive)
    }

    /// Returns the reads of a version of an object.
    /// - Parameter link: the key of the symbolic link to the object.
    func reading(
        _ key: String, _ version: NamedVersion, link: String? = nil, in bucket: Bucket, _ archive: ReadPolicy.ArchiveCheck
    ) -> ObjectReading<OSSReadingDoor> {
        // Dates in the future are conditions: the tests of the SDK for Python expect it of the real service.
        let policy = ReadPolicy(archive: archive, fit: fields.rangeFit, ignoresCaseOfTags: true, comparesFutureDates: true)
        return ObjectReading(
            in: bucket, call,
            through: OSSReadingDoor(
                request: self, bucket: bucket, key: key, version: version, link: link, policy: policy))
    }

    /// Returns the reads of a symbolic link's target; `nil` for an object that is not a link.
    func reading(
        targetOf link: ObjectRecord, in bucket: Bucket, archive: ReadPolicy.ArchiveCheck
    ) -> (reading: ObjectReading<OSSReadingDoor>, key: String)? {
        guard case .symlink(let target) = link.kind else { return nil }
        return (reading(target, .current, link: link.key, in: bucket, archive), target)
    }

    /// Rejects a link to a link.
    /// - Throws: `InvalidTargetType`.
    func refuseLink(_ target: ObjectRecord, from link: ObjectRecord) throws(OSSError) {
        guard case .symlink = target.kind else { return }
        throw OSSError(.invalidTargetType, nil, ["Key": link.key, "SymlinkTarget": target.key])
    }
}
