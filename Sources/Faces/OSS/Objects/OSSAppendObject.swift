import Calls
import Cloud
import Cryptography
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// AppendObject. The attributes of the object are those of the first append.
    func appendObject(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let position = try input(AppendObjectInput.self).position
        let declaration = try input(OSSBodyDeclaration.self)
        guard position + (declaration.length ?? 0) <= OSSBodyDeclaration.maximumLength else { throw OSSError(.entityTooLarge) }
        // The headers of later appends are ignored.
        let declared =
            position == 0
            ? try declaredObject(key, try input(), in: bucket)
            : OSSObjectDeclaration(attributes: ObjectAttributes(), properties: ObjectProperties())
        do { try changes(in: bucket).refuseLocked(key) } catch { throw OSSError(error, bucket: bucket.name, key: key) }
        let (writer, body) = try await receive(declaration, for: bucket)
        guard position + body.size <= OSSBodyDeclaration.maximumLength else { throw OSSError(.entityTooLarge) }
        let now = clock.now
        let record: ObjectRecord
        do {
            record = try await changes(in: bucket).append(
                NewObject(
                    key: key, attributes: declared.attributes, md5: body.md5, checksums: body.checksums, owner: bucket.owner,
                    modified: now, properties: declared.properties, kind: .appendable(sealed: nil)),
                at: position, body: writer
            ) { record, addedBytes throws(ObjectStoreError) in
                record.modified = now
                // The ETag of an appendable object is not a digest of its content. (OSS API Reference, "AppendObject", on `ETag`.)
                record.entityTag.md5 = MD5.hash(record.entityTag.md5 + body.md5)
                record.checksums = body.checksums.compactMap { added in
                    record.checksums.first { $0.algorithm == added.algorithm }.flatMap { present in
                        combinedChecksum(added.algorithm, .fullObject, of: [(record.size, present), (addedBytes, added)])
                    }
                }
            }
        } catch {
            throw OSSError(error, bucket: bucket.name, key: key)
        }
        var fields = writtenFields(record, in: bucket)
        fields.append(HTTPField(name: .ossNextAppendPosition, value: String(record.size)))
        return answer(.ok, fields)
    }

    /// SealAppendObject. Afterwards nothing can be appended to the object.
    func sealAppendObject(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let position = try input(AppendObjectInput.self).position
        let now = clock.now
        let record = try await change(key, .current, in: bucket) { record throws(ObjectStoreError) in
            guard case .appendable(let sealed) = record.kind else { throw .notAppendable }
            guard position == record.size else { throw .wrongPosition(length: record.size) }
            record.kind = .appendable(sealed: sealed ?? now)
        }
        guard case .appendable(let sealed?) = record.kind else { throw OSSError(.internalError) }
        return answer(.ok, [.ossSealedTime: clock.effective(sealed).httpDate])
    }
}
