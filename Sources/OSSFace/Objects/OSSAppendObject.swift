import Calls
import Cloud
import Cryptography
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// AppendObject: what the first append says of the object stays.
    func appendObject(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize("oss:PutObject", on: bucket, key: key)
        let position = try position()
        let declaration = try OSSBodyDeclaration(headers)
        guard position + (declaration.length ?? 0) <= OSSBodyDeclaration.maximumLength else { throw OSSError(.entityTooLarge) }
        // A later append says nothing of the object, whatever its headers are.
        let declared =
            position == 0
            ? try declaredObject(key, headers, in: bucket)
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
                // The tag of an object that grows is no digest of its content. (OSS API Reference, "AppendObject", on `ETag`.)
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

    /// SealAppendObject: the object grows no more.
    func sealAppendObject(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize("oss:PutObject", on: bucket, key: key)
        let position = try position()
        let now = clock.now
        let record = try await change(key, .current, in: bucket) { record throws(ObjectStoreError) in
            guard case .appendable(let sealed) = record.kind else { throw .notAppendable }
            guard position == record.size else { throw .wrongPosition(length: record.size) }
            record.kind = .appendable(sealed: sealed ?? now)
        }
        guard case .appendable(let sealed?) = record.kind else { throw OSSError(.internalError) }
        return answer(.ok, [.ossSealedTime: clock.effective(sealed).httpDate])
    }

    private func position() throws(OSSError) -> Int64 {
        guard let text = query["position"] else { throw OSSError(.missingArgument, nil, ["ArgumentName": "position"]) }
        guard let position = Int64(digits: text), (0...OSSBodyDeclaration.maximumLength).contains(position) else {
            throw .invalidArgument("The position is no length of an object.", name: "position", value: text)
        }
        return position
    }
}
