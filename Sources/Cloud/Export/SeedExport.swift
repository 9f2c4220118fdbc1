import Directory
import NIOCore
import ObjectStore
import Policy
import Seeds
package import WireFormats

/// Exports a running sandbox as a seed, which creates the same directory, buckets and objects.
///
/// Secrets are exported in plain text.
package struct SeedExport {
    /// The seed.
    package private(set) var seed: JSONValue = .null
    /// The parts of the sandbox that the seed does not contain, one line for each.
    package internal(set) var leftOut: [String] = []

    /// The maximum size of exported objects, in bytes.
    static let longestObject: Int64 = 64 << 10

    /// Exports the current state of a sandbox.
    package init(of cloud: Cloud) async throws {
        let directory = cloud.directory
        var seed = JSONObject()
        var accounts: [JSONValue] = []
        for account in directory.accounts.values.sorted(by: { $0.id < $1.id }) where account.vendor == .aws {
            var json = try self.account(account, directory)
            var buckets: [JSONValue] = []
            for bucket in cloud.objects.allBuckets where bucket.account == account.id {
                buckets.append(.object(try await self.bucket(bucket, cloud)))
            }
            json.add("buckets", buckets)
            accounts.append(.object(json))
        }
        seed.add("accounts", accounts)
        seed.add(
            "identityProviders",
            try directory.providers.values.sorted { $0.name < $1.name }.map { .object(try IdentityProvider.record.json(of: $0)) })
        if let rule = cloud.regionRule { seed["regions"] = .string(rule.rawValue) }
        let targets = cloud.eventTargets
        if !targets.isEmpty {
            seed["eventTargets"] = .object(JSONObject(targets.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
        let mobile = try Self.mobile(directory.mobile)
        if !mobile.isEmpty { seed["mobileCloud"] = .object(mobile) }
        let alibaba = try await alibaba(cloud, directory)
        if !alibaba.isEmpty { seed["alibaba"] = .object(alibaba) }
        if let vending = try vendingMachines(directory.vending) { seed["vendingMachines"] = .object(vending) }
        self.seed = .object(seed)
    }

    private mutating func alibaba(_ cloud: Cloud, _ directory: Directory) async throws -> JSONObject {
        var json = JSONObject()
        var accounts: [JSONValue] = []
        for account in directory.accounts.values.sorted(by: { $0.id < $1.id }) where account.vendor == .alibaba {
            var json = try alibabaAccount(account, directory)
            var buckets: [JSONValue] = []
            for bucket in cloud.objects.allBuckets where bucket.account == account.id {
                buckets.append(.object(try await ossBucket(bucket, cloud)))
            }
            json.add("buckets", buckets)
            accounts.append(.object(json))
        }
        json.add("accounts", accounts)
        if let server = directory.appServer { json["appServer"] = .object(try AppServer.record.json(of: server)) }
        return json
    }

    private static func mobile(_ mobile: MobileCloud) throws -> JSONObject {
        var seeded = SeedMobileCloud()
        seeded.environment = mobile.environment
        seeded.realms = mobile.realms.values.sorted { $0.key < $1.key }
        seeded.backends = mobile.backends.values.sorted { $0.key < $1.key }
        seeded.customAPIs = mobile.customAPIs.values.sorted { $0.key < $1.key }
        return try SeedMobileCloud.record.json(of: seeded)
    }

    private mutating func bucket(_ bucket: Bucket, _ cloud: Cloud) async throws -> JSONObject {
        let configuration = bucket.configuration
        var seeded = SeedBucket(name: bucket.name, region: bucket.region)
        seeded.ownership = configuration.ownership
        switch configuration.publicAccessBlock {
        case nil: seeded.publicAccess = .allowed
        case .all: seeded.publicAccess = .blocked
        case .some: leftOut.append("bucket \(bucket.name): its public access block, of which only some settings are on")
        }
        seeded.versioning = isVersioned(bucket)
        let documents = configuration.documents.keys.filter { $0 != .policy && $0 != .policyPrincipals }
        leaveOut(documents, of: bucket)
        if configuration.accessControl != nil { leftOut.append("bucket \(bucket.name): its ACL") }
        if configuration.hasObjectLock { leftOut.append("bucket \(bucket.name): object lock") }
        seeded.objects = try await objects(of: bucket, cloud)
        var json = try SeedBucket.record.json(of: seeded)
        if let policy = bucket.policy {
            let stored = try JSONValue(parsing: policy)
            json["policy"] = bucket.policyPrincipals.flatMap { BoundPrincipals(stored: $0).shown(stored, in: cloud.directory) } ?? stored
        }
        return json
    }

    /// Notes the settings of a bucket that the seed does not have.
    mutating func leaveOut(_ documents: [BucketDocument], of bucket: Bucket) {
        let names = documents.map(\.rawValue) + bucket.configuration.values.map { $0.kind }
        if !names.isEmpty { leftOut.append("bucket \(bucket.name): \(names.sorted().joined(separator: ", "))") }
    }

    mutating func isVersioned(_ bucket: Bucket) -> Bool {
        switch bucket.configuration.versioning {
        case .never: return false
        case .enabled: return true
        case .suspended:
            leftOut.append("bucket \(bucket.name): that its versioning is suspended")
            return false
        }
    }

    /// Exports the current versions of the bucket's objects.
    mutating func objects(of bucket: Bucket, _ cloud: Cloud) async throws -> [SeedObject] {
        var objects: [SeedObject] = []
        var skipped = 0
        var after: String?
        repeat {
            let page = try await cloud.objects.list(ListQuery(after: after), in: bucket.id)
            for case .object(let listed) in page.entries {
                if let object = try await object(listed.key, bucket, cloud) { objects.append(object) } else { skipped += 1 }
            }
            after = page.isTruncated ? page.last : nil
        } while after != nil
        if skipped > 0 { leftOut.append("bucket \(bucket.name): \(skipped == 1 ? "1 object" : "\(skipped) objects") of more than 64 KiB") }
        return objects
    }

    /// Exports an object; `nil` if it is too large.
    private func object(_ key: String, _ bucket: Bucket, _ cloud: Cloud) async throws -> SeedObject? {
        guard case .object(let stored) = try cloud.objects.open(key, in: bucket.id), stored.record.size <= Self.longestObject else {
            return nil
        }
        var body: [UInt8] = []
        for try await chunk in stored.bytes() { body += chunk.readableBytesView }
        let attributes = stored.record.attributes
        return SeedObject(key: key, body: body, contentType: attributes.contentType, metadata: attributes.metadata)
    }
}

extension JSONObject {
    /// Adds a list unless it is empty.
    mutating func add(_ name: String, _ list: [JSONValue]) {
        if !list.isEmpty { self[name] = .array(list) }
    }

    /// Adds a text unless it is `nil`.
    mutating func add(text: String?, as name: String) {
        if let text { self[name] = .string(text) }
    }
}
