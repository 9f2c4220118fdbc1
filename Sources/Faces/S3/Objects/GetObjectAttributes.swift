import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The attributes that a request can select. (S3 API Reference, GetObjectAttributes, `x-amz-object-attributes`.)
enum ObjectAttribute: String, CaseIterable {
    case entityTag = "ETag"
    case checksum = "Checksum"
    case parts = "ObjectParts"
    case storageClass = "StorageClass"
    case size = "ObjectSize"

    /// Parses the header, which can occur several times and contain several names each.
    /// - Throws: `InvalidRequest` if there is none, `InvalidArgument` for an unknown one.
    static func asked(_ headers: HTTPFields) throws(S3Error) -> Set<ObjectAttribute> {
        var asked: Set<ObjectAttribute> = []
        for value in headers[values: .objectAttributes] {
            for item in value.split(separator: ",") {
                var name = item.drop { $0 == " " }
                while name.last == " " { name.removeLast() }
                guard let attribute = ObjectAttribute(rawValue: String(name)) else {
                    throw .invalidArgument(
                        "Invalid attribute name specified.", name: "x-amz-object-attributes", value: String(name))
                }
                asked.insert(attribute)
            }
        }
        guard !asked.isEmpty else {
            throw S3Error(
                .invalidRequest,
                "The x-amz-object-attributes header specifying the attributes to be retrieved is either missing or empty")
        }
        return asked
    }
}

extension S3Request {
    func getObjectAttributes(_ address: ObjectAddress) async throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        let input = try input(GetObjectAttributesInput.self)
        let (asked, limit, marker) = (input.attributes, input.limit, input.marker)
        let reading = try reading(address, in: bucket) { $0 == .current ? .getObjectAttributes : .getObjectVersionAttributes }
        let stored = try reading.open(address.key, version: reading.door.version)
        let record = stored.record

        var fields: HTTPFields = [.lastModified: clock.effective(record.modified).httpDate]
        append(record.version, of: record.key, in: bucket, to: &fields)
        return answer(.ok, fields, root: "GetObjectAttributesResponse") { xml in
            if asked.contains(.entityTag) { xml.element("ETag", record.entityTag.text) }
            if asked.contains(.checksum), let first = record.checksums.shown.first {
                xml.element("Checksum") { xml in
                    // Unlike in other responses, AWS does not append the number of parts.
                    let partCount = dialect == .ceph ? record.entityTag.partCount : nil
                    for checksum in record.checksums.shown {
                        xml.element(checksum.algorithm.element, checksum.text(partCount: partCount))
                    }
                    xml.element("ChecksumType", first.coverage.name)
                }
            }
            if asked.contains(.parts), record.entityTag.partCount != nil {
                encode(stored, after: marker, limit: limit, into: &xml)
            }
            if asked.contains(.storageClass) {
                xml.element("StorageClass", record.attributes.storageClass ?? StorageClass.standard.rawValue)
            }
            if asked.contains(.size) { xml.element("ObjectSize", record.size) }
        }
    }

    /// Writes the number of parts, and for a composite checksum the parts themselves.
    /// (S3 API Reference, GetObjectAttributes, "ObjectParts", on `Part`.)
    private func encode(_ stored: StoredObject, after marker: Int, limit: Int, into xml: inout XMLWriter) {
        let parts = stored.parts
        let rest = parts.filter { $0.number > marker }
        let page = rest.prefix(limit)
        let isComposite = stored.record.checksums.shown.first?.coverage == .composite
        xml.element("ObjectParts") { xml in
            xml.element("PartsCount", parts.count)
            guard isComposite || dialect == .ceph else { return }
            xml.element("PartNumberMarker", marker)
            xml.element("NextPartNumberMarker", page.last?.number ?? 0)
            xml.element("MaxParts", limit)
            xml.element("IsTruncated", page.count < rest.count)
            for part in page {
                xml.element("Part") { xml in
                    xml.element("PartNumber", part.number)
                    xml.element("Size", part.size)
                    guard isComposite else { return }
                    for checksum in part.checksums.shown { xml.element(checksum.algorithm.element, checksum.bytes.base64) }
                }
            }
        }
    }
}
