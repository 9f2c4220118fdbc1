import Cloud
import Exchange
import HTTPTypes
import WireFormats

extension S3Request {
    /// PutObject.
    func putObject(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key, keys: writeKeys)
        let attributes = try ObjectAttributes(writing: headers)
        let condition = try Precondition(write: headers)
        let declaration = try declaredBody()
        let (writer, body) = try await receive(declaration, length: declaration.objectLength(), default: .crc64nvme)
        let record: ObjectRecord
        do {
            record = try await objects.put(
                NewObject(
                    key: address.key, attributes: attributes, md5: body.md5, checksums: [body.checksum],
                    owner: bucket.account, modified: clock.now),
                in: bucket.id, body: writer, if: condition)
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key, condition: condition.header)
        }
        var fields = writtenFields(record.entityTag)
        append(record.checksums, partCount: nil, to: &fields)
        return answer(.ok, fields)
    }

    /// What every write of a body says of the result.
    func writtenFields(_ tag: EntityTag) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(4)
        fields.append(HTTPField(name: .eTag, value: tag.quoted))
        fields.append(HTTPField(name: .serverSideEncryption, value: "AES256"))
        return fields
    }

    /// Appends `x-amz-checksum-…` and `x-amz-checksum-type`.
    func append(_ checksums: [Checksum], partCount: Int?, to fields: inout HTTPFields) {
        guard let first = checksums.first else { return }
        for checksum in checksums {
            fields.append(HTTPField(name: checksum.algorithm.header, value: checksum.text(partCount: partCount)))
        }
        fields.append(HTTPField(name: .checksumType, value: first.coverage.name))
    }
}
