import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// PutSymlink. What the link leads to is looked at when somebody follows it.
    func putSymlink(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize("oss:PutObject", on: bucket, key: key)
        guard let text = headers.value(of: .ossSymlinkTarget), !text.isEmpty else {
            throw OSSError.invalidArgument("The target of the link is missing.", name: "x-oss-symlink-target", value: "")
        }
        guard let target = percentDecoded(text) else {
            throw OSSError.invalidArgument("The target of the link is not URL-encoded.", name: "x-oss-symlink-target", value: text)
        }
        try OSSObjectOperation.check(target)
        let declared = try declaredObject(key, headers, in: bucket)
        let condition = try precondition(ofWrite: headers, to: key, in: bucket)
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

    /// GetSymlink.
    func getSymlink(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(key, in: bucket, asking: "oss:GetObject", ofVersion: "oss:GetObjectVersion")
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
