import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension Storage {
    /// Handles GET and HEAD of `collections/{collection}/objects/{object}`.
    func read(_ id: String, in request: CollectionCall) async throws -> Response {
        let space = try request.access.space(.read, user: request.user)
        try await checkExists(space, in: request)
        let key = try key(of: id, in: space)
        let reading = ObjectReading(in: request.bucket, call.http, through: CollectionReadingDoor(request, id, call.http.method))
        let stored = try reading.open(key)
        let item = item(stored.record, id, space, request)
        try checkAccepts(item.contentType)
        var fields = item.fields(in: request.collection.id, clock: call.cloud.clock)
        for field in syncFields("file") { fields.append(field) }
        guard case .selected(let selection) = try reading.select(stored, ReadInput(call.http.headers)) else {
            fields[.contentType] = nil
            return Response(status: .notModified, headers: fields)
        }
        if let range = selection.range { fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(stored.record.size)" }
        return Response(
            status: selection.range == nil ? .ok : .partialContent, headers: fields, body: try await ResponseBody(stored, selection.range))
    }

    /// Handles PUT of an object under the client's ID, and POST under a generated one.
    func store(_ id: String, in request: CollectionCall, isNew: Bool) async throws -> Response {
        let space = try request.access.space(.write, user: request.user)
        try await checkExists(space, in: request)
        let key = try key(of: id, in: space)
        let headers = call.http.headers
        let earlier = try current(key, in: request)
        try refuseRetained(key, in: request.bucket)
        let precondition = isNew ? Precondition.none : try judgeWrite(earlier, id)
        let caller = request.caller.name ?? request.caller.backend.anonymousUser
        let known = earlier.map { StoredDescription($0, id: id) }
        let description = StoredDescription(
            name: try displayName() ?? known?.name ?? id, createdBy: known?.createdBy ?? caller,
            createdOn: known?.createdOn ?? call.http.received, modifiedBy: caller)
        let type = headers.value(of: .contentType)
        // The mobile cloud writes as the bucket's owner, who chooses no storage class, encryption or retention.
        let (defaults, now) = (BucketDefaults(of: request.bucket), call.cloud.clock.now)
        let properties = ObjectProperties(
            lock: ObjectLock(retention: try defaults.retention(from: now)), encryption: try defaults.encryption())
        let (writer, body) = try await receive(computing: request.bucket.standardChecksums)
        let record: ObjectRecord
        do {
            record = try await changes(in: request.bucket).put(
                NewObject(
                    key: key,
                    attributes: ObjectAttributes(
                        contentType: type.flatMap { $0.isEmpty ? nil : $0 } ?? "application/octet-stream",
                        contentEncoding: headers.value(of: .contentEncoding), storageClass: defaults.storageClass?.stored,
                        metadata: description.metadata),
                    md5: defaults.hidesDigests ? properties.encryption.tagDigest(body.md5) : body.md5, checksums: body.checksums,
                    owner: request.bucket.account, modified: now, properties: properties),
                body: writer, if: precondition)
        } catch {
            throw Self.error(error)
        }
        let item = item(record, id, space, request)
        let collection = request.collection.id
        var fields: HTTPFields = [.eTag: record.entityTag.quoted]
        if earlier == nil { fields[.location] = call.baseURL + item.ownPath(in: collection) }
        return .json(
            .object(item.json(in: collection, clock: call.cloud.clock)), status: earlier == nil ? .created : .ok, headers: fields)
    }

    /// Handles DELETE of an object.
    func remove(_ id: String, in request: CollectionCall) async throws -> Response {
        let space = try request.access.space(.write, user: request.user)
        try await checkExists(space, in: request)
        let key = try key(of: id, in: space)
        guard let earlier = try current(key, in: request) else { throw Self.unknown(id, in: request) }
        let changes = changes(in: request.bucket)
        let deletion = KeyDeletion(key: key, if: try judgeWrite(earlier, id))
        let deleted: Deletion
        do {
            deleted = try await changes.delete(deletion, on: changes.deletionTerms(markersOf: request.bucket.account))
        } catch {
            throw Self.error(error)
        }
        guard deleted.existed else { throw Self.unknown(id, in: request) }
        return Response(status: .noContent)
    }

    private func item(_ record: ObjectRecord, _ id: String, _ space: StorageSpace, _ request: CollectionCall) -> StoredItem {
        guard case .of(let user) = space else { return StoredItem(record, id: id, user: nil, isOwn: true) }
        return StoredItem(record, id: id, user: user, isOwn: user == (try? request.access.ownID()))
    }

    private func key(of id: String, in space: StorageSpace) throws(MobileError) -> String {
        let key = space.prefix + id
        guard key.utf8.count <= 1024 else { throw MobileError(.malformedRequest, "The object's identifier is too long.") }
        if var access = call.http.access {
            access.key = key
            call.http.note(access: access)
        }
        return key
    }

    /// Rejects replacing an object that the bucket retains, before the body is read.
    private func refuseRetained(_ key: String, in bucket: Bucket) throws {
        do { try changes(in: bucket).refuseRetained(key) } catch { throw Self.error(error) }
    }

    private func current(_ key: String, in request: CollectionCall) throws -> ObjectRecord? {
        do { return try call.cloud.objects.head(key, in: request.bucket.id).object } catch { throw Self.error(error) }
    }

    /// Evaluates the conditions of a write against the current object.
    /// - Returns: the precondition that verifies in the transaction that the object is unchanged.
    private func judgeWrite(_ earlier: ObjectRecord?, _ id: String) throws(MobileError) -> Precondition {
        let headers = call.http.headers
        let names: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
        guard names.contains(where: headers.contains) else { return .none }
        guard let earlier else {
            guard !headers.contains(.ifMatch) else { throw Self.failed("If-Match", id) }
            return .ifNoneMatchAny
        }
        let modified = call.cloud.clock.effective(earlier.modified)
        switch ReadConditions(headers).judge(earlier.entityTag, modified: modified, now: call.http.received) {
        case .holds: return .ifMatch(earlier.entityTag)
        case .notModified(let condition), .failed(let condition): throw Self.failed(condition, id)
        }
    }

    static func failed(_ condition: String, _ id: String) -> MobileError {
        MobileError(.preconditionFailed, "The object '\(id)' does not satisfy '\(condition)'.")
    }

    static func unknown(_ id: String, in request: CollectionCall) -> MobileError {
        MobileError(.unknownResource, "The collection '\(request.collection.id)' has no object '\(id)'.")
    }

    /// Returns the name in the `Oracle-Mobile-Name` header.
    private func displayName() throws(MobileError) -> String? {
        guard let text = call.http.headers.value(of: .displayName) else { return nil }
        guard let name = percentDecoded(text) else {
            throw MobileError(.malformedRequest, "'Oracle-Mobile-Name' must be percent-encoded.")
        }
        return name.isEmpty ? nil : name
    }

    /// Streams the body into the store.
    private func receive(computing algorithms: [Checksum.Algorithm]) async throws -> (writer: BodyWriter, body: ReceivedBody) {
        let headers = call.http.headers
        let length = headers.value(of: .contentLength).flatMap { Int64(digits: $0) }
        guard length != nil || headers.contains(.transferEncoding) else {
            throw MobileError(.lengthRequired, "Send Content-Length or Transfer-Encoding.")
        }
        let tooLarge = MobileError(.bodyTooLarge, "An object may have at most \(Self.largestObject) bytes.")
        guard length ?? 0 <= Self.largestObject else { throw tooLarge }
        var digests = BodyDigests(algorithms)
        let writer: BodyWriter
        do {
            writer = try await call.cloud.objects.receive(call.http.request.body, expecting: length) { buffer in
                digests.update(buffer)
                guard digests.size <= Self.largestObject else { throw tooLarge }
                return [buffer]
            }
        } catch let error as ObjectStoreError {
            throw Self.error(error)
        }
        let body = digests.finish()
        guard length == nil || length == body.size else {
            throw MobileError(.malformedRequest, "The body has \(body.size) bytes, which differs from Content-Length.")
        }
        return (writer, body)
    }
}
