import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// PutSymlink. The target need not exist; it is checked when the link is read.
    func putSymlink(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let input = try input(PutSymlinkInput.self)
        let target = input.target
        let declared = try declaredObject(key, input.object, in: bucket)
        let condition = try precondition(forbidsOverwrite: input.object.forbidsOverwrite, to: key, in: bucket)
        let record: ObjectRecord
        do {
            record = try await changes(in: bucket).put(
                NewObject(
                    key: key, attributes: declared.attributes, md5: MD5.hash(Array(target.utf8)), owner: bucket.owner,
                    modified: clock.now, properties: declared.properties, kind: .symlink(target: target)),
                body: objects.stage(expecting: 0), if: condition)
        } catch {
            throw refusal(error, key, in: bucket)
        }
        return answer(.ok, writtenFields(record, in: bucket))
    }

    func getSymlink(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(key, in: bucket, asking: .getObject, ofVersion: .getObjectVersion)
        guard case .symlink(let target) = record.kind else { throw OSSError(.notSymlink, nil, ["Key": key]) }
        var fields: HTTPFields = [
            .eTag: record.ossEntityTag, .lastModified: clock.effective(record.modified).httpDate,
            .ossSymlinkTarget: percentEncoded(target),
        ]
        record.attributes.append(ossTo: &fields)
        for field in versionFields(record, in: bucket) { fields.append(field) }
        return answer(.ok, fields)
    }
}
