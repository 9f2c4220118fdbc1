import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The part of reading an object that is specific to S3: permissions, customer keys and errors.
struct S3ReadingDoor: ReadingDoor {
    /// The object that is read.
    enum Subject {
        /// The object that the request names.
        case object
        /// The source of a copy.
        case copySource
    }

    let request: S3Request
    let bucket: Bucket
    let key: String
    let named: NamedVersion
    /// The permissions that the operation needs. Errors about a missing object depend on the first one.
    let actions: [S3Action]
    var subject = Subject.object
    let policy: ReadPolicy

    var version: VersionSelector { named.selector }

    /// Checks the permissions on an object. Without one, ``error(for:)`` returns the error for the client.
    func permit(_ record: ObjectRecord) throws(S3Error) {
        for action in actions { try request.authorize(action, on: bucket, object: record) }
    }

    /// Checks nothing: ``error(for:)`` returns the error for the client, which depends on the permission.
    func permitAbsence() throws(S3Error) {}

    func checkCustomerKey(of record: ObjectRecord) throws(S3Error) {
        try request.check(record.properties.encryption, against: request.headers, subject == .object ? .object : .copySource)
    }

    func error(for refusal: ReadRefusal) -> S3Error {
        switch refusal {
        case .missing: request.absence(of: key, version: named.text, in: bucket, asking: actions[0])
        case .deleteMarker(let marker, let modified): deletion(marker, modified)
        case .customerKey: S3Error(.accessDenied)
        case .archived(let storageClass):
            S3Error(
                .invalidObjectState,
                subject == .object
                    ? "The operation is not valid for the object's storage class"
                    : "Operation is not valid for the source object's storage class",
                ["StorageClass": storageClass.rawValue])
        case .conditionFailed(let condition): .preconditionFailed(condition)
        case .invalidPartNumber(let text): .invalidPartNumber(text)
        case .missingPart(let text, let partCount):
            S3Error(
                request.dialect == .ceph ? .invalidPart : .invalidPartNumber, "The requested partnumber is not satisfiable",
                ["PartNumberRequested": text, "ActualPartCount": String(partCount)])
        case .rangeOfPart: S3Error(.invalidRequest, "Cannot specify both Range header and partNumber query parameter")
        case .unsatisfiableRange(let requested, let size):
            S3Error(.invalidRange, nil, ["RangeRequested": requested, "ActualObjectSize": String(size)])
        case .store(let error): S3Error(error, bucket: bucket.name, key: key)
        }
    }

    private func deletion(_ marker: ObjectVersion, _ modified: Timestamp) -> S3Error {
        switch subject {
        case .object:
            return request.deletion(
                of: key, marker, modified: modified, isNamed: !named.isCurrent, in: bucket, asking: actions[0])
        case .copySource:
            let error = request.missing(key, in: bucket, asking: actions[0])
            guard error.code == .noSuchKey, !named.isCurrent else { return error }
            return S3Error(
                .invalidRequest, "The source of a copy request may not specifically refer to a delete marker by version id.")
        }
    }
}

extension S3Request {
    /// Returns the permission for reading a version.
    func readAction(_ version: VersionSelector) -> S3Action { version == .current ? .getObject : .getObjectVersion }

    /// Returns the reads of the object, or of its version, that the request names.
    /// - Parameters:
    ///   - archive: when an object in an archive is refused; by default the operation reads no content.
    ///   - further: a permission that is checked before that for reading.
    func reading(
        _ address: ObjectAddress, in bucket: Bucket, archive: ReadPolicy.ArchiveCheck = .never,
        further: ((VersionSelector) -> S3Action)? = nil
    ) throws(S3Error) -> ObjectReading<S3ReadingDoor> {
        let version = try version(of: address.key)
        let read = readAction(version.selector)
        let door = S3ReadingDoor(
            request: self, bucket: bucket, key: address.key, named: version,
            actions: further.map { [$0(version.selector), read] } ?? [read],
            policy: ReadPolicy(archive: archive, checksPartFirst: dialect == .ceph))
        return ObjectReading(in: bucket, call, through: door)
    }
}
