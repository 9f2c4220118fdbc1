package import Policy
import SQLite
import Synchronization
package import WireFormats

extension ObjectStore {
    /// Returns the bucket with a name, from memory.
    package func bucket(named name: String) -> Bucket? { buckets.withLock { $0[name] } }

    /// Returns the bucket with a name for the services of a vendor; `nil` if they cannot access one.
    package func bucket(named name: String, for vendor: Vendor) -> Bucket? { bucket(named: name)?.shown(by: vendor) }

    /// Returns the OSS bucket that has an additional host name; `nil` if there is none.
    /// - Parameter host: the host name in lower case, without port.
    package func bucket(hostedAt host: String) -> Bucket? {
        buckets.withLock { $0.withHosts }.first { bucket in
            guard let text = bucket.configuration.documents[.ossHosts], case .array(let hosts) = try? JSONValue(parsing: text) else {
                return false
            }
            return hosts.contains(.string(host))
        }
    }

    /// Every bucket, ordered by name.
    package var allBuckets: [Bucket] { buckets.withLock { $0 }.all }

    /// Returns the buckets of an account, including those that are shared with it, ordered by name.
    package func buckets(of account: String) -> [Bucket] {
        let vendor = Vendor(account: account)
        return allBuckets.compactMap { $0.shown(by: vendor) }.filter { $0.account == account }
    }

    /// Returns a page of the buckets of an account, including those that are shared with it, ordered by name.
    /// - Parameters:
    ///   - prefix: the prefix of the names.
    ///   - marker: the name after which the page begins; `nil` for the first page.
    ///   - limit: the maximum number of buckets.
    ///   - isListed: a further condition.
    package func buckets(
        of account: String, prefix: String, after marker: String?, limit: Int, where isListed: (Bucket) -> Bool
    ) -> BucketPage {
        let vendor = Vendor(account: account)
        return buckets.withLock { $0 }.page(prefix: prefix, after: marker, limit: limit) { bucket in
            bucket.shown(by: vendor).flatMap { $0.account == account && isListed($0) ? $0 : nil }
        }
    }

    /// Creates an empty bucket. The face checks its name.
    /// - Throws: ``ObjectStoreError/bucketExists(owner:)``
    package func createBucket(
        named name: String, account: String, region: String, created: Timestamp,
        configuration: BucketConfiguration = BucketConfiguration()
    ) async throws(ObjectStoreError) -> Bucket {
        try await write { connection in
            if let owner = try connection.first(BucketStatement.owner.rawValue, .text(name), row: { $0.text(0) }) {
                throw ObjectStoreError.bucketExists(owner: owner)
            }
            try connection.run(
                BucketStatement.insert.rawValue, .text(name), .text(account), .text(region), .integer(created.milliseconds))
            let id = Bucket.ID(number: connection.lastInsertedRow)
            try connection.store(configuration, of: id)
            return Bucket(
                id: id, name: name, account: account, region: region, created: created, configuration: configuration, revision: 0)
        } committed: { bucket in
            self.buckets.withLock { $0.insert(bucket) }
        }
    }

    /// Deletes a bucket without objects, versions and delete markers. Its unfinished uploads are aborted.
    /// - Throws: ``ObjectStoreError/bucketNotEmpty``, ``ObjectStoreError/noSuchBucket``
    package func deleteBucket(_ bucket: Bucket.ID) async throws(ObjectStoreError) {
        try await write { connection -> [ContentID] in
            for statement in [ObjectStatement.anyInBucket.text, VersionStatement.anyInBucket.text] {
                guard try connection.first(statement, .integer(bucket.number), row: { _ in () }) == nil else {
                    throw ObjectStoreError.bucketNotEmpty
                }
            }
            var released: [ContentID] = []
            let uploads = try connection.all(UploadStatement.numbers.rawValue, .integer(bucket.number)) { $0.integer(0) }
            for upload in uploads { try connection.deleteUpload(upload, released: &released) }
            try connection.run(BucketStatement.deleteDocuments.rawValue, .integer(bucket.number))
            guard try connection.run(BucketStatement.delete.rawValue, .integer(bucket.number)) == 1 else {
                throw ObjectStoreError.noSuchBucket
            }
            return released
        } committed: { released in
            self.buckets.withLock { $0.remove(bucket) }
            self.contents.release(released)
        }
    }

