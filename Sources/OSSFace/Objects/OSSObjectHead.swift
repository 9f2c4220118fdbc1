import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

/// An object to be read: itself, or the link that leads to it.
struct OSSReadObject: Sendable {
    /// What the request names.
    var named: ObjectRecord
    /// What has the content: ``named``, unless that is a link.
    var record: ObjectRecord

    /// The later of both. (OSS API Reference, "HeadObject", on links.)
    func modified(by clock: SandboxClock) -> Timestamp { max(clock.effective(named.modified), clock.effective(record.modified)) }
}

extension OSSRequest {
    /// The fields that tell of an object to whoever reads it. Of a link they tell the link's own, but for what belongs to the content.
    /// (OSS API Reference, "GetObject" and "HeadObject", response headers.)
    /// - Parameter overrides: values that the reader asks for instead.
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

    /// Follows a link to what it leads to, for a caller who may read both.
    /// - Throws: `SymlinkTargetNotExist`, `InvalidTargetType`.
    func target<Object>(
        of link: ObjectRecord, in bucket: Bucket, _ find: (String) throws(ObjectStoreError) -> Found<Object>,
        record: (Object) -> ObjectRecord
    ) throws(OSSError) -> Object? {
        guard case .symlink(let target) = link.kind else { return nil }
        let found: Found<Object>
        do { found = try find(target) } catch { throw OSSError(error, bucket: bucket.name, key: target) }
        try authorize("oss:GetObject", on: bucket, key: target, object: found.object.map(record))
        guard case .object(let object) = found else {
            throw OSSError(.symlinkTargetNotExist, nil, ["Key": link.key, "SymlinkTarget": target])
        }
        if case .symlink = record(object).kind {
            throw OSSError(.invalidTargetType, nil, ["Key": link.key, "SymlinkTarget": target])
        }
        return object
    }

    /// The conditions under which the client wants to read. Tags are compared in one case.
    func readConditions(_ names: ReadConditions.Names = .read) -> ReadConditions { ReadConditions(headers.loweringTags, names) }

    /// Whether the client wants to read the object as it is.
    func judge(_ read: OSSReadObject, isConditional: Bool) -> ReadConditions.Verdict {
        guard isConditional else { return .holds }
        return readConditions().judge(read.record.entityTag, modified: read.modified(by: clock), now: Self.endOfTime)
    }

    /// What conditions are judged by in place of the present: dates in the future hold as all others do. (Not so in RFC 9110 section
    /// 13.1.3; the tests of the SDK for Python expect it of the real service.)
    static let endOfTime = Timestamp(milliseconds: .max)

    /// HeadObject.
    /// - Parameter isConditional: whether the client's conditions are for this object.
    func headObject(_ key: String, in bucket: Bucket, isConditional: Bool = true) throws(OSSError) -> Response {
        let (named, _) = try headedObject(key, in: bucket, asking: "oss:GetObject", ofVersion: "oss:GetObjectVersion")
        let objects = objects
        let target = try target(
            of: named, in: bucket, { key throws(ObjectStoreError) in try objects.head(key, in: bucket.id) }, record: { $0 })
        let read = OSSReadObject(named: named, record: target ?? named)
        try refuseCustomerKey(of: read.record)
        switch judge(read, isConditional: isConditional) {
        case .holds: break
        case .notModified: return notModified(read, in: bucket)
        case .failed: throw OSSError(.preconditionFailed)
        }
        var fields = objectFields(read, in: bucket)
        fields.append(HTTPField(name: .contentLength, value: String(read.record.size)))
        return answer(.ok, fields)
    }

    /// GetObjectMeta: the little that costs the service nothing to know, of a link its own.
    func getObjectMeta(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(key, in: bucket, asking: "oss:GetObject", ofVersion: "oss:GetObjectVersion")
        try refuseCustomerKey(of: record)
        var fields: HTTPFields = [
            .eTag: record.ossEntityTag, .lastModified: clock.effective(record.modified).httpDate,
        ]
        if let crc = record.ossCRC64 { fields.append(HTTPField(name: .ossCRC64, value: crc)) }
        for field in versionFields(record, in: bucket) { fields.append(field) }
        if call.method == .head { fields.append(HTTPField(name: .contentLength, value: String(record.size))) }
        return answer(.ok, fields)
    }

    /// The reader has it already.
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

    /// The same with the tags of conditions in lower case, as the store's are spelled elsewhere.
    fileprivate var loweringTags: HTTPFields {
        guard Self.tagged.contains(where: contains) else { return self }
        var fields = self
        for name in Self.tagged { fields[name] = value(of: name)?.lowercased() }
        return fields
    }
}
