import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

/// An object to read, and the symbolic link to it if there is one.
struct OSSReadObject: Sendable {
    /// The object or link that the request names.
    var named: ObjectRecord
    /// The object with the content: ``named``, unless that is a symbolic link.
    var record: ObjectRecord

    /// Returns the later modification time of both. (OSS API Reference, "HeadObject", on links.)
    func modified(by clock: SandboxClock) -> Timestamp { max(clock.effective(named.modified), clock.effective(record.modified)) }
}

extension OSSRequest {
    /// Returns the header fields that describe an object. For a symbolic link, those about the content are of the target and the others of
    /// the link.
    /// (OSS API Reference, "GetObject" and "HeadObject", response headers.)
    /// - Parameter overrides: values from the query that override headers.
    func objectFields(_ read: OSSReadObject, in bucket: Bucket, overrides: [HTTPField.Name: String] = [:]) -> HTTPFields {
        let (named, record) = (read.named, read.record)
        var fields: HTTPFields = [:]
        fields.reserveCapacity(24)
        fields.append(HTTPField(name: .eTag, value: record.ossEntityTag))
        fields.append(HTTPField(name: .lastModified, value: read.modified(by: clock).httpDate))
        fields.append(HTTPField(name: .acceptRanges, value: "bytes"))
        named.attributes.append(ossTo: &fields, overrides: overrides)
        fields.append(HTTPField(name: .ossObjectType, value: named.ossType.rawValue))
        if let crc = record.ossCRC64 { fields.append(HTTPField(name: .ossCRC64, value: crc)) }
        if record.ossType == .normal { fields.append(HTTPField(name: .contentMD5, value: record.entityTag.md5.base64)) }
        if case .appendable(let sealed) = named.kind {
            fields.append(HTTPField(name: .ossNextAppendPosition, value: String(named.size)))
            if let sealed { fields.append(HTTPField(name: .ossSealedTime, value: clock.effective(sealed).httpDate)) }
        }
        for field in versionFields(named, in: bucket) { fields.append(field) }
        if !named.properties.tags.isEmpty {
            fields.append(HTTPField(name: .ossTaggingCount, value: String(named.properties.tags.count)))
        }
        if let text = named.restoration?.ossHeader(by: clock) { fields.append(HTTPField(name: .ossRestore, value: text)) }
        named.properties.encryption?.append(ossTo: &fields)
        named.properties.lock.append(ossTo: &fields, by: clock)
        return fields
    }

    /// Returns the target of a symbolic link after checking the permission to read it; `nil` if the object is not a link.
    /// - Throws: `SymlinkTargetNotExist`, `InvalidTargetType`.
    func target<Object>(
        of link: ObjectRecord, in bucket: Bucket, _ find: (String) throws(ObjectStoreError) -> Found<Object>,
        record: (Object) -> ObjectRecord
    ) throws(OSSError) -> Object? {
        guard case .symlink(let target) = link.kind else { return nil }
        let found: Found<Object>
        do { found = try find(target) } catch { throw OSSError(error, bucket: bucket.name, key: target) }
        try authorize(.getObject, on: bucket, key: target, object: found.object.map(record))
        guard case .object(let object) = found else {
            throw OSSError(.symlinkTargetNotExist, nil, ["Key": link.key, "SymlinkTarget": target])
        }
        if case .symlink = record(object).kind {
            throw OSSError(.invalidTargetType, nil, ["Key": link.key, "SymlinkTarget": target])
        }
        return object
    }

    /// Returns the conditions of the request. ETags are converted to lowercase.
    func readConditions(_ names: ReadConditions.Names = .read) -> ReadConditions { ReadConditions(headers.loweringTags, names) }

    /// Evaluates the conditions of the request.
    func judge(_ read: OSSReadObject, isConditional: Bool) -> ReadConditions.Verdict {
        guard isConditional else { return .holds }
        return readConditions().judge(read.record.entityTag, modified: read.modified(by: clock), now: Self.endOfTime)
    }

    /// The time that is used as the present in conditions, so that dates in the future are valid. (This deviates from RFC 9110 section
    /// 13.1.3; the tests of the SDK for Python expect it of the real service.)
    static let endOfTime = Timestamp(milliseconds: .max)

    /// HeadObject.
    /// - Parameter isConditional: whether the client's conditions apply to this object.
    func headObject(_ key: String, in bucket: Bucket, isConditional: Bool = true) throws(OSSError) -> Response {
        let (named, _) = try headedObject(key, in: bucket, asking: .getObject, ofVersion: .getObjectVersion)
        let objects = objects
        let target = try target(
            of: named, in: bucket, { key throws(ObjectStoreError) in try objects.head(key, in: bucket.id) }, record: { $0 })
        let read = OSSReadObject(named: named, record: target ?? named)
        switch judge(read, isConditional: isConditional) {
        case .holds: break
        case .notModified: return notModified(read, in: bucket)
        case .failed: throw OSSError(.preconditionFailed)
        }
        var fields = objectFields(read, in: bucket)
        fields.append(HTTPField(name: .contentLength, value: String(read.record.size)))
        return answer(.ok, fields)
    }

    /// GetObjectMeta. Returns a small set of headers; for a symbolic link, those of the link.
    func getObjectMeta(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(key, in: bucket, asking: .getObject, ofVersion: .getObjectVersion)
        var fields: HTTPFields = [
            .eTag: record.ossEntityTag, .lastModified: clock.effective(record.modified).httpDate,
        ]
        if let crc = record.ossCRC64 { fields.append(HTTPField(name: .ossCRC64, value: crc)) }
        for field in versionFields(record, in: bucket) { fields.append(field) }
        if call.method == .head { fields.append(HTTPField(name: .contentLength, value: String(record.size))) }
        return answer(.ok, fields)
    }

    /// Returns the response with status 304.
    func notModified(_ read: OSSReadObject, in bucket: Bucket) -> Response {
        var fields: HTTPFields = [.eTag: read.record.ossEntityTag, .lastModified: read.modified(by: clock).httpDate]
        for field in versionFields(read.named, in: bucket) { fields.append(field) }
        return answer(.notModified, fields)
    }
}

extension HTTPFields {
    private static let tagged: [HTTPField.Name] = [
        .ifMatch, .ifNoneMatch, .ossCopySourceIfMatch, .ossCopySourceIfNoneMatch,
    ]

    /// The fields with ETags in lowercase, as in the store.
    fileprivate var loweringTags: HTTPFields {
        guard Self.tagged.contains(where: contains) else { return self }
        var fields = self
        for name in Self.tagged { fields[name] = value(of: name)?.lowercased() }
        return fields
    }
}
