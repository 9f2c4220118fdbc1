import Calls
import Cloud
import HTTPTypes
import ObjectServing
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
        named.properties.lock.append(to: &fields, named: .oss, by: clock)
        return fields
    }

    /// HeadObject.
    /// - Parameter isConditional: whether the client's conditions apply to this object.
    func headObject(_ key: String, in bucket: Bucket, isConditional: Bool = true) throws(OSSError) -> Response {
        var reading = try reading(key, in: bucket)
        let named = try reading.head(key, version: reading.door.version.selector)
        var read = OSSReadObject(named: named, record: named)
        if let target = self.reading(targetOf: named, in: bucket, archive: .never) {
            reading = target.reading
            read.record = try reading.head(target.key)
            try refuseLink(read.record, from: named)
        }
        // HeadObject ignores ranges.
        var selected = ReadInput()
        if isConditional { selected.conditions = ReadConditions(headers) }
        guard case .selected = try reading.select(read.record, selected, modified: read.modified(by: clock)) else {
            return notModified(read, in: bucket)
        }
        var fields = objectFields(read, in: bucket)
        fields.append(HTTPField(name: .contentLength, value: String(read.record.size)))
        return answer(.ok, fields)
    }

    /// GetObjectMeta. Returns a small set of headers; for a symbolic link, those of the link.
    func getObjectMeta(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let reading = try reading(key, in: bucket)
        let record = try reading.head(key, version: reading.door.version.selector)
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
