import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    func putObject(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let callback = try uploadCallback(in: bucket)
        let declaration = try input(OSSBodyDeclaration.self)
        let record = try await writeObject(key, try input(), in: bucket) { try await receive(declaration, for: bucket) }
        return await answer(written: record, in: bucket, callback, operation: "PutObject")
    }

    /// Writes an object. The permission has been checked before.
    /// - Parameters:
    ///   - event: the event that is sent.
    ///   - receive: streams the body into the store and verifies it. It is called after all other checks.
    func writeObject(
        _ key: String, _ input: OSSObjectWriteInput, in bucket: Bucket, as event: EventName = .objectCreatedPut,
        receive: () async throws -> (writer: BodyWriter, body: ReceivedBody)
    ) async throws -> ObjectRecord {
        let declared = try declaredObject(key, input, in: bucket)
        let condition = try precondition(forbidsOverwrite: input.forbidsOverwrite, to: key, in: bucket)
        let (writer, body) = try await receive()
        do {
            return try await changes(in: bucket).put(
                NewObject(
                    key: key, attributes: declared.attributes, md5: body.md5, checksums: body.checksums, owner: bucket.owner,
                    modified: clock.now, properties: declared.properties),
                body: writer, if: condition, as: event)
        } catch {
            throw refusal(error, key, in: bucket)
        }
    }

    /// Returns the response of a write: an empty one, or that of the callback.
    /// - Parameter operation: the name of the operation in the callback.
    func answer(
        written record: ObjectRecord, in bucket: Bucket, _ callback: UploadCallback?, operation: String
    ) async -> Response {
        let fields = writtenFields(record, in: bucket)
        guard let callback else { return answer(.ok, fields) }
        return await answer(of: callback, about: record, in: bucket, operation: operation, fields)
    }

    /// Returns the response headers that describe a written object.
    func writtenFields(_ record: ObjectRecord, in bucket: Bucket) -> HTTPFields {
        var fields: HTTPFields = [.eTag: record.ossEntityTag]
        if let crc = record.ossCRC64 { fields.append(HTTPField(name: .ossCRC64, value: crc)) }
        if record.ossType == .normal { fields.append(HTTPField(name: .contentMD5, value: record.entityTag.md5.base64)) }
        for field in versionFields(record, in: bucket) { fields.append(field) }
        record.properties.encryption?.append(ossTo: &fields)
        return fields
    }
}
