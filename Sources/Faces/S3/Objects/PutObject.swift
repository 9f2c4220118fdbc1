import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func putObject(_ address: ObjectAddress) async throws -> Response {
        let (bucket, declaration) = try admitPut(address)
        let record = try await writeObject(address.key, try input(), declaration, in: bucket) {
            try await receive(
                declaration, length: declaration.objectLength(), default: .crc64nvme, further: bucket.furtherChecksums)
        }
        return try written(record, in: bucket)
    }

    /// Checks the permission for a PUT. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func admitPut(_ address: ObjectAddress) throws(S3Error) -> (Bucket, BodyDeclaration) {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key)
        return (bucket, try declaredBody())
    }

    /// Returns the response to a PUT. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func written(_ record: ObjectRecord, in bucket: Bucket) throws(S3Error) -> Response {
        var fields = call.s3Headers()
        append(written: record, to: &fields)
        try appendExpiration(of: record, in: bucket, to: &fields)
        return Response(status: .ok, headers: fields)
    }

    /// Writes an object. The permission has been checked before.
    /// - Parameters:
    ///   - declaration: what the request says about the body.
    ///   - event: the event that is sent.
    ///   - receive: streams the body into the store, verified, once everything that the input says has been checked.
    func writeObject(
        _ key: String, _ input: @autoclosure () throws(S3Error) -> ObjectWriteInput, _ declaration: BodyDeclaration, in bucket: Bucket,
        event: EventName = .objectCreatedPut,
        receive: () async throws -> (writer: BodyWriter, body: VerifiedBody)
    ) async throws -> ObjectRecord {
        let (declared, condition) = try declaredObject(key, input, declaration, in: bucket)
        if keys != nil { try await useKey(of: declared.properties.encryption, to: .encrypt, key, in: bucket) }
        let (writer, body) = try await receive()
        let object = newObject(key, declared, body)
        do {
            return try await changes(in: bucket).put(object, body: writer, if: condition, as: event)
        } catch {
            throw S3Error(error, bucket: bucket.name, key: key, condition: condition.header)
        }
    }

    /// Reads and checks everything that a write says besides its body. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func declaredObject(
        _ key: String, _ input: () throws(S3Error) -> ObjectWriteInput, _ declaration: BodyDeclaration, in bucket: Bucket
    ) throws(S3Error) -> (ObjectDeclaration, Precondition) {
        let input = try input()
        let declared = try declaredObject(key, input, in: bucket)
        try checkDigest(declaration, of: declared.properties.lock)
        let condition = try input.condition.get()
        try authorizeRead(of: key, for: condition, in: bucket)
        return (declared, condition)
    }

    @inline(never)
    private func newObject(_ key: String, _ declared: ObjectDeclaration, _ body: VerifiedBody) -> NewObject {
        NewObject(
            key: key, attributes: declared.attributes, md5: declared.properties.encryption.tagDigest(body.md5),
            checksums: body.storedChecksums, owner: declared.owner, modified: clock.now, properties: declared.properties)
    }

    /// Appends the response headers that describe a written object.
    func append(written record: ObjectRecord, to fields: inout HTTPFields) {
        fields.append(HTTPField(name: .eTag, value: record.entityTag.quoted))
        append(record.properties.encryption, to: &fields, .written)
        append(record.checksums, partCount: nil, to: &fields)
        append(written: record.version, of: record.key, to: &fields)
    }

    /// Appends `x-amz-checksum-…` and `x-amz-checksum-type`.
    func append(_ checksums: [Checksum], partCount: Int?, to fields: inout HTTPFields) {
        let checksums = checksums.shown
        guard let first = checksums.first else { return }
        for checksum in checksums {
            fields.append(HTTPField(name: checksum.algorithm.header, value: checksum.text(partCount: partCount)))
        }
        fields.append(HTTPField(name: .checksumType, value: first.coverage.name))
    }
}
