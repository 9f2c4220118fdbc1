import Cloud
import ObjectStore
import WireFormats

/// Applies the rules of one bucket once, page by page. The actions for a page are performed before the next page is read.
struct LifecyclePass {
    private static let pageSize = 500

    let bucket: Bucket
    let plan: LifecyclePlan
    let runner: LifecycleRunner
    /// The state for the key whose versions are being visited.
    private var key = KeyWalk()
    /// Current objects to delete, collected so that those of a page are deleted in one transaction.
    private var expired: [ListedVersion] = []

    private struct KeyWalk {
        var key: String?
        /// The creation time of the next newer version. At that time the version being visited became noncurrent.
        var successor: Timestamp?
        var noncurrentCount: Int64 = 0
        var remainingCount = 0
        /// The delete marker that is the current version of the key.
        var marker: ListedVersion?
    }

    private var objects: ObjectStore { runner.cloud.objects }
    private var clock: SandboxClock { runner.cloud.clock }

    init(_ bucket: Bucket, _ configuration: LifecycleConfiguration, _ runner: LifecycleRunner) {
        self.bucket = bucket
        self.runner = runner
        plan = LifecyclePlan(configuration, calendar: runner.calendar, clock: runner.cloud.clock)
    }

    func carryOut() async throws {
        var walk = self
        try await walk.visitVersions()
        try await abortUploads()
    }

    private mutating func visitVersions() async throws {
        var query = VersionQuery(limit: Self.pageSize)
        while true {
            let page = try await objects.listVersions(query, in: bucket.id)
            for entry in page.entries {
                switch entry {
                case .version(let listed): try await visit(listed, isMarker: false)
                case .deleteMarker(let listed): try await visit(listed, isMarker: true)
                case .commonPrefix: break
                }
            }
            try await deleteExpired()
            guard page.isTruncated, let last = page.lastKey, let version = page.lastVersion else { break }
            (query.keyMarker, query.versionMarker) = (last, .sequence(version.sequence))
        }
        try await leaveKey()
    }

    private mutating func visit(_ listed: ListedVersion, isMarker: Bool) async throws {
        let object = listed.object
        if key.key.map({ !$0.utf8.elementsEqual(object.key.utf8) }) ?? true {
            try await leaveKey()
            key = KeyWalk(key: object.key)
        }
        let made = clock.effective(object.modified)
        defer { key.successor = made }
        guard listed.isLatest else {
            defer { key.noncurrentCount += 1 }
            return try await visitNoncurrent(listed, isMarker: isMarker, since: key.successor ?? made)
        }
        if isMarker {
            key.marker = listed
            return
        }
        switch plan.action(onCurrent: try facts(listed, since: made)) {
        case .expire: expired.append(listed)
        case .transition(let storageClass): try await move(listed, to: storageClass)
        case nil: break
        }
    }

    private mutating func visitNoncurrent(_ listed: ListedVersion, isMarker: Bool, since: Timestamp) async throws {
        switch plan.action(onNoncurrent: try facts(listed, since: since)) {
        case .expire:
            if try await remove(listed) { return }
        case .transition(let storageClass):
            if !isMarker { try await move(listed, to: storageClass) }
        case nil: break
        }
        key.remainingCount += 1
    }

    /// Removes the delete marker of the visited key if there are no other versions.
    private mutating func leaveKey() async throws {
        guard let marker = key.marker, key.remainingCount == 0 else { return }
        key.marker = nil
        guard plan.removesMarker(of: marker.object.key, since: clock.effective(marker.object.modified)) else { return }
        _ = try await remove(marker)
    }

    private func facts(_ listed: ListedVersion, since: Timestamp) throws -> LifecyclePlan.Facts {
        let object = listed.object
        var facts = LifecyclePlan.Facts(
            key: object.key, size: object.size,
            storageClass: object.storageClass.flatMap(StorageClass.init(rawValue:)) ?? .standard, tags: [], since: since,
            newerVersions: key.noncurrentCount)
        if plan.asksForTags(of: object.key, size: object.size),
            case .object(let record) = try objects.head(object.key, version: .sequence(listed.version.sequence), in: bucket.id)
        {
            facts.tags = record.properties.tags
        }
        return facts
    }

    private mutating func deleteExpired() async throws {
        guard !expired.isEmpty else { return }
        defer { expired = [] }
        // An object that was replaced after the page was read is not deleted.
        let deletions = expired.map { KeyDeletion(key: $0.object.key, if: .ifMatch($0.object.entityTag)) }
        let results = try await objects.delete(deletions, in: bucket.id, on: terms)
        for (listed, result) in zip(expired, results) {
            guard case .success(let deletion) = result, deletion.existed else { continue }
            if deletion.isDeleteMarker {
                report(.deleteMarkerCreated, listed, version: deletion.version)
            } else {
                report(.expired, listed, version: listed.version)
            }
        }
    }

    /// Permanently deletes one version.
    /// - Returns: whether the version no longer exists; a lock prevents the deletion.
    private func remove(_ listed: ListedVersion) async throws(ObjectStoreError) -> Bool {
        let deletion = KeyDeletion(key: listed.object.key, version: .sequence(listed.version.sequence))
        do {
            if try await objects.delete(deletion, in: bucket.id, on: terms).existed {
                report(.expired, listed, version: listed.version)
            }
            return true
        } catch {
            guard error == .locked else { throw error }
            return false
        }
    }

    private func move(_ listed: ListedVersion, to storageClass: StorageClass) async throws(ObjectStoreError) {
        do {
            try await objects.update(
                listed.object.key, version: .sequence(listed.version.sequence), in: bucket.id
            ) { record throws(ObjectStoreError) in record.attributes.storageClass = storageClass.stored }
            report(.moved, listed, version: listed.version)
        } catch {
            // The object may have been deleted after the page was read.
            guard error == .noSuchKey || error == .isDeleteMarker else { throw error }
        }
    }

    private func abortUploads() async throws {
        guard plan.rules.contains(where: { $0.abortIncompleteUpload != nil }) else { return }
        var query = UploadQuery(limit: Self.pageSize)
        while true {
            let page = try await objects.uploads(query, in: bucket.id)
            for case .upload(let upload) in page.entries {
                let due = plan.abortTime(of: upload.key, initiated: clock.effective(upload.initiated))
                if let due, due.date <= plan.now { try await abort(upload) }
            }
            guard page.isTruncated, let last = page.lastKey else { return }
            (query.afterKey, query.afterID) = (last, page.lastID)
        }
    }

    private func abort(_ upload: MultipartUpload) async throws(ObjectStoreError) {
        do { try await objects.abort(upload) } catch {
            // The upload may have been completed after the page was read.
            guard error == .noSuchUpload else { throw error }
        }
    }

    /// The conditions for deletions: locks apply to lifecycle rules as well.
    private var terms: DeletionTerms {
        objects.deletionTerms(in: bucket, by: clock, markersOf: bucket.account)
    }

    private func report(_ kind: LifecycleEvent.Kind, _ listed: ListedVersion, version: ObjectVersion?) {
        runner.observe(LifecycleEvent(kind: kind, time: clock.now, object: listed.object, version: version), bucket)
    }
}