    /// Changes the configuration of a bucket. Concurrent changes run one after another. If `change` throws, nothing is changed.
    /// - Throws: ``ObjectStoreError/noSuchBucket``, and the errors of `change`.
    @discardableResult
    package func configure(
        _ bucket: Bucket.ID, _ change: @escaping @Sendable (inout BucketConfiguration) throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) -> BucketConfiguration {
        try await write { connection in
            guard var configuration = try connection.configuration(of: bucket) else { throw ObjectStoreError.noSuchBucket }
            try change(&configuration)
            try connection.store(configuration, of: bucket)
            return configuration
        } committed: { configuration in
            self.buckets.withLock { $0.configure(bucket, configuration) }
        }
    }
}

extension Connection {
    /// Returns every bucket with its configuration, for the start.
    func buckets() throws -> [Bucket] {
        var documents: [Int64: [(kind: String, text: String)]] = [:]
        for (bucket, kind, document) in try all(
            WholeStoreStatement.bucketDocuments.rawValue, row: { ($0.integer(0), $0.text(1), $0.text(2)) })
        {
            documents[bucket, default: []].append((kind, document))
        }
        return try all(WholeStoreStatement.buckets.rawValue) { row in
            var configuration = BucketConfiguration(row: row, from: 5)
            for (kind, text) in documents[row.integer(0)] ?? [] { configuration.read(kind, text) }
            return Bucket(
                id: Bucket.ID(number: row.integer(0)), name: row.text(1), account: row.text(2), region: row.text(3),
                created: Timestamp(milliseconds: row.integer(4)), configuration: configuration, revision: 0)
        }
    }

    /// Returns the versioning state of a bucket.
    /// - Throws: ``ObjectStoreError/noSuchBucket``
    func versioning(of bucket: Bucket.ID) throws -> Versioning {
        guard let number = try first(BucketStatement.versioning.rawValue, .integer(bucket.number), row: { $0.integer(0) }) else {
            throw ObjectStoreError.noSuchBucket
        }
        return Versioning(rawValue: number) ?? .never
    }

    fileprivate func configuration(of bucket: Bucket.ID) throws -> BucketConfiguration? {
        let found = try first(BucketStatement.configuration.rawValue, .integer(bucket.number)) { row in
            BucketConfiguration(row: row, from: 0)
        }
        guard var configuration = found else { return nil }
        for (kind, document) in try all(
            BucketStatement.documents.rawValue, .integer(bucket.number), row: { ($0.text(0), $0.text(1)) })
        {
            configuration.read(kind, document)
        }
        return configuration
    }

    fileprivate func store(_ configuration: BucketConfiguration, of bucket: Bucket.ID) throws {
        try run(
            BucketStatement.configure.rawValue, .integer(bucket.number), .integer(configuration.versioning.rawValue),
            .integer(configuration.hasObjectLock ? 1 : 0), Value(configuration.ownership?.rawValue),
            Value(configuration.publicAccessBlock?.rawValue), FieldCoding.encode(configuration.accessControl))
        try run(BucketStatement.deleteDocuments.rawValue, .integer(bucket.number))
        for (kind, document) in configuration.documents {
            try run(BucketStatement.insertDocument.rawValue, .integer(bucket.number), .text(kind.rawValue), .text(document))
        }
        for (kind, text) in configuration.values {
            try run(BucketStatement.insertDocument.rawValue, .integer(bucket.number), .text(kind), .text(text))
        }
    }
}

extension BucketConfiguration {
    /// Columns from an index on: versioning, has_object_lock, ownership, public_access_block, access_control.
    fileprivate init(row: Row, from index: Int32) {
        self.init()
        versioning = Versioning(rawValue: row.integer(index)) ?? .never
        hasObjectLock = row.integer(index + 1) != 0
        ownership = row.optionalText(index + 2).flatMap(ObjectOwnership.init)
        publicAccessBlock = row.optionalInteger(index + 3).map(PublicAccessBlock.init)
        accessControl = FieldCoding.accessControl(in: row, at: index + 4)
    }

    /// The typed settings that are stored like documents. The kinds are stored: never change one.
    package var values: [(kind: String, text: String)] {
        var values: [(kind: String, text: String)] = []
        if let defaultRetention { values.append(("objectLock", defaultRetention.stored)) }
        if requestPayer != .bucketOwner { values.append(("requestPayment", requestPayer.rawValue)) }
        if !tags.isEmpty { values.append(("tagging", tags.stored)) }
        return values
    }

    /// Reads a stored document. Those of unknown kinds are skipped.
    fileprivate mutating func read(_ kind: String, _ text: String) {
        switch kind {
        case "objectLock": defaultRetention = DefaultRetention(stored: text)
        case "requestPayment": requestPayer = RequestPayer(rawValue: text) ?? .bucketOwner
        case "tagging": tags = [Tag](stored: text)
        default: if let kind = BucketDocument(rawValue: kind) { documents[kind] = text }
        }
    }
}
